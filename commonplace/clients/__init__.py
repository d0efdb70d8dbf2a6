"""Runs on every machine; holds no server code."""
