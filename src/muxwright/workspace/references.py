"""References in the text of a workspace: what they stand for, and text that has none.

Pure: only the variables and the home that are given count. What was put in is not looked at again.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from muxwright.commands.names import check_name, check_session_name
from muxwright.errors import InvalidArgument
from muxwright.workspace.config import OptionSetting
from muxwright.workspace.faults import Fault, WorkspaceConfigError, near

__all__ = ["Options", "References", "literal", "literal_command"]

_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_MARK = rf"\{{\{{ *(?P<marked>{_NAME}) *\}}\}}"
_PLAIN = re.compile(rf"\$(?:(?P<escape>\$)(?=[A-Za-z_{{])|{_MARK}|\{{(?P<braced>{_NAME})\}}|(?P<bare>{_NAME}))")
_MARKED = re.compile(rf"\$(?:(?P<escape>\$)(?=\{{\{{)|{_MARK})")
MAX_EXPANDED = 1024 * 1024

Options = Mapping[str, OptionSetting]


def literal(text: str) -> str:
    """Return what a name or a value has to be in a file, so that it becomes this text."""
    return re.sub(r"\$(?=[A-Za-z_{])", "$$", text)


def literal_command(text: str) -> str:
    """Return what a command has to be in a file, so that this text is typed."""
    return re.sub(r"\$(?=\{\{)", "$$", text)


class References:
    """Replaces references and collects faults.

    `strict`: an unknown variable is a fault; `plain_commands`: commands are expanded as values are.
    """

    def __init__(
        self, env: Mapping[str, str], home: str | None, base: str | None, strict: bool, plain_commands: bool
    ) -> None:
        self.env = env
        self.home = home
        self.base = base
        self.strict = strict
        self.plain_commands = plain_commands
        self.faults: list[Fault] = []
        self.size = 0

    def fault(self, code: str, path: str, message: str) -> None:
        self.faults.append(Fault(code, path, message))

    def _replace(self, pattern: re.Pattern[str], text: str, path: str) -> str:
        def value(match: re.Match[str]) -> str:
            if match["escape"]:
                return "$"
            groups = match.groupdict()
            name = match["marked"] or groups.get("braced") or groups.get("bare") or ""
            if name in self.env:
                return self.env[name]
            if match["marked"] or self.strict:
                hint = near(name, list(self.env))
                self.fault("variable", path, f"the variable {name} is not given{hint}")
            return match[0]

        done = pattern.sub(value, text)
        self.size += len(done)
        if self.size > MAX_EXPANDED:
            raise WorkspaceConfigError([Fault("limit", path, f"the values have more than {MAX_EXPANDED} characters")])
        return done

    def plain(self, text: str, path: str) -> str:
        """Expand a name or a value: variables and a leading ``~``."""
        return self.user(self._replace(_PLAIN, text, path), path)

    def command(self, text: str, path: str) -> str:
        """Expand a command: only what is marked, unless the file asks for tmuxp's way."""
        return self._replace(_PLAIN if self.plain_commands else _MARKED, text, path)

    def marked(self, text: str, path: str) -> str:
        """Expand only what is marked."""
        return self._replace(_MARKED, text, path)

    def user(self, text: str, path: str) -> str:
        if text != "~" and not text.startswith("~/"):
            return text
        if self.home is None:
            self.fault("home", path, "~ needs a home directory: give --home")
            return text
        return self.home + text[1:]

    def name(self, text: str, path: str) -> str:
        """Expand a name and check it as tmux would have it."""
        done = self.plain(text, path)
        if not done:
            self.fault("value", path, "the name is empty once its variables are replaced")
            return done
        try:
            (check_session_name if path == "session_name" else check_name)(done)
        except InvalidArgument as error:
            mapped = f" (tmux: {re.sub('[.:]', '_', done)})" if path == "session_name" else ""
            self.fault("value", path, f"{error}{mapped}")
        return done

    def directory(self, text: str | None, above: str | None, path: str) -> str | None:
        if text is None:
            return above
        done = self.plain(text, path)
        if re.match("~[^/]", done):
            self.fault("home", path, f"another user's home is not looked up: {done[:60]!r}")
            return above
        base = above or self.base
        if not done.startswith("/") and base is None:
            self.fault("path", path, f"{done!r} is relative, and there is no file and no base_directory")
            return None
        return posixpath.normpath(posixpath.join(base or "/", done))

    def environment(self, values: Mapping[str, str | None] | None, path: str) -> dict[str, str | None]:
        return {
            name: None if value is None else self.plain(value, f"{path}.{name}")
            for name, value in (values or {}).items()
        }

    def options(self, values: Options, path: str) -> dict[str, OptionSetting]:
        def one(value: OptionSetting, at: str) -> OptionSetting:
            if isinstance(value, tuple):
                return tuple(self.plain(entry, at) for entry in value)
            return self.plain(value, at) if isinstance(value, str) else value

        return {name: one(value, f"{path}.{name}") for name, value in values.items()}
