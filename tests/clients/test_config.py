"""Settings: precedence, where each came from, and complaints that never repeat a secret."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from commonplace.clients import config
from commonplace.errors import Invalid

SECRET = "s3cr3t-t0k3n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    return tmp_path


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / ".config/commonplace/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_without_anything_set_the_defaults_hold(folder: Path) -> None:
    found = config.load()
    assert found.url == "http://127.0.0.1:9322"
    assert (found.agent, found.timeout_s, found.token, found.proxy) == ("cli", 15.0, None, None)
    assert found.host == config.machine_name(os.uname().nodename)
    assert set(found.sources.values()) == {"default"}
    assert found.config_path == f"{folder}/.config/commonplace/config.toml"
    assert found.data_dir == f"{folder}/.local/share/commonplace"
    assert found.cache_dir == f"{folder}/.cache/commonplace"
    assert found.state_dir == f"{folder}/.local/state/commonplace"


def test_option_goes_before_environment_before_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(folder, 'url = "http://file:1"\nhost = "Filed"\nagent = "filed"\ntimeout = 3\n')
    monkeypatch.setenv("COMMONPLACE_URL", "http://env:2/")
    monkeypatch.setenv("COMMONPLACE_HOST", "env-host")
    found = config.load(url="HTTP://Option:3/base/", host=None)
    assert (found.url, found.host, found.agent) == ("http://Option:3/base", "env-host", "filed")
    assert found.timeout_s == 3.0
    picked = ("url", "host", "agent", "timeout", "token")
    assert [found.sources[name] for name in picked] == [
        "option",
        "environment",
        "file",
        "file",
        "default",
    ]
    assert config.load(url="").url == "http://env:2"


def test_xdg_folders_are_used_unless_relative(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/c")
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    found = config.load()
    assert found.cache_dir == "/var/c/commonplace"
    assert found.state_dir == f"{folder}/.local/state/commonplace"


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Big-Mac.local", "big-mac"),
        ("vm", "vm"),
        ("192.168.1.5", "192.168.1.5"),
        ("Sean's Mac", "sean-s-mac"),
        ("-x-", "x"),
        ("", "localhost"),
        ("äöü", "localhost"),
        ("a" * 80, "a" * 63),
    ],
)
def test_a_machines_name_is_short_and_lower_case(raw: str, name: str) -> None:
    assert config.machine_name(raw) == name


def test_the_nearer_of_token_and_token_file_wins(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "t").write_text(f" {SECRET}\n", encoding="utf-8")
    written(folder, 'token = "filed"\ntoken_file = "~/t"\n')
    assert config.load().bearer() == "filed"
    monkeypatch.setenv("COMMONPLACE_TOKEN_FILE", "~/t")
    assert config.load().bearer() == SECRET
    assert config.load(token="given").bearer() == "given"


def test_no_secret_is_ever_shown() -> None:
    found = config.load(token=SECRET)
    assert SECRET not in repr(found)
    assert found.shown("token") == "(set)"
    assert config.load().shown("token") == ""
    assert (found.shown("timeout"), found.shown("url")) == ("15", "http://127.0.0.1:9322")


def test_a_config_is_read_only() -> None:
    with pytest.raises(AttributeError):
        config.load().url = "http://elsewhere"  # pyright: ignore


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("url", "ftp://x"),
        ("url", "127.0.0.1:9322"),
        ("url", "http://"),
        ("url", "http://:80"),
        ("url", "http://h:x"),
        ("url", "http://h:0"),
        ("url", "http://h:70000"),
        ("url", "http://[::1"),
        ("url", "http://[::1]x:1"),
        ("url", "http://h/?q"),
        ("url", "http://h#f"),
        ("url", "http://h h"),
        ("url", "http://h\r\nX: y"),
        ("url", f"http://u:{SECRET}@h"),
        ("host", "a b"),
        ("host", "a/b"),
        ("host", "-a"),
        ("host", "a-"),
        ("host", "a" * 65),
        ("agent", "me@host"),
        ("agent", "x\ny"),
        ("token", f"{SECRET} x"),
        ("token", f"{SECRET}\r\nX: y"),
        ("token", "é"),
        ("timeout", "soon"),
        ("timeout", "0"),
        ("timeout", "-1"),
        ("timeout", "nan"),
        ("timeout", "inf"),
        ("timeout", "1e9"),
        ("proxy", "socks5://h:1"),
        ("proxy", "http://"),
        ("proxy", f"http://u:{SECRET}@h:x"),
        ("project", "a\x00b"),
    ],
)
def test_a_wrong_value_is_named_by_its_variable_and_not_repeated(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    if "\x00" not in value:
        monkeypatch.setenv(f"COMMONPLACE_{name.upper()}", value)
        with pytest.raises(Invalid, match=f"COMMONPLACE_{name.upper()}") as caught:
            config.load()
        assert SECRET not in caught.value.message
    with pytest.raises(Invalid, match=f"option {name}"):
        config.load(**{name: value})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("url = \n", "line 1"),
        ("url = 'x'\nurl = 'y'\n", "line 2"),
        ("url = 5\n", "url must be a text"),
        ('host = "a b"\n', "host must be"),
        ("timeout = true\n", "timeout must be"),
        (f'token = "{SECRET} x"\n', "token holds no usable token"),
        (f'token = "{SECRET}\n', "line 1"),
        (b'\xffurl = "x"', "UTF-8"),
        ("x" * 300_000, "larger"),
    ],
)
def test_a_wrong_file_is_named_with_its_key(folder: Path, text: str | bytes, says: str) -> None:
    path = written(folder, text)
    with pytest.raises(Invalid, match=says) as caught:
        config.load()
    assert str(path) in caught.value.message
    assert SECRET not in caught.value.message


def test_unknown_keys_are_warned_about_and_tables_left_to_others(folder: Path) -> None:
    written(folder, '\ufeffurl = "http://h:1"\nulr = "x"\n[server]\nport = 1\n')
    found = config.load()
    assert found.url == "http://h:1"
    [warning] = found.warnings
    assert warning.endswith("no such setting: ulr")


def test_a_file_in_place_of_the_folder_is_no_config(folder: Path) -> None:
    (folder / ".config").write_text("", encoding="utf-8")
    assert config.load().sources["url"] == "default"


def test_a_file_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / ".config/commonplace/config.toml").mkdir(parents=True)
    with pytest.raises(Invalid, match=r"cannot read .*config\.toml"):
        config.load()


def test_an_unknown_override_is_refused() -> None:
    with pytest.raises(Invalid, match="colour"):
        config.load(colour="red")


def test_another_file_can_be_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.toml").write_text('agent = "a"', encoding="utf-8")
    (folder / "b.toml").write_text('agent = "b"', encoding="utf-8")
    monkeypatch.setenv("COMMONPLACE_CONFIG", str(folder / "a.toml"))
    assert config.load().agent == "a"
    assert config.load(config_path=str(folder / "b.toml")).agent == "b"


def test_a_saved_file_is_whole_private_and_where_a_link_points(folder: Path) -> None:
    real = folder / "dotfiles/config.toml"
    link = folder / ".config/commonplace/config.toml"
    link.parent.mkdir(parents=True)
    real.parent.mkdir()
    real.write_text("old", encoding="utf-8")
    link.symlink_to(real)
    config.save(str(link), 'agent = "é"\n')
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == 'agent = "é"\n'
    assert real.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in real.parent.iterdir()] == ["config.toml"]
    config.save(str(folder / "new/deep/config.toml"), "")
    (folder / "file").write_text("", encoding="utf-8")
    with pytest.raises(Invalid, match="cannot write"):
        config.save(str(folder / "file/config.toml"), "")


def test_children_get_no_redirecting_git_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL"):
        monkeypatch.setenv(name, "x")
    kept = config.child_environment()
    assert {"GIT_DIR", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND"}.isdisjoint(kept)
    assert kept["GIT_CONFIG_GLOBAL"] == "x"
    assert kept["LC_ALL"] == "C"


def test_every_setting_tells_what_it_is_for() -> None:
    assert {setting.name for setting in config.SETTINGS} == set(config.load().sources)
    for setting in config.SETTINGS:
        assert setting.doc
        assert setting.env == f"COMMONPLACE_{setting.name.upper()}"
