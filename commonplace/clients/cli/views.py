"""Replies as text for people: pure, one function a kind of reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonplace.clients.cli.layout import age, clip, pad
from commonplace.clients.cli.render import Style
from commonplace.clients.delivery import Report
from commonplace.domain.text import one_line, visible
from commonplace.errors import Unreachable

Reply = dict[str, Any]
_NAME_COLUMN = 32
_LEAST = 20


def written(reply: Reply, style: Style, was: str = "") -> str:
    """Return what a write did; `was` is the name it had before."""
    name, scope = style.bold(one_line(reply["name"])), one_line(reply["scope"])
    if was == reply["name"]:
        did = f"moved {name} to {scope}"
    else:
        did = f"{reply['action']} {f'{one_line(was)} to ' if was else ''}{name} in {scope}"
    line = f"{did}, version {reply['version']}"
    return "\n".join([line, *(f"warning: {one_line(text)}" for text in reply.get("warnings", ()))])


def queued(reply: Reply, style: Style) -> str:
    """Return what became of a write that waits."""
    name, scope = style.bold(one_line(reply["name"])), one_line(reply["scope"] or "its scope")
    return f"queued {reply['operation']} of {name} in {scope} as {reply['id']}, not saved yet"


def queued_note(reply: Reply) -> str:
    """Return why a write waits, and for what."""
    return (
        f"queued: {one_line(reply['reason'])}\n"
        "the next command that reaches the server delivers it; `commonplace outbox` shows it"
    )


def delivered(report: Report) -> list[str]:
    """Return what to say of a delivery: nothing where nothing was done."""
    lines: list[str] = []
    if report.delivered:
        lines.append(f"delivered {_writes(len(report.delivered))} that waited in the outbox")
    for entry in report.refused:
        problem = entry.problem or {}
        lines.append(
            f"refused by the server: {entry.operation} of {one_line(entry.name)} in"
            f" {one_line(entry.scope)} ({entry.id}), {problem.get('code')}:"
            f" {one_line(str(problem.get('message')))}; kept, see `commonplace outbox`"
        )
    if report.stopped is not None and not isinstance(report.stopped, Unreachable):
        lines.append(f"the outbox was not delivered: {one_line(report.stopped.message)}")
    elif report.left and report.stopped is None:
        lines.append(f"{_writes(report.left)} still wait in the outbox")
    return lines


def _writes(count: int) -> str:
    return f"{count} write{'' if count == 1 else 's'}"


def similar(reply: Reply) -> str:
    """Return the memories that may say the same as the one just written."""
    return "\n".join(
        f"similar: {one_line(item['name'])} in {one_line(item['scope'])} ({item['score']:.2f},"
        f" {one_line(item['why'])}): {one_line(item['description'])}"
        for item in reply.get("similar", ())
    )


def memory(reply: Reply, style: Style, now_s: float) -> str:
    """Return one memory whole."""
    lines = [
        f"{style.bold(one_line(reply['name']))}  {_traits(reply)}",
        style.dim(
            f"{one_line(reply['scope'])} · version {reply['version']} of {reply['versions']}"
            f" · {one_line(reply['author'])} · {_ago(reply['updated_at'], now_s)}"
        ),
        one_line(reply["description"]),
    ]
    if reply.get("body"):
        lines += ["", visible(reply["body"]).rstrip("\n")]
    links = [_link(link, "→") for link in reply.get("links", ())]
    links += [_link(link, "←") for link in reply.get("links_in", ())]
    return "\n".join([*lines, *(["", *links] if links else [])])


def matches(reply: Reply, style: Style, now_s: float, *, explain: bool) -> str:
    """Return what recall found, best first."""
    blocks = [
        _match(at, match, style, now_s, explain=explain)
        for at, match in enumerate(reply["matches"], start=1)
    ]
    return "\n\n".join(blocks)


def table(rows: Sequence[Reply], style: Style, now_s: float, width: int) -> str:
    """Return memories in one line each, under a line for each scope; `*` marks a pinned one."""
    if not rows:
        return ""
    names = max(len(one_line(row["name"])) for row in rows)
    column = min(names, _NAME_COLUMN)
    lines: list[str] = []
    shown_scope = ""
    for row in rows:
        scope = one_line(row["scope"])
        if scope != shown_scope:
            lines += ["", style.dim(scope)] if lines else [style.dim(scope)]
            shown_scope = scope
        name = pad(one_line(row["name"]), column)
        mark = "*" if row.get("pinned") else " "
        rest = f"{pad(one_line(row['type']), 9)}  {age(row['updated_at'], now_s):>4}"
        room = max(width - len(name) - len(rest) - 6, _LEAST)
        lines.append(
            f"{mark} {style.bold(name)}  {style.dim(rest)}  {clip(row['description'], room)}"
        )
    return "\n".join(lines)


def history(reply: Reply, style: Style, now_s: float, *, diff: bool) -> str:
    """Return every version of a memory, oldest first, with what changed if `diff`."""
    lines = [f"{style.bold(one_line(reply['name']))}  {style.dim(one_line(reply['scope']))}"]
    for version in reply["versions"]:
        changed = f": {', '.join(version['changed'])}" if version.get("changed") else ""
        lines.append(
            f"{pad('v' + str(version['version']), 4)} {age(version['created_at'], now_s):>4}"
            f"  {pad(one_line(version['author']), 20)}  {one_line(version['action'])}{changed}"
        )
        if diff:
            lines += _diff(version, style)
        if version.get("deleted_at"):
            lines.append(
                f"     {age(version['deleted_at'], now_s):>4}"
                f"  {pad(one_line(version.get('deleted_by') or '?'), 20)}  forgotten"
            )
    lines += [
        f"{pad('', 4)} {age(change['at'], now_s):>4}  {pad(one_line(change['author']), 20)}"
        f"  {one_line(change['done'])} {one_line(change['type'])} {one_line(change['name'])}"
        f" in {one_line(change['scope'])}"
        for change in reply.get("links", ())
    ]
    return "\n".join(lines)


def linked(reply: Reply, style: Style) -> str:
    """Return what a link or unlink did, and the links there are now."""
    edge = (
        f"{style.bold(one_line(reply['name']))} in {one_line(reply['scope'])}"
        f" {one_line(reply['type'])} {style.bold(one_line(reply['to_name']))}"
        f" in {one_line(reply['to_scope'])}"
    )
    did = {"already-linked": "already linked", "not-linked": "not linked"}
    lines = [f"{did.get(reply['action'], one_line(reply['action']))}: {edge}"]
    return "\n".join([*lines, *(_link(link, "→") for link in reply["links"])])


def scopes(reply: Reply, style: Style, now_s: float, here: Sequence[str]) -> str:
    """Return every scope and what it holds; `>` marks this session's."""
    rows = reply["scopes"]
    if not rows:
        return "no scope holds anything yet"
    lines = [style.dim("  memories  forgotten  written  scope")]
    for row in rows:
        alias = f" → {one_line(row['alias_of'])}" if row.get("alias_of") else ""
        written_at = age(row.get("last_written_at"), now_s)
        lines.append(
            f"{'>' if row['scope'] in here else ' '} {row['memories']:>8}  {row['forgotten']:>9}"
            f"  {written_at:>7}  {one_line(row['scope'])}{alias}"
        )
    return "\n".join(lines)


