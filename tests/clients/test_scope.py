"""A folder's project, found in real repositories of every layout (T2, T3)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.repos import git, repository

from commonplace.clients import config
from commonplace.clients.scope import Resolution, project_key, resolve
from commonplace.domain import scope as scopes
from commonplace.errors import Invalid, UnknownScopeForm

WIDGET = "https://github.com/Acme/Widget.git"
KEY = "github.com/acme/widget"
SECRET = "ghp_s3cr3t"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("COMMONPLACE_HOST", "here")
    return folder


def global_git(*words: str) -> None:
    git(Path("/"), "config", "--global", *words)


@pytest.fixture
def own_gitconfig(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `git config --global` of this test write where only this test reads."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    global_git("user.name", "A Tester")
    global_git("user.email", "tester@example.invalid")


def program(folder: Path, name: str, script: str) -> Path:
    """Put a program before the real one of that name."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return folder


def found(folder: Path) -> Resolution:
    answer = resolve(str(folder))
    assert SECRET not in "".join([str(answer.project), answer.detail, *answer.warnings])
    if answer.project is not None:
        assert scopes.project(answer.project) == f"project:{answer.project}"
    return answer


def local_key(folder: Path) -> str:
    digest = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:6]
    return f"local/here/{folder.name}-{digest}"


# Which URL is read


def test_origin_names_the_project(tmp_path: Path) -> None:
    answer = found(repository(tmp_path / "r", origin=WIDGET))
    assert (answer.project, answer.host, answer.rule) == (KEY, "here", "origin")
    assert answer.scopes() == (f"project:{KEY}", "host:here", "global")
    assert answer.warnings == ()


def test_origin_goes_before_upstream(tmp_path: Path) -> None:
    fork = repository(tmp_path / "r", upstream=WIDGET, origin="git@github.com:me/widget.git")
    assert found(fork).project == "github.com/me/widget"


def test_upstream_alone_names_the_project(tmp_path: Path) -> None:
    answer = found(repository(tmp_path / "r", upstream=WIDGET))
    assert (answer.project, answer.rule) == (KEY, "upstream")


def test_upstream_stands_in_for_an_origin_nobody_shares(tmp_path: Path) -> None:
    answer = found(repository(tmp_path / "r", origin="/srv/mirror.git", upstream=WIDGET))
    assert (answer.project, answer.rule) == (KEY, "upstream")
    assert "remote origin" in answer.warnings[0]


def test_the_only_remote_names_the_project(tmp_path: Path) -> None:
    answer = found(repository(tmp_path / "r", acme=WIDGET))
    assert (answer.project, answer.rule) == (KEY, "only-remote")


