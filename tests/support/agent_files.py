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
FILES: dict[str, dict[str, str]] = {
    "claude-code": {".claude.json": CLAUDE_JSON, ".claude/settings.json": CLAUDE_SETTINGS},
    "codex": {".codex/config.toml": CODEX_TOML, ".codex/hooks.json": HOOKS_JSON},
    "gemini": {".gemini/settings.json": GEMINI_JSONC},
}
