"""The command `doctor`: what works, what does not, and the command that mends it."""

from dataclasses import asdict

import typer

from commonplace.clients.cli.group import command, make_app
from commonplace.clients.cli.layout import pad
from commonplace.clients.cli.render import Style
from commonplace.clients.cli.session import Session
from commonplace.clients.doctor import settings
from commonplace.clients.doctor.base import Finding
from commonplace.clients.doctor.run import examine
from commonplace.domain.text import one_line
from commonplace.errors import Invalid

app = make_app()
_BROKEN = 1


@command(app, "doctor", "commonplace doctor", "commonplace doctor --json")
def doctor(ctx: typer.Context) -> None:
    """Examine config, server, scope, outbox, cache and every connected agent.

    Each line is ok, warning or broken, with the command that mends it. Exit code 1 when something
    is broken. Hooks are run as their agents would run them; nothing is changed.
    """
    session = Session.of(ctx)
    findings: list[Finding] = []
    try:
        for finding in examine(session.config):
            findings.append(finding)
            if not session.out.as_json:
                session.out.text(_line(finding, session.out.style))
    except Invalid as error:
        if findings:
            raise
        findings.append(settings.unreadable(error))
        if not session.out.as_json:
            session.out.text(_line(findings[0], session.out.style))
    counts = {
        state: sum(each.state == state for each in findings)
        for state in ("ok", "warning", "broken")
    }
    if session.out.as_json:
        session.out.json({"findings": [asdict(each) for each in findings], **counts})
    else:
        session.out.note(", ".join(f"{count} {state}" for state, count in counts.items()))
    if counts["broken"]:
        raise typer.Exit(_BROKEN)


def _line(finding: Finding, style: Style) -> str:
    color = {"ok": style.green, "warning": style.bold, "broken": style.red}[finding.state]
    line = f"{color(pad(finding.state, 7))}  {pad(finding.topic, 11)}  {one_line(finding.text)}"
    return f"{line}\n{' ' * 22}-> {one_line(finding.mend)}" if finding.mend else line