def test_several_unnamed_remotes_are_not_guessed_from(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", a=WIDGET, b="https://github.com/b/b")
    answer = found(repo)
    assert answer.project == local_key(repo)
    assert ".commonplace.toml" in answer.warnings[0]


def test_the_first_of_two_urls_is_read(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", origin=WIDGET)
    git(repo, "remote", "set-url", "--add", "origin", "https://gitlab.com/mirror/widget")
    assert found(repo).project == KEY


@pytest.mark.usefixtures("own_gitconfig")
def test_a_shorthand_is_expanded_as_git_does(tmp_path: Path) -> None:
    global_git("url.https://github.com/.insteadOf", "gh:")
    repo = repository(tmp_path / "r", origin="gh:acme/widget")
    assert found(repo).project == KEY


@pytest.mark.usefixtures("own_gitconfig")
def test_one_hosts_mirror_does_not_change_the_key(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", origin=WIDGET)
    before = found(repo).project
    global_git("url.https://mirror.corp.example/gh/.insteadOf", "https://github.com/")
    assert found(repo).project == before == KEY


@pytest.mark.usefixtures("own_gitconfig")
def test_a_shorthand_in_the_repositorys_own_config_is_expanded(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", origin="work:widget")
    git(repo, "config", "url.git@github.com:acme/.insteadOf", "work:")
    assert found(repo).project == KEY


def test_git_variables_of_an_outer_hook_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outer = repository(tmp_path / "outer", origin="gh:outer/outer")
    repo = repository(tmp_path / "r", origin="gh:acme/widget")
    git(repo, "config", "url.https://github.com/.insteadOf", "gh:")
    for name, value in {
        "GIT_DIR": str(outer / ".git"),
        "GIT_WORK_TREE": str(outer),
        "GIT_COMMON_DIR": str(outer / ".git"),
        "GIT_INDEX_FILE": str(outer / ".git/index"),
        "GIT_CONFIG_PARAMETERS": "'remote.origin.url=https://github.com/evil/evil'",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "remote.origin.url",
        "GIT_CONFIG_VALUE_0": "https://github.com/evil/evil",
    }.items():
        monkeypatch.setenv(name, value)
    assert found(repo).project == KEY


def test_remotes_of_an_included_file_are_read(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    (tmp_path / "more").write_text(f'[remote "origin"]\n url = {WIDGET}\n', encoding="utf-8")
    git(repo, "config", "include.path", str(tmp_path / "more"))
    assert found(repo).project == KEY


def test_a_conditional_include_is_gits_to_judge(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    (tmp_path / "more").write_text(f'[remote "origin"]\n url = {WIDGET}\n', encoding="utf-8")
    git(repo, "config", f"includeIf.gitdir:{tmp_path}/elsewhere/.path", str(tmp_path / "more"))
    assert found(repo).project == local_key(repo)
    git(repo, "config", f"includeIf.gitdir:{repo}/.path", str(tmp_path / "more"))
    assert found(repo).project == KEY


def test_an_include_after_the_remote_costs_no_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repository(tmp_path / "r", origin=WIDGET)
    git(repo, "config", "include.path", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert found(repo).project == KEY


@pytest.mark.parametrize("script", ["sleep 30", "sleep 30 & wait", "exit 1", None])
def test_a_git_that_hangs_or_is_missing_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None
) -> None:
    plain = repository(tmp_path / "plain", origin=WIDGET)
    needy = repository(tmp_path / "needy", origin="gh:acme/widget")
    monkeypatch.setattr("commonplace.clients.scope.ASK_BUDGET_S", 0.1)
    programs = tmp_path / "bin"
    programs.mkdir()
    if script:
        program(programs, "git", f"PATH=/usr/bin:/bin; {script}")
    monkeypatch.setenv("PATH", str(programs))
    assert found(plain).project == KEY
    answer = found(needy)
    assert (answer.project, answer.rule) == (None, "none")
    assert "git is needed" in answer.warnings[0]


def test_another_owner_does_not_matter(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a file away")
    repo = repository(tmp_path / "r", origin=WIDGET)
    needy = repository(tmp_path / "needy", origin="gh:acme/widget")
    git(needy, "config", "url.https://github.com/.insteadOf", "gh:")
    for path in [repo, *repo.rglob("*"), needy, *needy.rglob("*")]:
        os.chown(path, 12345, 12345)
    assert found(repo).project == KEY
    assert found(needy).project == KEY


def test_a_config_that_cannot_be_read_gives_no_project_and_says_so(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r", origin=WIDGET)
    (repo / ".git/config").write_text('[remote "origin\n', encoding="utf-8")
    answer = found(repo)
    assert answer.project is None
    assert "damaged at line 1" in answer.warnings[0]


def test_secrets_in_a_url_are_nowhere(tmp_path: Path) -> None:
    for at, url in enumerate(
        [
            f"https://{SECRET}@github.com/acme/widget",
            f"https://u:{SECRET}@github.com/acme/widget",
            f"https://u:{SECRET}/x@github.com/acme/widget",
            f"u:{SECRET}@github.com:acme/widget",
            f"ext::sh -c {SECRET}",
        ]
    ):
        found(repository(tmp_path / f"r{at}", commit=False, origin=url))


@pytest.mark.parametrize(
    "written",
    [
        'url = "https://github.com/acme/widget"',
        'url = "https://git\\\n   hub.com/acme/widget" # mine',
        "URL=https://github.com/acme/widget ; mine",
        'url = https://"github.com"/acme/widget   ',
        "pushurl = https://gitlab.com/x/y\n\turl = https://github.com/acme/widget",
    ],
)
def test_gits_ways_of_writing_a_value_are_read(tmp_path: Path, written: str) -> None:
    repo = repository(tmp_path / "r", commit=False)
    text = written.replace("\\\n   ", "\\\n")
    (repo / ".git/config").write_text(
        f'\ufeff[core]\n\tbare\n[remote "origin"]\n\t{text}\n[branch "a]b\\"c"]\n x = 1\n',
        encoding="utf-8",
    )
    assert found(repo).project == git(repo, "config", "remote.origin.url").strip().replace(
        "https://", ""
    )


# ssh aliases


def test_an_ssh_alias_is_asked_of_ssh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    script = (
        'case "$3" in github-work|gh.com-*) echo "hostname GitHub.com";;'
        ' *) echo "hostname $3";; esac'
    )
    real = os.environ["PATH"]
    monkeypatch.setenv("PATH", f"{program(tmp_path / 'bin', 'ssh', script)}{os.pathsep}{real}")
    assert found(repository(tmp_path / "a", origin="git@github-work:acme/widget")).project == KEY
    unknown = found(repository(tmp_path / "b", origin="git@nobody:acme/widget"))
    assert unknown.project == "nobody/acme/widget"
    assert "nobody" in unknown.warnings[0]
    dotted = repository(tmp_path / "c", origin="git@gh.com-work:acme/widget")
    assert found(dotted).project == "gh.com-work/acme/widget"
    (home / ".ssh").mkdir()
    (home / ".ssh/config").write_text("Host gh.com-*\n  HostName github.com\n", encoding="utf-8")
    assert found(dotted).project == KEY


# Layouts


def test_worktrees_folders_and_links_have_the_main_checkouts_key(
    tmp_path: Path, home: Path
) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    (main / "packages/deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to(main / "packages")
    far = home / ".codex/worktrees/x1/repo"
    far.parent.mkdir(parents=True)
    git(main, "worktree", "add", "-q", str(far))
    (far / "sub").mkdir()
    for folder in (main, main / "packages/deep", tmp_path / "link", far, far / "sub"):
        assert found(folder).project == KEY, folder


def test_without_a_remote_a_worktree_has_the_main_checkouts_key(tmp_path: Path) -> None:
    main = repository(tmp_path / "main")
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    (main / "sub").mkdir()
    (tmp_path / "link").symlink_to(main)
    keys = {found(at).project for at in (main, main / "sub", tmp_path / "tree", tmp_path / "link")}
    assert keys == {local_key(main)}


def test_repositories_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    one = found(repository(tmp_path / "a/r", commit=False))
    two = found(repository(tmp_path / "b/r", commit=False))
    assert one.project != two.project
    assert one.rule == two.rule == "local"


def test_a_folder_name_no_key_can_hold_is_made_to_fit(tmp_path: Path) -> None:
    answer = found(repository(tmp_path / "my <odd>\u202e nam\u0065\u0301 "))
    assert answer.project is not None
    assert answer.project.startswith("local/here/my--odd---nam\u00e9-")


def test_a_submodule_has_its_own_key(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    main = repository(tmp_path / "main", origin=WIDGET)
    git(main, "submodule", "add", "-q", str(inner), "vendor/inner")
    git(main / "vendor/inner", "remote", "set-url", "origin", "https://github.com/acme/inner")
    assert found(main / "vendor/inner").project == "github.com/acme/inner"
    assert found(main / "vendor").project == KEY
    git(main, "commit", "-q", "-m", "vendor")
    git(main / "vendor/inner", "worktree", "add", "-q", str(tmp_path / "tree"))
    assert found(tmp_path / "tree").project == "github.com/acme/inner"
    git(main / "vendor/inner", "remote", "remove", "origin")
    assert found(tmp_path / "tree").project == local_key(main / "vendor/inner")


def test_a_bare_repository_has_its_remotes_key(tmp_path: Path) -> None:
    bare = tmp_path / "r.git"
    git(tmp_path, "init", "-q", "--bare", str(bare))
    assert found(bare).project == local_key(bare).replace("r.git-", "r-")
    git(bare, "config", "remote.origin.url", WIDGET)
    assert found(bare).project == found(bare / "refs").project == KEY


def test_a_worktree_of_a_bare_repository_has_its_remotes_key(tmp_path: Path) -> None:
    main = repository(tmp_path / "seed")
    git(tmp_path, "clone", "-q", "--bare", str(main), str(tmp_path / "r.git"))
    git(tmp_path / "r.git", "remote", "set-url", "origin", WIDGET)
    git(tmp_path / "r.git", "worktree", "add", "-q", str(tmp_path / "tree"))
    assert found(tmp_path / "tree").project == KEY


def test_a_separate_git_folder_is_followed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--separate-git-dir", str(tmp_path / "store"), str(tmp_path / "r"))
    git(tmp_path / "r", "config", "remote.origin.url", WIDGET)
    assert found(tmp_path / "r").project == KEY


def test_inside_the_git_folder_the_key_is_the_checkouts(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    assert found(main / ".git/hooks").project == KEY


def test_an_empty_git_folder_is_no_repository(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    (main / "sub/.git").mkdir(parents=True)
    (main / "file/.x").mkdir(parents=True)
    (main / "file/.git").write_text("gitdir: /nowhere\n", encoding="utf-8")
    assert found(main / "sub").project == KEY
    assert found(main / "file").project == KEY


def test_home_root_and_a_gone_folder_have_no_project(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(home, "init", "-q")
    git(home, "config", "remote.origin.url", WIDGET)
    (home / "notes").mkdir()
    gone = tmp_path / "gone"
    gone.mkdir()
    for folder in (home, home / "notes", Path("/"), gone / "deeper", Path("/dev/null")):
        answer = found(folder)
        assert (answer.project, answer.rule) == (None, "none"), folder
        assert answer.scopes() == ("host:here", "global")
    inside = repository(home / "code/widget", origin=WIDGET)
    assert found(inside).project == KEY
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert resolve().project is None


def test_no_repository_is_no_project(tmp_path: Path) -> None:
    assert found(tmp_path).rule == "none"


# What goes before git


def test_the_nearest_override_wins_over_git(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    (main / "a/b").mkdir(parents=True)
    (main / ".commonplace.toml").write_text('project = "Corp.Example/Team/App"\n', encoding="utf-8")
    (main / "a/.commonplace.toml").write_text(
        "# here\nproject = 'project:corp.example/a' # near\n[other]\nx = 1\n", encoding="utf-8"
    )
    assert found(main).project == "corp.example/Team/App"
    assert found(main).rule == "override"
    assert found(main / "a/b").project == "corp.example/a"


def test_a_worktree_obeys_the_main_checkouts_override(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    git(main, "worktree", "add", "-q", str(tmp_path / "tree"))
    (main / ".commonplace.toml").write_text('project = "corp.example/app"', encoding="utf-8")
    assert found(tmp_path / "tree").project == "corp.example/app"


@pytest.mark.parametrize(
    "text",
    [
        b"project = \n",
        b"project = 5\n",
        b'project = ""\n',
        b'other = "x"\n',
        b'project = "a/../b"\n',
        b'project = "x"\nproject = "y"\n',
        b'project = "\xff"\n',
        f'project = "https://{SECRET}@example.com/../x"\n'.encode(),
    ],
)
def test_a_broken_override_is_named_and_passed_over(tmp_path: Path, text: bytes) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    (main / ".commonplace.toml").write_bytes(text)
    answer = found(main)
    assert answer.project == KEY
    assert ".commonplace.toml" in answer.warnings[0]


def test_what_was_said_by_hand_goes_before_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    (main / ".commonplace.toml").write_text('project = "corp.example/app"', encoding="utf-8")
    monkeypatch.setenv("COMMONPLACE_PROJECT", "env.example/app")
    assert found(main).rule == "environment"
    assert found(main).project == "env.example/app"
    answer = resolve(str(main), project="project:Option.Example/App")
    assert (answer.project, answer.rule) == ("option.example/App", "option")
    chosen = config.load(project="set.example/app")
    assert resolve(str(main), config=chosen).rule == "option"
    (tmp_path / "config.toml").write_text('project = "file.example/app"', encoding="utf-8")
    monkeypatch.delenv("COMMONPLACE_PROJECT")
    filed = config.load(config_path=str(tmp_path / "config.toml"))
    assert resolve(str(main), config=filed).rule == "config"


def test_a_project_may_be_named_by_its_url() -> None:
    assert project_key("https://tok@github.com/Acme/Widget.git", "--project") == KEY
    assert project_key("git@github.com:acme/widget", "--project") == KEY


@pytest.mark.parametrize("text", ["project:", "a//b", "../x", "a/\u200bb", "x" * 300, "a b /c"])
def test_a_project_that_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(UnknownScopeForm):
        project_key(text, "--project")


def test_a_url_without_a_key_is_refused_and_not_repeated() -> None:
    with pytest.raises(Invalid) as caught:
        project_key(f"https://u:{SECRET}/x@github.com/a/b", "--project")
    assert SECRET not in caught.value.message


def test_resolving_loads_no_subprocess_for_an_ordinary_repository(tmp_path: Path) -> None:
    main = repository(tmp_path / "main", origin=WIDGET)
    script = (
        "import sys; from commonplace.clients.scope import resolve;"
        " print(resolve(sys.argv[1]).project);"
        " print(sorted({'re', 'subprocess', 'pathlib', 'typing', 'tomllib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, main], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [KEY, "[]"]
