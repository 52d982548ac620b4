"""tmux versions, and the one table of what a version can do.

Version letters matter (3.2a is not 3.2), and three kinds of build are no release: ``next-3.5`` behaves like 3.5,
``3.8-rc2`` sorts before 3.8 but can what 3.8 can, and ``master`` and ``openbsd-7.5`` behave like the newest release.
So code never compares versions to decide what may be sent; it asks `supports` or `require`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from muxwright.errors import InvalidArgument, UnsupportedCapability

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CAPABILITIES", "MINIMUM", "Capability", "Kind", "TmuxVersion", "require", "same_protocol", "supports"]

Kind = Literal["release", "rc", "next", "master", "openbsd"]

_PATTERN: Final = re.compile(
    r"(?:tmux )?(?:"
    r"(?P<master>master)"
    r"|openbsd-(?P<bsd_major>[0-9]{1,4})\.(?P<bsd_minor>[0-9]{1,4})"
    r"|(?P<next>next-)?(?P<major>[0-9]{1,4})\.(?P<minor>[0-9]{1,4})(?P<letter>[a-z])?(?P<rc>-rc(?P<number>[0-9]{0,4}))?"
    r")"
)


@total_ordering
@dataclass(frozen=True, slots=True)
class TmuxVersion:
    """One tmux version: ordered, hashable, immutable.

    Fields: `major`, `minor`, `letter` (``"a"`` of 3.3a, else empty), `kind` (``"release"``, ``"rc"``, ``"next"``,
    ``"master"``, ``"openbsd"``) and `number` (2 of ``3.8-rc2``, else 0). Of ``openbsd-7.5`` the numbers are
    OpenBSD's, of ``master`` they are 0. The order is by release; an rc sorts before its release, a next build after it,
    openbsd and master after every release.

    >>> TmuxVersion.parse("tmux 3.3a") > TmuxVersion(3, 3)
    True
    """

    major: int
    minor: int
    letter: str = ""
    kind: Kind = "release"
    number: int = 0

    @classmethod
    def parse(cls, text: str) -> TmuxVersion:
        """Read the text that ``tmux -V`` or ``#{version}`` gives.

        Surrounding blanks are ignored. Raises `InvalidArgument` for anything that is not a tmux version.

        >>> str(TmuxVersion.parse("tmux next-3.5"))
        'next-3.5'
        """
        match = _PATTERN.fullmatch(text.strip())
        if match is None or (match["next"] and match["rc"]):
            raise InvalidArgument(
                f"not a tmux version: {text[:64]!r}; expected one like 'tmux 3.3a', 'next-3.5' or 'master'"
            )
        if match["master"]:
            return cls(0, 0, kind="master")
        if match["bsd_major"]:
            return cls(int(match["bsd_major"]), int(match["bsd_minor"]), kind="openbsd")
        kind: Kind = "next" if match["next"] else "rc" if match["rc"] else "release"
        return cls(int(match["major"]), int(match["minor"]), match["letter"] or "", kind, int(match["number"] or 0))

    @property
    def is_newest(self) -> bool:
        """Whether this build follows the development tree, so that it has every capability."""
        return self.kind in ("master", "openbsd")

    def reaches(self, release: TmuxVersion) -> bool:
        """Return whether this build behaves like `release` or newer; an rc or next build of it does.

        >>> TmuxVersion.parse("3.5-rc").reaches(TmuxVersion(3, 5))
        True
        """
        return self.is_newest or (self.major, self.minor, self.letter) >= (release.major, release.minor, release.letter)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, TmuxVersion):
            return NotImplemented
        return self._order() < other._order()

    def __str__(self) -> str:
        if self.kind == "master":
            return "master"
        prefix = {"next": "next-", "openbsd": "openbsd-"}.get(self.kind, "")
        suffix = f"-rc{self.number or ''}" if self.kind == "rc" else ""
        return f"{prefix}{self.major}.{self.minor}{self.letter}{suffix}"

    def _order(self) -> tuple[int, int, int, str, int, int]:
        line = {"openbsd": 1, "master": 2}.get(self.kind, 0)
        phase = {"rc": 0, "next": 2}.get(self.kind, 1)
        return (line, self.major, self.minor, self.letter, phase, self.number)


MINIMUM: Final = TmuxVersion(3, 2, "a")
"""The oldest tmux that muxwright drives."""


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that tmux can do since a version: `name`, `since`, and `summary` in one line."""

    name: str
    since: TmuxVersion
    summary: str