def alias(reply: Reply) -> str:
    """Return what joining two scopes moves, or moved."""
    old, new = one_line(reply["old"]), one_line(reply["new"])
    done = reply["applied"]
    lines = [f"{'joined' if done else 'would join'} {old} into {new}"]
    lines += [f"  {one_line(item['name'])}" for item in reply["moved"]]
    lines += [
        f"  {one_line(item['name'])} as {one_line(item['to_name'])} (its name is taken there)"
        for item in reply["renamed"]
    ]
    if not reply["moved"] and not reply["renamed"]:
        lines.append("  nothing is stored there; later writes go to the new name")
    return "\n".join(lines)


def reindex(reply: Reply) -> str:
    """Return how far making words and vectors again has come."""
    verb = "so far" if reply["running"] else "done"
    return (
        f"{verb}: words of {reply['words']} and vectors of {reply['vectors']} memories,"
        f" of {reply['memories']}; meaning: {one_line(reply['meaning'])}"
    )


def stats(reply: Reply, style: Style, now_s: float, width: int) -> str:
    """Return totals, by kind and by scope, and what nobody read if that was asked."""
    totals = ("memories", "versions", "forgotten", "superseded", "expired", "links")
    lines = [f"{reply[name]:>8}  {name}" for name in totals]
    lines += [f"{_size(reply['size_bytes']):>8}  on disk", "", style.dim("by type")]
    lines += [f"{count:>8}  {one_line(name)}" for name, count in reply["by_type"].items()]
    lines += ["", style.dim("by scope")]
    lines += [f"{count:>8}  {one_line(name)}" for name, count in reply["by_scope"].items()]
    lines += [
        "",
        f"server {one_line(reply['server_version'])}; meaning: {one_line(reply['meaning'])}",
    ]
    if reply.get("vectors_waiting"):
        lines.append(f"{reply['vectors_waiting']} memories wait for their vectors")
    if reply.get("never_read") is not None:
        unread = table(reply["never_read"], style, now_s, width)
        lines += ["", style.dim("never read"), unread or "none: every memory has been read"]
    return "\n".join(lines)


