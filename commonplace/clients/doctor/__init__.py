"""Looks over the whole chain from an agent to the store, and says what would mend what."""
