"""Every form of a remote URL gives one key, and what cannot be read for certain gives none (T1)."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.clients.scope_remote import canonical
from commonplace.domain import scope as scopes

TABLE = Path(__file__).with_name("git_remotes.tsv")
ALIASES = {
    "github-work": "github.com",
    "gh443": "ssh.github.com",
    "github.com-work": "github.com",
    "git.corp.example": "10.0.0.5",
    "git.corp.example-two": "git.corp.example",
    "box": "box.tailnet.example",
    "six": "2001:DB8::2",
}
W = "github.com/acme/widget"


def rows() -> list[tuple[str, str, str | None]]:
    lines = TABLE.read_text(encoding="utf-8").splitlines()[1:]
    cells = [[*line.split("\t"), "", ""] for line in lines]
    return [(cell[0], cell[1], cell[2] or None) for cell in cells]


@pytest.mark.parametrize(("form", "url", "key"), rows())
def test_the_table_of_remotes_holds(form: str, url: str, key: str | None) -> None:
    assert canonical(url, ALIASES.get) == key, form


@pytest.mark.parametrize(
    ("url", "key"),
    [
        # ssh through port 443, and ports
        ("ssh://git@ssh.github.com:443/acme/widget.git", W),
        ("git@ssh.github.com:acme/widget.git", W),
        ("ssh://git@altssh.gitlab.com:443/Acme/Widget.git", "gitlab.com/acme/widget"),
        ("ssh://git@altssh.bitbucket.org:443/acme/widget.git", "bitbucket.org/acme/widget"),
        ("[git@ssh.github.com:443]:acme/widget.git", W),
        ("https://github.com:443/acme/widget", W),
        ("https://github.com:/acme/widget", W),
        ("ssh://git@git.corp.example:02222/team/app", "git.corp.example/team/app"),
        ("https://github.com:99999/acme/widget", None),
        ("https://github.com:0/acme/widget", None),
        ("https://github.com:\uff14\uff14\uff13/acme/widget", None),
        # other forges and their ways
        ("git@gitlab.com:Acme/Widget", "gitlab.com/acme/widget"),
        ("https://oauth2:glpat-abc@gitlab.com/a/b/c/d.git", "gitlab.com/a/b/c/d"),
        ("https://acme@bitbucket.org/Acme/Widget.git", "bitbucket.org/acme/widget"),
        ("git@codeberg.org:Acme/Widget.git", "codeberg.org/acme/widget"),
        ("ssh://git@codeberg.org/acme/widget", "codeberg.org/acme/widget"),
        ("git@gitea.com:Acme/Widget.git", "gitea.com/acme/widget"),
        ("https://git.sr.ht/~user/repo", "git.sr.ht/~user/repo"),
        ("git@git.sr.ht:~user/repo", "git.sr.ht/~user/repo"),
        ("https://git.sr.ht/%7Euser/repo", "git.sr.ht/~user/repo"),
        ("https://gist.github.com/acme/0123abcd.git", "gist.github.com/0123abcd"),
        ("git@gist.github.com:0123ABCD.git", "gist.github.com/0123abcd"),
        ("https://www.gitlab.com/acme/widget", "gitlab.com/acme/widget"),
        ("https://www.corp.example/acme/widget", "www.corp.example/acme/widget"),
        # all that Azure has had
        ("https://dev.azure.com/Org/Proj/_git/Repo", "dev.azure.com/org/proj/repo"),
        ("https://dev.azure.com/org/_git/repo", "dev.azure.com/org/repo/repo"),
        ("https://dev.azure.com/org/proj/_git/_full/repo", "dev.azure.com/org/proj/repo"),
        ("https://org.visualstudio.com/My%20Proj/_git/repo", "dev.azure.com/org/my proj/repo"),
        (
            "https://Org.VisualStudio.com/DefaultCollection/Proj/_git/Repo",
            "dev.azure.com/org/proj/repo",
        ),
        ("https://org.visualstudio.com/_git/repo", "dev.azure.com/org/repo/repo"),
        (
            "https://org.visualstudio.com/DefaultCollection/_git/repo",
            "dev.azure.com/org/repo/repo",
        ),
        ("org@vs-ssh.visualstudio.com:v3/org/Proj/Repo", "dev.azure.com/org/proj/repo"),
        ("ssh://org@vs-ssh.visualstudio.com:22/v3/org/proj/repo", "dev.azure.com/org/proj/repo"),
        ("ssh://org@org.visualstudio.com:22/proj/_ssh/repo", "dev.azure.com/org/proj/repo"),
        ("git@ssh.dev.azure.com:v3/org/proj", None),
        ("https://dev.azure.com/org/proj", None),
        # userinfo, with whatever in it
        ("https://a:b:c@github.com/acme/widget", W),
        ("https://me@corp.example:p@ss@github.com/acme/widget", W),
        ("https://user:%2Fsecret%40@github.com/acme/widget", W),
        ("https://:secret@github.com/acme/widget", W),
        ("https://@github.com/acme/widget", W),
        ("me@corp.example@github.com:acme/widget", W),
        ("https://user:pa#ss@github.com/acme/widget", None),
        ("https://user:pa?ss@github.com/acme/widget", None),
        ("https://tok/en@github.com/acme/widget", None),
        ("https://a.b/c@github.com/acme/widget", None),
        ("https://user:1/w@github.com/acme/widget", None),
        ("user:secret@github.com:acme/widget", None),
        ("me@corp.example:secret@github.com:acme/widget", None),
        ("ssh://git@github.com:acme/widget.git", None),
        # suffixes and slashes
        ("https://github.com/acme/widget.git.git", "github.com/acme/widget.git"),
        ("https://github.com/acme/widget.GIT", W),
        ("https://corp.example/acme/widget.GIT", "corp.example/acme/widget.GIT"),
        ("https://github.com/acme/widget//", W),
        ("https://github.com//acme///widget.git", W),
        ("host.example:/srv/repo/.git", "host.example/srv/repo"),
        ("https://github.com/acme/.git", None),
        ("https://github.com/acme", None),
        ("https://github.com/", None),
        ("https://github.com", None),
        ("git@github.com:", None),
        ("https://github.com/acme/widget/tree/main", None),
        ("https://corp.example/.git", None),
        ("https://corp.example/widget", "corp.example/widget"),
        # hosts
        ("https://GitHub.COM./Acme/Widget", W),
        ("git@GITHUB.com.:acme/widget", W),
        ("https://github.com../acme/widget", None),
        ("https://.github.com/acme/widget", None),
        ("https://git%68ub.com/acme/widget", W),
        ("https://bücher.example/a/b", "xn--bcher-kva.example/a/b"),
        ("https://xn--bcher-kva.example/a/b", "xn--bcher-kva.example/a/b"),
        ("ssh://-oProxyCommand=x/acme/widget", None),
        ("-oProxyCommand=x:acme/widget", None),
        ("https://ho st.example/a/b", None),
        ("https:///acme/widget", None),
        ("https://192.0.2.7:8443/a/b", "192.0.2.7/a/b"),
        # IPv6
        ("https://[2001:db8:0:0::1]/o/r", "[2001:db8::1]/o/r"),
        ("git@[2001:DB8::1]:o/r.git", "[2001:db8::1]/o/r"),
        ("[2001:db8::1]:o/r.git", "[2001:db8::1]/o/r"),
        ("[git@host.example:2222]:team/app.git", "host.example/team/app"),
        ("ssh://[2001:db8::1/o/r", None),
        ("ssh://[fe80::1%25eth0]/o/r", None),
        ("ssh://[not-an-address]/o/r", None),
        ("ssh://[2001:db8::1]x/o/r", None),
        # schemes
        ("HTTPS://github.com/acme/widget", W),
        ("ssh+git://git@github.com/acme/widget", W),
        ("git+https://github.com/acme/widget.git", W),
        ("ftp://host.example/a/b.git", "host.example/a/b"),
        ("s3://bucket/a/b", None),
        ("javascript://github.com/acme/widget", None),
        ("://github.com/acme/widget", None),
        # this machine only
        ("C:/repos/widget.git", None),
        ("c:widget.git", None),
        ("\\\\server\\share\\r.git", None),
        ("//server/share/r.git", None),
        ("https://github.com\\acme\\widget", None),
        ("file://server/share/r.git", None),
        ("FILE:///srv/r.git", None),
        ("./r.git", None),
        ("r.bundle", None),
        ("/srv/git/r.bundle", None),
        ("file:///srv/git/r.bundle", None),
        ("~/r.git", None),
        ("dir/with:colon", None),
        ("http://localhost:3000/acme/widget", None),
        ("http://127.0.0.1:3000/acme/widget", None),
        ("http://[::1]:3000/acme/widget", None),
        ("git@localhost:acme/widget", None),
        # helpers, never run
        ("foo::https://github.com/acme/widget", None),
        ("gcrypt::git@github.com:acme/widget.git", None),
        ("persistent-https::github.com/acme/widget", None),
        ("fd::17/acme/widget", None),
        ("::github.com/acme/widget", None),
        # paths that are not plain
        ("https://github.com/acme/./widget", None),
        ("https://github.com/acme/%2e%2e/widget", None),
        ("https://github.com/acme%2Fwidget", W),
        ("git@host.example:../r.git", None),
        ("https://github.com/acme/wid\tget", None),
        ("https://github.com/acme/wid\nget", None),
        ("https://github.com/acme/wid%0Aget", None),
        ("https://github.com/acme/wid%00get", None),
        ("https://github.com/acme/wid\u202eget", None),
        ("https://github.com/acme/%ff", None),
        ("https://corp.example/a/100%", "corp.example/a/100%"),
        ("https://corp.example/a/%2520", "corp.example/a/%20"),
        ("https://corp.example/a/b%3Fc", None),
        ("https://corp.example/a/b?c=%2F..", "corp.example/a/b"),
        ("git@github.com:acme/widget.git#main", W),
        ("git@host.example:c#/r", "host.example/c#/r"),
        ("https://corp.example/Cafe\u0301/r", "corp.example/Café/r"),
        ("https://corp.example/Cafe%CC%81/r", "corp.example/Café/r"),
        ("https://corp.example/" + "a" * 300, None),
        # ssh aliases
        ("git@gh443:acme/widget.git", W),
        ("ssh://git@github-work/acme/widget.git", W),
        ("git@github.com-work:acme/widget.git", W),
        ("git@git.corp.example-two:a/b", "git.corp.example/a/b"),
        ("git@git.corp.example:a/b", "git.corp.example/a/b"),
        ("git@box:a/b", "box.tailnet.example/a/b"),
        ("git@six:a/b", "[2001:db8::2]/a/b"),
        ("git@nobody:a/b", "nobody/a/b"),
        ("https://github-work/acme/widget", "github-work/acme/widget"),
        ("   ", None),
    ],
)
def test_kinds_of_remotes_give_their_key_or_none(url: str, key: str | None) -> None:
    assert canonical(url, ALIASES.get) == key


def test_without_anyone_to_ask_an_alias_stays_as_it_is() -> None:
    assert canonical("git@github-work:acme/widget.git") == "github-work/acme/widget"


@given(st.text(max_size=60))
@example("git@[::1")
@example("[a]:b")
@example("https://[")
@example("%:%")
def test_any_text_gives_a_valid_scope_or_none(url: str) -> None:
    key = canonical(url)
    assert key is None or scopes.project(key) == f"project:{key}"


SECRET = "s3cr3t-t0k3n"


@given(
    st.lists(st.sampled_from([SECRET, "@", ":", "/", "%2F", "#", "?", "u", "\\", " "]), max_size=8),
    st.sampled_from(["https://{}@github.com/acme/widget", "ssh://{}@host.example/a/b.git",
                     "{}@github.com:acme/widget.git", "http://u:{}@host.example:80/a/b"]),
)  # fmt: skip
def test_no_part_of_the_userinfo_reaches_a_key(parts: list[str], form: str) -> None:
    key = canonical(form.format("".join(parts)))
    assert key is None or SECRET not in key