def _traits(reply: Reply) -> str:
    traits = [one_line(reply["type"])]
    traits += [word for word in ("pinned", "expired") if reply.get(word)]
    if reply.get("deleted_at"):
        traits.append("forgotten")
    if reply.get("expires_at") and not reply.get("expired"):
        traits.append(f"expires {one_line(reply['expires_at'])[:10]}")
    over = [f"{one_line(ref['name'])} in {one_line(ref['scope'])}" for ref in _over(reply)]
    if over:
        traits.append(f"superseded by {', '.join(over)}")
    return ", ".join(traits)


def _over(reply: Reply) -> Sequence[Reply]:
    return reply.get("superseded_by") or ()


def _link(link: Reply, arrow: str) -> str:
    missing = "" if link.get("resolved") else "  (not there yet)"
    about = f": {one_line(link['description'])}" if link.get("description") else ""
    where = f"{one_line(link['name'])} in {one_line(link['scope'])}"
    return f"{arrow} {one_line(link['type'])} {where}{about}{missing}"


def _match(at: int, match: Reply, style: Style, now_s: float, *, explain: bool) -> str:
    lines = [
        f"{at}. {style.bold(one_line(match['name']))}  {_traits(match)}"
        f"  {age(match['updated_at'], now_s)}  {match['score']['total']:.2f}",
        f"   {style.dim(one_line(match['scope']))}",
        f"   {one_line(match['description'])}",
    ]
    snippet = one_line(match.get("snippet") or "")
    if snippet:
        lines.append(f"   {style.dim(snippet)}")
    if explain:
        lines.append(f"   {_score(match)}")
    return "\n".join(lines)


def _score(match: Reply) -> str:
    score = match["score"]
    parts = [
        f"{part} {score[part]:.3f}" for part in ("words", "cosine") if score.get(part) is not None
    ]
    fused = score.get("fused")
    text = f"score {score['total']:.3f}"
    if fused is not None:
        text += f" = fused {fused:.3f} + boost {score.get('boost', 0.0):.3f}"
    if parts:
        text += f"; from {', '.join(parts)}"
    if match.get("via"):
        text += f"; found via {one_line(match['via'])}"
    return text


def _diff(version: Reply, style: Style) -> list[str]:
    lines: list[str] = []
    for line in visible(version.get("diff") or "").splitlines():
        if line.startswith(("---", "+++")):
            continue
        paint = {"+": style.green, "-": style.red, "@": style.dim}.get(line[:1])
        lines.append("     " + (paint(line) if paint else line))
    return lines


def _ago(stamp: str, now_s: float) -> str:
    text = age(stamp, now_s)
    return "just now" if text == "now" else f"{text} ago"


def _size(size: int) -> str:
    amount = float(size)
    for unit in ("B", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"
