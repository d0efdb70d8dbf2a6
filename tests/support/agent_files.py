"""Settings files as people have them: others' entries, comments, their own style."""

from __future__ import annotations

CLAUDE_JSON = """{
  "numStartups": 41,
  "tipsHistory": { "shift-enter": 7 },
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://mcp.example.com/mcp",
      "headers": { "Authorization": "Bearer other-persons-secret" }
    }
  },
  "projects": {
    "/home/me/src": { "allowedTools": [], "mcpServers": {} }
  },
  "oauthAccount": { "emailAddress": "me@example.com" }
}
"""
CLAUDE_SETTINGS = """{
  "permissions": { "allow": ["Bash(git log:*)"] },
  "hooks": {
    "SessionStart": [
      {
        "matcher": "startup",
        "hooks": [
          { "type": "command", "command": "~/bin/greet.sh" }
        ]
      }
    ],
    "Stop": []
  },
  "model": "opus"
}
"""
CODEX_TOML = """# my settings
model = "gpt-5"   # the good one
notify = [
  "notify-send",  # a list over lines
  "[mcp_servers.commonplace]",
]

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
env = { API_KEY = "other-persons-secret" }

[projects."/home/me/src"]
trust_level = "trusted"
"""
HOOKS_JSON = """{
\t"hooks": {
\t\t"SessionStart": [
\t\t\t{"hooks": [{"type": "command", "command": "echo hello", "timeout": 3}]}
\t\t]
\t}
}"""
GEMINI_JSONC = """\ufeff// Gemini
{\r
    "ui": { "theme": "Default" }, // dark\r
    "mcpServers": {\r
        /* work */\r
        "jira": { "httpUrl": "https://jira.example.com/mcp", },\r
    },\r
}\r
"""
MCP_JSON = """{
  "mcpServers": {
    "files": {"command": "npx", "args": ["x"], "env": {"TOKEN": "other-persons-secret"}}
  }
}
"""
OPENCODE_JSONC = """{
  "$schema": "https://opencode.ai/config.json",
  // the model for small things
  "small_model": "x/y",
  "mcp": {
    "docs": { "type": "local", "command": ["docs"], "enabled": true }, // ours alone
  },
}
"""
VSCODE_JSON = """{
\t"servers": {
\t\t"gh": {
\t\t\t"url": "https://api.example.com/mcp",
\t\t\t"headers": { "Authorization": "Bearer ${input:gh}" }
\t\t}
\t},
\t"inputs": [
\t\t{ "id": "gh", "type": "promptString", "password": true }
\t]
}
"""
ZED_JSONC = """// Zed settings
//
// To see all of them, run `zed: open default settings`
{
  "theme": "One Dark", /* dark */
  "context_servers": {
    // "old": {"url": "http://old"},
  },
  "vim_mode": true, // "yes"
}
"""
GOOSE_YAML = """# goose
active_provider: anthropic
extensions:
  # built in
  developer:
    bundled: true
    enabled: true
    name: developer
    type: builtin

  remote:
    type: streamable_http
    uri: "https://example.com/mcp"
    headers: {Authorization: "Bearer other-persons-secret"}
GOOSE_MODE: "smart_approve" # ask first
"""
CURSOR_HOOKS = """{
  "version": 1,
  "hooks": {
    "stop": [ { "command": "./done.sh" } ]
  }
}
"""
FILES: dict[str, dict[str, str]] = {
    "claude-code": {".claude.json": CLAUDE_JSON, ".claude/settings.json": CLAUDE_SETTINGS},
    "codex": {".codex/config.toml": CODEX_TOML, ".codex/hooks.json": HOOKS_JSON},
    "pi": {".pi/agent/mcp.json": MCP_JSON},
    "omp": {".omp/agent/mcp.json": MCP_JSON},
    "gemini": {".gemini/settings.json": GEMINI_JSONC},
    "opencode": {".config/opencode/opencode.jsonc": OPENCODE_JSONC},
    "copilot": {".copilot/mcp-config.json": MCP_JSON},
    "cursor": {".cursor/mcp.json": MCP_JSON, ".cursor/hooks.json": CURSOR_HOOKS},
    "vscode": {".config/Code/User/mcp.json": VSCODE_JSON},
    "windsurf": {".codeium/windsurf/mcp_config.json": MCP_JSON},
    "zed": {".config/zed/settings.json": ZED_JSONC},
    "goose": {".config/goose/config.yaml": GOOSE_YAML},
    "claude-desktop": {".config/Claude/claude_desktop_config.json": MCP_JSON},
}
