"""Editing in the person's own editor: what changed is saved, what could not be saved is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.cli import Cli

from commonplace.clients.cli.document import Document, Link, compose, parse
from commonplace.errors import Invalid


def editor(folder: Path, code: str) -> str:
    """Return the command of an editor that runs this code over the file's text `t`."""
    script = folder / "editor.py"
    script.write_text(
        "import sys, pathlib\np = pathlib.Path(sys.argv[-1])\nt = p.read_bytes().decode()\n"
        f"{code}\np.write_bytes(t.encode())\n",
        encoding="utf-8",
    )
    return f"'{sys.executable}' '{script}'"


def kept(cli: Cli) -> list[Path]:
    return list(Path(cli.env["XDG_STATE_HOME"]).glob("commonplace/edits/*"))


def test_what_was_edited_is_saved_with_only_what_changed(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli.remember("a", "One", "Line\n", "--pin", "--link", "builds-on:b", "-t", "user")
    monkeypatch.setenv("EDITOR", editor(cli.folder, "t = t.replace('Line', 'Better')"))
    assert cli("edit", "a").out == f"updated a in {cli.scope}, version 2\n"
    now = cli("get", "a", "--json").json
    assert (now["body"], now["description"], now["pinned"]) == ("Better\n", "One", True)
    assert cli("history", "a", "--json").json["versions"][1]["changed"] == ["body"]
    assert kept(cli) == []


def test_the_header_is_saved_too(cli: Cli) -> None:
    cli.remember("a", "One", "Body", "--pin")
    code = (
        "t = t.replace('description: One', 'description: Two: with a colon')"
        ".replace('pinned: true', 'pinned: no').replace('type: reference', 'type: feedback')"
        ".replace('links:', 'links: child-of:b, related-to:c@global')"
        ".replace('expires:', 'expires: 2999-01-31')"
    )
    cli("edit", "a", "--editor", editor(cli.folder, code))
    now = cli("get", "a", "--json").json
    assert (now["description"], now["pinned"], now["type"]) == (
        "Two: with a colon",
        False,
        "feedback",
    )
    assert [(link["type"], link["name"]) for link in now["links"]] == [
        ("child-of", "b"),
        ("related-to", "c"),
    ]
    assert now["expires_at"].startswith("2999-01-31")
    assert now["body"] == "Body"


def test_an_unchanged_text_saves_nothing(cli: Cli) -> None:
    cli.remember("a", " One ", "Body without a last line break")
    done = cli("edit", "a", "--editor", "true")
    assert (done.out, done.err.splitlines()[-1]) == ("", "nothing changed, nothing saved")
    assert cli("edit", "a", "--editor", "true", "--json").json == {
        "action": "unchanged",
        "name": "a",
    }
    assert cli("get", "a", "--json").json["versions"] == 1
    assert kept(cli) == []


def test_a_conflict_keeps_the_text_and_says_where_and_how_to_go_on(cli: Cli) -> None:
    cli.remember("a", "One", "Body")
    code = (
        "import subprocess, json, urllib.request, os\n"
        "request = urllib.request.Request(os.environ['COMMONPLACE_URL'] + '/api/v1/update',"
        f" json.dumps(dict(name='a', scope='{cli.scope}', body='Theirs')).encode(),"
        " {'Content-Type': 'application/json'})\n"
        "urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).read()\n"
        "t = t.replace('Body', 'Mine')"
    )
    done = cli("edit", "a", "--editor", editor(cli.folder, code), code=1)
    assert "error VERSION_CONFLICT" in done.err
    (path,) = kept(cli)
    assert f"your text is kept in {path}" in done.err
    assert "Mine" in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o777 == 0o600
    assert cli("get", "a", "--json").json["body"] == "Theirs"
    cli("edit", "a", "--from", str(path), "--editor", editor(cli.folder, "t = t + '\\nboth'"))
    assert cli("get", "a", "--json").json["body"] == "Mine\n\nboth"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("t = 'nothing of the header'", "header was lost"),
        ("t = t.replace('pinned: false', 'pinned: perhaps')", "pinned must be true or false"),
        ("t = t.replace('type: reference', 'colour: red')", "header line 'colour: red'"),
        ("t = t.replace('type: reference', 'type: poem')", "no such type: 'poem'"),
        ("t = t.replace('links:', 'links: nonsense')", "no such link form"),
        ("t = t + chr(0)", "NUL"),
        ("t += 'x'; p.write_text(t); sys.exit(3)", "ended with code 3"),
        ("p.write_bytes(b'\\xff\\xfe'); sys.exit(0)", "not UTF-8"),
    ],
)
def test_a_text_that_cannot_be_saved_is_kept(cli: Cli, code: str, says: str) -> None:
    cli.remember("a", "One", "Body")
    done = cli("edit", "a", "--editor", editor(cli.folder, code), code=1)
    assert says in done.err
    assert len(kept(cli)) == 1
    assert cli("get", "a", "--json").json["versions"] == 1


def test_an_editor_that_is_not_there_is_named(cli: Cli) -> None:
    cli.remember("a")
    done = cli("edit", "a", "--editor", "no-such-editor-here", code=1)
    assert "cannot run the editor 'no-such-editor-here'" in done.err
    assert "$EDITOR" in done.err
    assert kept(cli) == []
    assert "correct $VISUAL" in cli("edit", "a", "--editor", "'unclosed", code=1).err


def test_visual_goes_before_editor(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli.remember("a", "One", "Body")
    monkeypatch.setenv("EDITOR", "false")
    monkeypatch.setenv("VISUAL", editor(cli.folder, "t = t.replace('Body', 'Seen')"))
    cli("edit", "a")
    assert cli("get", "a", "--body").out == "Seen"


def test_remember_can_be_written_in_an_editor(cli: Cli) -> None:
    code = "t = t.replace('description:', 'description: From the editor') + 'Text\\n'"
    cli("remember", "a", "--edit", "--editor", editor(cli.folder, code))
    now = cli("get", "a", "--json").json
    assert (now["description"], now["body"]) == ("From the editor", "\nText")
    done = cli("remember", "not a slug", "--edit", "--editor", "false", code=1)
    assert "error INVALID" in done.err


@pytest.mark.parametrize(
    "body", ["", "\n", "a", "a\n", "a\n\n", "---\nx: y\n---\n", "a\r\nb", "\ta"]
)
def test_a_document_gives_back_its_body_byte_for_byte(body: str) -> None:
    before = Document(
        description="One", body=body, type="user", pinned=True, expires="2999-01-01",
        links=(Link("builds-on", "b"), Link("related-to", "c", "project:example.org/x/y")),
    )  # fmt: skip
    assert parse(compose(before), before) == before


def test_a_document_without_its_closing_line_is_refused() -> None:
    with pytest.raises(Invalid, match="no closing ---"):
        parse("---\ndescription: x\n", Document(description="", body=""))
