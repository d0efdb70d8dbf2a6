"""Writes, checks and takes away what an agent needs to use the memory: MCP entry and hook."""
