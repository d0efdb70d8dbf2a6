"""Joining one scope into another: memories move as new versions, the old name stays an alias."""

# ruff: noqa: S608 - statements are put together from constants only; every value is bound

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace

from commonplace.domain.ids import uuid7
from commonplace.domain.memory import Version
from commonplace.domain.scope import GLOBAL
from commonplace.domain.text import NAME_MAX
from commonplace.errors import Cycle, Invalid
from commonplace.store import links, mentions, names, write
from commonplace.store.base import AliasPlan
from commonplace.store.clock import unix_ms
from commonplace.store.connection import Database
from commonplace.store.rows import COLUMNS, version_of

# Living memories come first: they keep their names where a forgotten one bears the same.
_HELD = (
    f"SELECT {COLUMNS} FROM memory_versions AS v WHERE v.scope = ? AND v.superseded_by IS NULL"
    " ORDER BY v.deleted_at IS NOT NULL, v.created_at"
)
_TAKEN = "SELECT name FROM memory_versions WHERE scope = ? AND superseded_by IS NULL"
_SCOPE = "INSERT INTO scopes (scope, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING"
_ALIAS = "UPDATE scopes SET alias_of = :new WHERE scope = :old OR alias_of = :old"
_HEADS_MOVE = (
    "INSERT INTO heads (scope, name, memory_id, id, prev, version)"
    " SELECT ?, name, memory_id, id, prev, version FROM heads WHERE scope = ?"
    " ON CONFLICT DO NOTHING"
)
_HEADS_LEAVE = "DELETE FROM heads WHERE scope = ?"

Stamp = Callable[[], str]
_Move = tuple[Version, str]


def plan(db: Database, old: str, new: str) -> AliasPlan:
    """Say what joining would move.

    Raises: Cycle, Invalid.
    """
    target = _target(db, old, new)
    return _plan(old, target, _moves(db, old, target), applied=False)


def join(desk: write.Desk, old: str, new: str, author: str, stamp: Stamp) -> AliasPlan:
    """Move every memory, forgotten ones too, and make `old` an alias.

    Raises: Cycle, Invalid.
    """
    db = desk.db
    target = _target(db, old, new)
    moves = _moves(db, old, target)
    for scope in (target, old):
        db.execute(_SCOPE, (scope, desk.now))
    moved = [_move(replace(desk, now=stamp()), held, (target, to), author) for held, to in moves]
    db.execute(_ALIAS, {"old": old, "new": target})
    db.execute(_HEADS_MOVE, (target, old))
    db.execute(_HEADS_LEAVE, (old,))
    links.follow_scope(db, old, target)
    for version in moved:  # their own scope is another now
        mentions.replace(db, version)
        mentions.bind(db, version)
    links.refuse_any_cycle(db, old, target)
    return _plan(old, target, moves, applied=True)


def _target(db: Database, old: str, new: str) -> str:
    if old == GLOBAL:
        raise Invalid("global cannot become an alias; name a host or project scope", field="old")
    if old == new:
        raise Invalid(f"{old} is the same scope; name the one it is now", field="new")
    target = names.resolve(db, new)
    if target == old:
        raise Cycle(f"{new} is an alias of {old} already; it cannot be one the other way round too")
    held = names.resolve(db, old)
    if held not in {old, target}:
        raise Invalid(f"{old} is an alias of {held} already; alias {held} instead", field="old")
    return target


def _moves(db: Database, old: str, new: str) -> list[_Move]:
    taken = {row[0] for row in db.execute(_TAKEN, (new,))}
    moves: list[_Move] = []
    for row in db.execute(_HELD, (old,)).fetchall():
        version = version_of(row)
        name = _free(version.name, taken)
        taken.add(name)
        moves.append((version, name))
    return moves


def _free(name: str, taken: set[str]) -> str:
    number = 1
    free = name
    while free in taken:
        number += 1
        tail = f"-{number}"
        free = name[: NAME_MAX - len(tail)] + tail
    return free


def _move(desk: write.Desk, current: Version, place: tuple[str, str], author: str) -> Version:
    version = replace(
        current,
        id=uuid7(unix_ms(desk.now), os.urandom(10)),
        version=current.version + 1,
        scope=place[0],
        name=place[1],
        author=author,
        created_at=desk.now,
        superseded_by=None,
    )
    write.append(desk, version, current)
    if version.deleted_at is None:
        links.follow(desk.db, version)
        links.bind(desk.db, version)
    else:
        links.follow_deferred(desk.db, current, version)
    return version


def _plan(old: str, new: str, moves: list[_Move], *, applied: bool) -> AliasPlan:
    moved = tuple((version.name, name) for version, name in moves)
    renamed = tuple(pair for pair in moved if pair[0] != pair[1])
    return AliasPlan(old=old, new=new, moved=moved, renamed=renamed, applied=applied)
