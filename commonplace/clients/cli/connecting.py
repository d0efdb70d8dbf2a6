"""The command `connect`: agents get their MCP entry and session-start hook, or lose them again."""

import shlex
from typing import Annotated, Any

import typer

from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.layout import pad
from commonplace.clients.cli.render import Style
from commonplace.clients.cli.session import Session
from commonplace.clients.connect.agents import AGENTS, named
from commonplace.clients.connect.base import TOKEN_VARIABLE, Agent, Link, Machine
from commonplace.clients.connect.connection import AgentState, Wish, connect, survey
from commonplace.clients.connect.machine import link, this_machine
from commonplace.clients.connect.plan import Change
from commonplace.clients.connect.receipts import Receipts
from commonplace.domain.text import one_line
from commonplace.errors import CommonplaceError

app = make_app()
_ALL = "all"
_DONE = {"create": "wrote", "change": "changed", "remove": "removed", "unchanged": "unchanged"}
_WOULD = {
    "create": "would write",
    "change": "would change",
    "remove": "would remove",
    "unchanged": "unchanged",
}


def _complete_agent(incomplete: str) -> list[str]:
    return [name for name in (*(a.name for a in AGENTS), _ALL) if name.startswith(incomplete)]


@command(
    app,
    "connect",
    "commonplace connect claude-code",
    "commonplace connect all --dry-run",
    "commonplace connect codex --remove",
    "commonplace connect --list",
)
def connect_(  # noqa: PLR0913 - one parameter an option
    ctx: typer.Context,
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT",
            help=f"{', '.join(agent.name for agent in AGENTS)}; all is every one found here",
            autocompletion=_complete_agent,
            show_default=False,
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--list", help="Show each agent and its state")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the changes")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take out what was put in")] = False,
    no_hook: Annotated[bool, typer.Option("--no-hook", help="Only the MCP entry")] = False,
    token_in_clear: Annotated[
        bool,
        typer.Option("--token-in-clear", help="Write the token itself, where nothing else works"),
    ] = False,
) -> None:
    """Connect agents to the memory: MCP entry and session-start hook, in their own settings.

    Other people's entries, comments and every other byte stay. Running it twice changes nothing.
    """
    session = Session.of(ctx)
    machine = this_machine(session.config)
    if show or not agents:
        return _list(session, survey(machine, link(session.config)))
    wish = Wish(remove, not no_hook, token_in_clear, dry_run)
    wanted = _wanted(agents, machine)
    target = link(session.config, in_clear=token_in_clear)
    receipts = Receipts(session.config.state_dir)
    results: list[dict[str, Any]] = []
    failures: list[CommonplaceError] = []
    for agent in wanted:
        try:
            changes = connect(agent, machine, target, receipts, wish)
        except CommonplaceError as error:
            failures.append(error)
            results.append({"agent": agent.name, "error": error.code, "message": error.message})
        else:
            results.append(_result(agent, changes, target, wish))
    return _tell(session, results, failures)


def _wanted(names: list[str], machine: Machine) -> list[Agent]:
    if _ALL not in names:
        return list(dict.fromkeys(named(name) for name in names))
    return [agent for agent in AGENTS if agent.found(machine)]


def _result(agent: Agent, changes: list[Change], target: Link, wish: Wish) -> dict[str, Any]:
    touched = any(change.action != "unchanged" for change in changes)
    return {
        "agent": agent.name,
        "files": [
            {
                "file": str(change.file),
                "parts": sorted(set(change.roles)),
                "action": change.action,
                "done": not wish.dry_run,
                "diff": change.diff() if wish.dry_run else "",
            }
            for change in changes
        ],
        "notes": _notes(agent, target, wish) if touched and not wish.removing else [],
    }


def _notes(agent: Agent, target: Link, wish: Wish) -> list[str]:
    notes = list(agent.notes) if wish.hook else []
    if target.credential == "none" or wish.in_clear or agent.bridges:
        return notes
    if agent.asks:
        notes.append("it asks for the token when it first calls the server")
    elif target.credential == "variable":
        notes.append(f"the entry takes the token from {TOKEN_VARIABLE}: export it where it starts")
    elif not agent.reads_file:
        file = shlex.quote(target.token_file)
        notes.append(
            f"the entry takes the token from {TOKEN_VARIABLE}: where it starts, run"
            f' export {TOKEN_VARIABLE}="$(cat {file})"'
        )
    return notes


def _tell(
    session: Session, results: list[dict[str, Any]], failures: list[CommonplaceError]
) -> None:
    out = session.out
    lines: list[str] = []
    for result in results:
        for file in result.get("files", []):
            word = (_DONE if file["done"] else _WOULD)[file["action"]]
            parts = " and ".join(file["parts"])
            lines.append(f"{result['agent']}: {word} {one_line(file['file'])} ({parts})")
            lines += [_colored(line, out.style) for line in file["diff"].splitlines()]
    out.show({"agents": results}, "\n".join(lines))
    for result in () if out.as_json else results:
        for note in result.get("notes", []):
            out.note(f"{result['agent']}: {note}")
    if len(failures) == 1 and len(results) == 1:
        raise failures[0]
    if failures and not out.as_json:
        for failure in failures:
            out.error(failure)
    if failures:
        raise typer.Exit(1)


def _colored(line: str, style: Style) -> str:
    if line.startswith(("---", "+++", "@@")):
        return style.dim(line)
    return style.green(line) if line[:1] == "+" else style.red(line) if line[:1] == "-" else line


def _list(session: Session, states: list[AgentState]) -> None:
    value = [
        {
            "agent": each.agent.name,
            "found": each.found,
            **{
                role: {"state": part.state, "file": part.file, "detail": part.detail}
                if (part := each.of(role))
                else None
                for role in ("mcp", "hook")
            },
        }
        for each in states
    ]
    lines = [f"{pad('AGENT', 14)}  {pad('FOUND', 5)}  {pad('MCP', 8)}  HOOK"]
    details: list[str] = []
    for each in states:
        cells = [part.state if (part := each.of(role)) else "-" for role in ("mcp", "hook")]
        found = "yes" if each.found else "no"
        lines.append(f"{pad(each.agent.name, 14)}  {pad(found, 5)}  {pad(cells[0], 8)}  {cells[1]}")
        details += [
            f"{each.agent.name}: {one_line(part.detail or part.state)}"
            + ("" if part.file in part.detail else f" ({one_line(part.file)})")
            for part in each.parts
            if part.state in {"differs", "broken"}
        ]
    session.out.show({"agents": value}, "\n".join([*lines, *([""] if details else []), *details]))
