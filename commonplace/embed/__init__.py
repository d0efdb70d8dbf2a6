"""Text into unit vectors."""
