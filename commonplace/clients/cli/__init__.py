"""The command line: one module a command group, `render` is the only printer."""
