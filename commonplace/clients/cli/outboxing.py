"""The command `outbox`: the writes that wait on this machine, and what to do with refused ones."""

import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from commonplace.clients.cli import views
from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.layout import age_s, clip, pad
from commonplace.clients.cli.session import Session
from commonplace.clients.delivery import Report
from commonplace.clients.outbox_log import Entry
from commonplace.domain.text import one_line
from commonplace.errors import Invalid

app = make_app()
_ACTIONS = ("list", "show", "deliver", "retry", "drop")
_NEEDS_ID = {"show", "retry", "drop"}
_ADVICE = {
    "VERSION_CONFLICT": "look at both; to put yours on top: commonplace outbox retry {id} --over",
    "EXISTS": "look at both; to make yours its next version: commonplace outbox retry {id} --over",
    "NOT_FOUND": "nothing to change there any more: commonplace outbox drop {id}",
    "SECRET": "write it again without the secret, then: commonplace outbox drop {id}",
}
_OTHER_ADVICE = "once the reason is gone: commonplace outbox retry {id}"


def _complete_action(incomplete: str) -> list[str]:
    return [action for action in _ACTIONS if action.startswith(incomplete)]


@command(
    app,
    "outbox",
    "commonplace outbox",
    "commonplace outbox deliver",
    "commonplace outbox show 4f2a9c",
    "commonplace outbox retry 4f2a9c --over",
    "commonplace outbox drop 4f2a9c",
)
def outbox(
    ctx: typer.Context,
    action: Annotated[
        str,
        typer.Argument(help="list, show, deliver, retry or drop", autocompletion=_complete_action),
    ] = "list",
    ids: Annotated[list[str] | None, typer.Argument(help="Ids, as listed")] = None,
    over: Annotated[
        bool,
        typer.Option("--over", help="With retry: on top of the version it was in conflict with"),
    ] = False,
) -> None:
    """Show the writes that wait on this machine for the server, and those it refused.

    A refused write is kept until you retry or drop it; later writes to the same memory wait behind
    it. The outbox is a file of yours that holds the texts in clear.
    """
    session = Session.of(ctx)
    if action not in _ACTIONS or bool(ids) != (action in _NEEDS_ID) or (over and action != "retry"):
        raise typer.BadParameter(
            "write outbox, outbox deliver, outbox show ID, outbox retry ID [--over], outbox drop"
            " ID",
            ctx=ctx,
        )
    if action == "deliver":
        _deliver(session)
    elif action == "list":
        _list(session)
    elif action == "show":
        _show(session, ids or [])
    else:
        _change(session, action, ids or [], over=over)


def _list(session: Session) -> None:
    box = session.delivery.outbox
    entries = list(box.read().entries.values())
    torn = box.torn_path if Path(box.torn_path).exists() else None
    value = {"path": box.path, "writes": [_row(entry) for entry in entries], "torn": torn}
    session.out.show(value, "\n".join(line for entry in entries for line in _lines(entry, session)))
    if session.out.as_json:
        return
    if not entries:
        session.out.note("the outbox is empty")
    elsewhere = {entry.url for entry in entries} - {session.config.url}
    for url in sorted(elsewhere):
        session.out.note(f"some wait for {url}: commonplace outbox deliver --url {url}")
    if torn:
        session.out.note(f"a line that a crash cut short is kept in {torn}")


def _show(session: Session, ids: list[str]) -> None:
    entries = session.delivery.outbox.read().entries
    found = [_whole(entries[id_]) for id_ in ids if id_ in entries]
    missing = [id_ for id_ in ids if id_ not in entries]
    if missing:
        raise Invalid(f"no write {missing[0][:20]!a} in the outbox; see `commonplace outbox`")
    session.out.json(found[0] if len(found) == 1 else found)


def _change(session: Session, action: str, ids: list[str], *, over: bool) -> None:
    box = session.delivery.outbox
    changed: list[dict[str, Any]] = []
    for id_ in ids:
        entry = box.drop(id_) if action == "drop" else box.retry(id_, _on_top if over else None)
        changed.append(_row(entry))
        if not session.out.as_json:
            did = "dropped" if action == "drop" else "queued again"
            session.out.text(f"{did} {entry.operation} of {one_line(entry.name)} ({id_})")
    if action == "drop":
        box.tidy()
    if session.out.as_json:
        session.out.json({"action": action, "writes": changed})
    elif action == "retry":
        session.out.note("the next command that reaches the server delivers it")


def _on_top(entry: Entry) -> dict[str, Any]:
    """Return what to send to make a refused write the next version of what stood in its way."""
    problem = entry.problem or {}
    details = problem.get("details", {})
    version = details.get("current", details).get("version")
    if problem.get("code") not in {"VERSION_CONFLICT", "EXISTS"} or not isinstance(version, int):
        raise Invalid(f"{entry.id} was not refused for another version; retry it without --over")
    operation = "update" if entry.operation == "remember" else entry.operation
    return {
        "operation": operation,
        "arguments": {
            **entry.arguments,
            "expected_version": version,
            "request_id": os.urandom(16).hex(),
        },
    }


def _deliver(session: Session) -> None:
    report: Report = session.delivery.deliver(budget_s=3600.0)
    value = {
        "delivered": [_row(entry) for entry in report.delivered],
        "refused": [_row(entry) for entry in report.refused],
        "left": report.left,
    }
    if report.stopped is not None:
        session.out.note(f"{report.left} left")
        raise report.stopped
    session.out.show(value, f"delivered {len(report.delivered)}, refused {len(report.refused)}")
    for line in views.delivered(report):
        if "refused" in line or "still" in line:
            session.out.note(line)


def _row(entry: Entry) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": entry.id,
        "state": "waiting" if entry.problem is None else "refused",
        "operation": entry.operation,
        "scope": entry.scope,
        "name": entry.name,
        "url": entry.url,
        "queued_at": entry.queued_at,
    }
    if entry.problem is not None:
        row |= {"problem": entry.problem, "what_to_do": _advice(entry)}
    return row


def _whole(entry: Entry) -> dict[str, Any]:
    return {**_row(entry), "arguments": entry.arguments, "agent": entry.agent, "host": entry.host}


def _advice(entry: Entry) -> str:
    code = str((entry.problem or {}).get("code"))
    return _ADVICE.get(code, _OTHER_ADVICE).format(id=entry.id)


def _lines(entry: Entry, session: Session) -> list[str]:
    style = session.out.style
    state = "waiting" if entry.problem is None else style.red("refused")
    ago = age_s(time.time() - entry.queued_at)
    head = f"{entry.id}  {state}  {pad(entry.operation, 8)}  {ago:>4}"
    where = f"{style.bold(one_line(entry.name))} in {one_line(entry.scope)}"
    lines = [f"{head}  {where}"]
    if entry.problem is not None:
        why = f"{entry.problem.get('code')}: {entry.problem.get('message')}"
        lines += [f"        {clip(why, session.out.width - 8)}", f"        {_advice(entry)}"]
    return lines
