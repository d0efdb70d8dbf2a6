"""What looks like a credential in a text: the rules, the search, and what becomes of a hit."""
