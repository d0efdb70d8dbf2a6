"""The session-start hook: standard library only, one deadline, never breaks a session."""
