"""One memory for every coding agent on every machine."""

__version__ = "0.1.0"
