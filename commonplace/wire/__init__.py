"""HTTP: MCP tools and JSON routes, both made from the operations."""
