"""What tests share: a real server process, real client hosts, plain HTTP and MCP."""
