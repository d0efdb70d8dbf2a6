"""Asks git and ssh what their files alone do not tell, all questions together within one bound."""

# ruff: noqa: PLC0415 - subprocess costs more than the whole session-start hook may take; it is
# loaded only for the repositories that need git's own answer.
from __future__ import annotations

import os
import time

from commonplace.clients.config import child_environment
from commonplace.clients.scope_git import Repository

_MAX_SSH_CONFIG_BYTES = 1024 * 1024


class Asker:
    """The programs of one resolution, and the ssh aliases they did not explain (`misses`)."""

    def __init__(self, budget_s: float, home: str) -> None:
        """Start with the whole budget; the clock runs from the first question."""
        self._budget_s = budget_s
        self._home = home
        self._deadline: float | None = None
        self.misses: list[str] = []

    def remote_urls(self, repository: Repository) -> dict[str, str] | None:
        """Return every remote's first URL as git reads it, included files and all; None without."""
        names = self._git(repository, "remote")
        if names is None:
            return None
        urls: dict[str, str] = {}
        for name in names.splitlines():
            url = self.remote_url(repository, name)
            if url:
                urls[name] = url
        return urls

    def remote_url(self, repository: Repository, name: str) -> str | None:
        """Return a remote's first URL with `insteadOf` applied; None without an answer in time."""
        answer = self._git(repository, "remote", "get-url", "--", name)
        return answer.partition("\n")[0] if answer else None

    def ssh_hostname(self, host: str) -> str | None:
        """Return the name ssh would connect to; None where it has nothing to say, or not in time.

        A name with a dot is asked about only if the user's ssh config speaks of it.
        """
        if "." in host and not self._is_configured(host):
            return None
        answer = self._run(["ssh", "-G", "--", host])
        for line in (answer or "").splitlines():
            key, _, value = line.partition(" ")
            if key.lower() == "hostname" and value.strip().lower() != host:
                return value.strip()
        if "." not in host:
            self.misses.append(host)
        return None

    def _is_configured(self, host: str) -> bool:
        try:
            with open(os.path.join(self._home, ".ssh", "config"), "rb") as file:
                text = file.read(_MAX_SSH_CONFIG_BYTES).decode("utf-8", "replace").lower()
        except OSError:
            return False
        for line in text.splitlines():
            keyword, _, rest = line.strip().replace("=", " ", 1).replace("\t", " ").partition(" ")
            if keyword == "include":
                return True
            if keyword == "host" and any(_fits(word.strip('"'), host) for word in rest.split()):
                return True
        return False

    def _git(self, repository: Repository, *arguments: str) -> str | None:
        # Named by --git-dir, the repository is not looked for, so whose it is does not matter.
        return self._run(["git", f"--git-dir={repository.git_dir}", *arguments])

    def _run(self, command: list[str]) -> str | None:
        import signal
        import subprocess

        now = time.monotonic()
        if self._deadline is None:
            self._deadline = now + self._budget_s
        if now >= self._deadline:
            return None
        try:
            child = subprocess.Popen(  # noqa: S603 - a fixed program, no shell, checked arguments
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=child_environment(),
                start_new_session=True,
            )
        except OSError:
            return None
        try:
            output, _ = child.communicate(timeout=self._deadline - now)
        except subprocess.TimeoutExpired:
            # The whole group: a wrapper script's children would hold the pipe open.
            if hasattr(os, "killpg"):
                os.killpg(child.pid, signal.SIGKILL)
            child.kill()
            child.wait()
            if child.stdout is not None:
                child.stdout.close()
            return None
        return output.decode("utf-8", "surrogateescape") if child.returncode == 0 else None


def _fits(pattern: str, host: str) -> bool:
    """Say whether a Host pattern may mean the host; one for every host says nothing of it."""
    first, last = (
        pattern.replace("?", "*").partition("*")[0],
        pattern.replace("?", "*").rpartition("*")[2],
    )
    if first == last == pattern:
        return pattern == host
    return bool(first or last) and host.startswith(first) and host.endswith(last)