# Order: by version, then as the project needs it. "safe" means: on older versions it kills or freezes the daemon.
_TABLE: Final = (
    ("user-formats", "3.3", "formats uid, user, client_uid, client_user, next_session_id, pane_start_path"),
    ("pane-dead-time", "3.3", "format pane_dead_time: when the program of a dead pane exited"),
    ("exact-detached-size", "3.3", "new-session -d -x -y gives the size asked for, not one row less"),
    ("server-access", "3.3", "the command server-access: who else may use the socket"),
    ("prompt-history", "3.3", "the commands show-prompt-history and clear-prompt-history"),
    ("confirm-background", "3.3", "confirm-before -b and command-prompt -b do not block the client"),
    ("pane-dead-signal", "3.4", "format pane_dead_signal: the signal that ended the program of a dead pane"),
    ("pane-unseen-changes", "3.4", "format pane_unseen_changes outside of modes"),
    ("server-sessions", "3.4", "format server_sessions: the number of sessions"),
    ("capture-trim", "3.4", "capture-pane -T: without trailing empty cells"),
    ("client-loop", "3.4", "format modifier L: loops over clients, so a guard can tell who a client is"),
    ("plain-show-buffer", "3.4", "show-buffer prints the bytes of a buffer as they are to a control client"),
    ("display-message-literal", "3.4", "display-message -l: no formats, no strftime"),
    ("message-event", "3.4", "notification %message in control mode"),
    ("paste-buffer-events", "3.4", "notifications %paste-buffer-changed and %paste-buffer-deleted"),
    ("safe-dead-paste", "3.4", "paste-buffer into a dead pane is refused instead of killing the server"),
    ("mirrored-layouts", "3.5", "layouts main-horizontal-mirrored and main-vertical-mirrored"),
    ("extended-keys", "3.5", "modified keys such as S-Enter and C-Tab are pressed, where older ones type the name"),
    ("descriptor-marks", "3.6", "clients mark descriptors as 3.6 does; see same_protocol"),
    ("capture-mode-screen", "3.6", "capture-pane -M: the screen of the mode, not of the program"),
    ("capture-tabs", "3.6", "captures keep tabs instead of giving blanks"),
    ("config-error-event", "3.6", "notification %config-error instead of a bare line"),
    ("no-detach-on-destroy", "3.6", "client flag no-detach-on-destroy"),
    ("session-alert-format", "3.6", "format session_alert, and the cursor_ formats"),
    ("safe-width-format", "3.6a", "#{w:} of broken UTF-8 ends instead of looping for ever"),
    ("mute-off", "3.7", "refresh-client -A %n:off while output flows does not kill the server"),
    ("safe-output-toggle", "3.7", "the client flag no-output can be switched without losing replies"),
    ("safe-peer-loss", "3.7", "a control client lost before it is identified does not kill the server"),
    ("paste-raw", "3.7", "paste-buffer -S: control bytes as they are"),
    ("capture-line-flags", "3.7", "capture-pane -F: prompt marks of the lines"),
    ("pane-zoomed-flag", "3.7", "formats pane_zoomed_flag, pane_flags, pane_x, pane_y, pane_z"),
    ("bracket-paste-flag", "3.7", "formats bracket_paste_flag and synchronized_output_flag"),
    ("floating-panes", "3.7", "the command new-pane and format pane_floating_flag"),
    ("strict-session-names", "3.7", "control characters in session names are refused; '.' and ':' are kept"),
    ("safe-output-clients", "3.8", "a client that receives %output cannot freeze or kill the server"),
    ("json-layouts", "3.8", "format window_layout is JSON; select-layout takes JSON and the old text"),
    ("wait-for-event", "3.8", "wait-for -E: wait for a hook, with its payload"),
    ("command-events", "3.8", "hooks pane-command-started, pane-command-finished, pane-shell-prompt (OSC 133)"),
    ("waiter-goes", "3.8", "wait-for forgets a client that has gone instead of waiting for it on"),
    ("output-generation", "3.8", "formats pane_output_generation, history_generation, history_added"),
)


def _build() -> Mapping[str, Capability]:
    rows = (Capability(name, TmuxVersion.parse(since), summary) for name, since, summary in _TABLE)
    return MappingProxyType({row.name: row for row in rows})


CAPABILITIES: Final = _build()
"""What the project asks of a version, by name."""


def supports(version: TmuxVersion, name: str) -> bool:
    """Return whether `version` has the capability `name`.

    Raises `KeyError` for a name that is not in `CAPABILITIES`: that is a mistake in the calling code.

    >>> supports(TmuxVersion.parse("3.3a"), "mirrored-layouts")
    False
    """
    return version.reaches(CAPABILITIES[name].since)


def require(version: TmuxVersion, name: str) -> None:
    """Raise `UnsupportedCapability` unless `version` has the capability `name`.

    >>> require(TmuxVersion.parse("master"), "mirrored-layouts")
    """
    if not supports(version, name):
        raise UnsupportedCapability(name, needs=f"tmux {CAPABILITIES[name].since}", has=f"tmux {version}")


def same_protocol(client: TmuxVersion, server: TmuxVersion) -> bool:
    """Return whether a `client` binary can talk to a `server`: both must be on one side of the 3.5/3.6 line.

    3.6 changed a mark in the messages and kept the protocol number, so tmux itself does not notice: across the line
    a client reports a living server as "server exited unexpectedly", or attaches mute.

    >>> same_protocol(TmuxVersion.parse("3.5a"), TmuxVersion.parse("3.6"))
    False
    """
    return supports(client, "descriptor-marks") is supports(server, "descriptor-marks")
