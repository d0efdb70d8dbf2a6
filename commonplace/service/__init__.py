"""One function an operation: decide, then write in one transaction."""
