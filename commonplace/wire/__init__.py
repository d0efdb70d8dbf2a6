"""HTTP: MCP tools and JSON routes, both made from the operations."""

from commonplace.settings import shield_fastmcp

# Before any module of this package imports fastmcp, which reads its settings when imported.
shield_fastmcp()
