"""Settings and formats: options, hooks, environments, format variables. What a server and a connection share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

from muxwright.commands.environment import EnvironmentScope, EnvironmentValue
from muxwright.commands.formats import FormatField, FormatObservation, RawFormat
from muxwright.commands.settings import GlobalScope, Scope
from muxwright.model.options import OptionValue
from muxwright.operations import environment, formats, settings
from muxwright.operations.settings import HookValue, NewHook, NewOption
from muxwright.refs import PaneRef, Ref, SessionRef, WindowRef

if TYPE_CHECKING:
    from muxwright.operations.steps import Operation
    from muxwright.transports.aio import AsyncTransport

__all__ = ["AsyncSettings"]

T = TypeVar("T")


class InSession(Protocol):
    """A session's handle or info."""

    @property
    def ref(self) -> SessionRef:
        """The session's identity."""


class InWindow(Protocol):
    """A window's handle or info."""

    @property
    def ref(self) -> WindowRef:
        """The window's identity."""


class InPane(Protocol):
    """A pane's handle or info."""

    @property
    def ref(self) -> PaneRef:
        """The pane's identity."""


InObject = SessionRef | WindowRef | PaneRef | InSession | InWindow | InPane
"""A session, window or pane: its handle, its info or its ref."""


class AsyncSettings:
    """Options, hooks, environments and formats; a base of `AsyncServer` and `AsyncConnection`.

    A scope is ``"server"``, ``"global_session"``, ``"global_window"``, or a session, window or pane (a handle, an info
    or a ref), which is checked in the queue item of the act: it is exactly that one, or `StaleReference` or
    `...NotFound` is raised and nothing was done. Names are full ones; tmux's completion of names is refused.
    """

    if TYPE_CHECKING:
        _transport: AsyncTransport

        async def run(self, operation: Operation[T], timeout: float | None = None) -> T:
            """Run an operation; the host does it."""
            raise NotImplementedError

    # --- options ---

    async def get_option(
        self,
        scope: GlobalScope | InObject,
        name: str,
        *,
        index: int | None = None,
        inherit: bool = False,
        timeout: float | None = None,
    ) -> OptionValue | None:
        """Return an option's value in one scope; ``None`` when the scope has none (an empty text or array is a value).

        A flag is a `bool`, a number an `int`, an array a sparse `dict` by index, anything else a `str`, byte for byte
        (bytes that are not UTF-8 as lone surrogates). `index`: that entry of an array. `inherit`: where the scope has
        none, look in its parents, a pane's window and ``global_window``, or ``global_session``; an empty text or array
        masks them. ``show-options``, one round trip, tmux 3.2a.

        Raises `UnknownOption` for a name that this tmux does not have (a user option, ``@name``, is ``None`` then),
        `InvalidArgument` for one that cannot be in the scope.

        Example: ``server.get_option("server", "buffer-limit")`` gives ``50``.
        """
        operation = settings.get_option(self._transport.place, _scope(scope), name, index, inherit)
        return await self.run(operation, timeout)

    async def set_option(
        self,
        scope: GlobalScope | InObject,
        name: str,
        value: NewOption,
        *,
        index: int | None = None,
        timeout: float | None = None,
    ) -> None:
        """Set an option in one scope; text is literal, no format in it is expanded.

        `value`: `bool` for a flag, `int` for a number, else `str` or `bytes`; a mapping of index to value is a whole
        array in place of what was there, ``{}`` an explicitly empty one. `index`: only that entry; the first one in a
        scope makes an array of the scope's own, which masks what it inherited. Lowering ``history-limit`` drops lines
        of existing panes on tmux 3.7 and newer. ``set-option``, tmux 3.2a.

        Raises `BadValue` for a value that tmux does not take: then nothing was changed, unless it is an array, of which
        tmux may have dropped what was there (`effects`). Raises `UnknownOption` and `InvalidArgument` as `get_option`.

        Example: ``server.set_option(session, "history-limit", 50_000)``.
        """
        operation = settings.set_option(self._transport.place, _scope(scope), name, value, index)
        await self.run(operation, timeout)

    async def unset_option(
        self, scope: GlobalScope | InObject, name: str, *, index: int | None = None, timeout: float | None = None
    ) -> None:
        """Remove an option from one scope: what it inherits counts again, or in a global scope tmux's default.

        A user option is gone then. `index`: only that entry of an array. One that is not set is no error.
        ``set-option -u``, tmux 3.2a. Raises `UnknownOption` and `InvalidArgument` as `get_option`.

        Example: ``server.unset_option(pane, "@role")``.
        """
        await self.run(settings.unset_option(self._transport.place, _scope(scope), name, index), timeout)

    async def list_options(
        self, scope: GlobalScope | InObject, *, inherit: bool = False, timeout: float | None = None
    ) -> dict[str, OptionValue]:
        """Return all options that are set in one scope, by name, with values as `get_option` has them.

        A global scope has all of its built-in options; hooks are not among them. `inherit`: with what the parents have
        in addition, read in the same moment. ``show-options``, tmux 3.2a. An answer over 8 MiB is refused with
        `OutputLimitExceeded`.

        Example: ``server.list_options("global_window")["mode-keys"]``.
        """
        return await self.run(settings.list_options(self._transport.place, _scope(scope), inherit), timeout)

    # --- hooks ---

    async def get_hook(
        self, scope: GlobalScope | InObject, name: str, *, inherit: bool = False, timeout: float | None = None
    ) -> HookValue | None:
        """Return a hook's commands in one scope, by index, as tmux writes them; they can be given to `set_hook` again.

        ``None``: the scope says nothing of it. ``{}``: it is explicitly empty there, and masks the parents' commands.
        `inherit` as for `get_option`; the server scope has no hooks. ``show-options``, tmux 3.2a.

        Raises `UnknownOption` for a hook that this tmux does not have, `InvalidArgument` for a scope that cannot have
        it: ``pane-died``, for one, is of panes and windows.

        Example: ``server.get_hook("global_session", "after-new-window")`` gives ``{}``.
        """
        return await self.run(settings.get_hook(self._transport.place, _scope(scope), name, inherit), timeout)

    async def list_hooks(
        self, scope: GlobalScope | InObject, *, inherit: bool = False, timeout: float | None = None
    ) -> dict[str, HookValue]:
        """Return all hooks of which one scope says something, by name, with commands as `get_hook` has them.

        A global scope says something of each of its hooks, of most that they are empty. `inherit`: with what the
        parents say in addition, read in the same moment. ``show-hooks``, tmux 3.2a. Raises `InvalidArgument` for the
        server scope, `OutputLimitExceeded` for an answer over 8 MiB.

        Example: ``server.list_hooks(session)`` gives ``{"after-new-window": {0: "display-message new"}}``.
        """
        return await self.run(settings.list_hooks(self._transport.place, _scope(scope), inherit), timeout)

    async def set_hook(
        self,
        scope: GlobalScope | InObject,
        name: str,
        command: NewHook,
        *,
        index: int | None = None,
        timeout: float | None = None,
    ) -> None:
        """Set a hook's command in one scope, in place of all that it had there.

        `command`: text in tmux's command language (``$NAME`` and ``~`` are expanded by it now), or the words of one
        command, which are literal; a mapping of index to command is the whole hook, ``{}`` an explicitly empty one.
        `index`: only that entry, the others stay. ``set-hook``, tmux 3.2a.

        Raises `BadValue` for what is no command; tmux may have dropped the others then. Raises `UnknownOption` and
        `InvalidArgument` as `get_hook`.

        Example: ``server.set_hook(session, "after-new-window", ["set-option", "@new", "yes"], index=7)``.
        """
        operation = settings.set_hook(self._transport.place, _scope(scope), name, command, index)
        await self.run(operation, timeout)

    async def unset_hook(
        self, scope: GlobalScope | InObject, name: str, *, index: int | None = None, timeout: float | None = None
    ) -> None:
        """Remove a hook from one scope, or only the command at `index`; one that is not set is no error.

        ``set-hook -u``, tmux 3.2a. Raises `UnknownOption` and `InvalidArgument` as `get_hook`.

        Example: ``server.unset_hook(session, "after-new-window", index=7)``.
        """
        await self.run(settings.unset_hook(self._transport.place, _scope(scope), name, index), timeout)

    # --- environments ---

    async def get_environment(
        self,
        scope: Literal["global"] | SessionRef | InSession,
        name: str,
        *,
        inherit: bool = False,
        timeout: float | None = None,
    ) -> EnvironmentValue | None:
        """Return a variable of the global environment or of a session's own; ``None`` when it is not there.

        A removal marker is a value, its `value` is ``None``. `inherit`: where the session has no entry, take the global
        one. ``show-environment -s``, tmux 3.2a. Raises `InvalidArgument` for a name that is not portable.

        Example: ``server.get_environment("global", "PATH").value``.
        """
        operation = environment.get_environment(self._transport.place, _environment(scope), name, inherit)
        return await self.run(operation, timeout)

    async def list_environment(
        self,
        scope: Literal["global"] | SessionRef | InSession,
        *,
        inherit: bool = False,
        timeout: float | None = None,
    ) -> dict[str, EnvironmentValue]:
        """Return all variables of one environment by name, hidden ones and removal markers too.

        `inherit`: with the global ones that the session has no entry for. What a new program gets is this without the
        hidden and the removed ones. ``show-environment -s``, tmux 3.2a. An answer over 8 MiB is refused with
        `OutputLimitExceeded`.

        Example: ``server.list_environment(session, inherit=True)``.
        """
        operation = environment.list_environment(self._transport.place, _environment(scope), inherit)
        return await self.run(operation, timeout)

    async def set_environment(
        self,
        scope: Literal["global"] | SessionRef | InSession,
        name: str,
        value: str | bytes,
        *,
        hidden: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Set a variable for the programs that start from now on; any text without NUL, newlines included.

        `value`: bytes, or text as `os.fsencode` has it. `hidden`: programs do not get it, only formats see it.
        ``set-environment``, tmux 3.2a. Raises `InvalidArgument`
        for a name that is not portable.

        Example: ``server.set_environment(session, "STAGE", "test")``.
        """
        operation = environment.set_environment(self._transport.place, _environment(scope), name, value, hidden)
        await self.run(operation, timeout)

    async def unset_environment(
        self, scope: Literal["global"] | SessionRef | InSession, name: str, *, timeout: float | None = None
    ) -> None:
        """Take a variable, or its removal marker, out of one environment; one that is not there is no error.

        ``set-environment -u``, tmux 3.2a. Raises `InvalidArgument` for a name that is not portable.

        Example: ``server.unset_environment(session, "STAGE")``: the global one counts again.
        """
        operation = environment.unset_environment(self._transport.place, _environment(scope), name)
        await self.run(operation, timeout)

    async def remove_environment(
        self, scope: Literal["global"] | SessionRef | InSession, name: str, *, timeout: float | None = None
    ) -> None:
        """Mark a variable as removed: programs that start do not get it, wherever else it is set.

        ``set-environment -r``, tmux 3.2a. Raises `InvalidArgument` for a name that is not portable.

        Example: ``server.remove_environment(session, "SSH_AUTH_SOCK")``.
        """
        operation = environment.remove_environment(self._transport.place, _environment(scope), name)
        await self.run(operation, timeout)

    # --- formats ---

    async def read_formats(
        self, target: InObject, *fields: FormatField[Any], timeout: float | None = None
    ) -> list[FormatObservation[Any]]:
        """Return what tmux gives for format variables of one object, in the order of the 1 to 256 fields.

        `target`: a window stands for its active pane, a session for its current window's. Variables of clients are
        empty here. ``list-panes -F``, tmux 3.2a. Raises `FormatValueError` for a value that is not of its field's type,
        `InvalidArgument` for a name that no tmux knows, `UnsupportedCapability` for one that this tmux does not know:
        both would give environment variables.

        Example: ``server.read_formats(pane, FormatField("pane_width", int))[0].value`` gives ``160``.
        """
        return await self.run(formats.read_formats(self._transport.place, _target(target), fields), timeout)

    async def format_hints(self, target: InObject, *, timeout: float | None = None) -> list[str]:
        """Return names of variables that this tmux seems to have for `target`, to look for what can be asked.

        Hints only: a name can be missing, and a line of some variable's value can look like one.
        ``display-message -a``, tmux 3.2a. An answer over 1 MiB is refused with `OutputLimitExceeded`.

        Example: ``"pane_current_command" in server.format_hints(pane)``.
        """
        return await self.run(formats.format_hints(self._transport.place, _target(target)), timeout)

    async def render_format(self, target: InObject, expression: RawFormat, *, timeout: float | None = None) -> bytes:
        """Return what `expression`, a format of your own, expands to for `target`, without the last newline.

        ``#()`` in it runs a shell command on the server's host, and unknown names give the server's environment. tmux
        3.4 and 3.5 print control bytes as escapes. ``list-panes -F``, tmux 3.2a.

        Example: ``server.render_format(pane, RawFormat("#{?pane_dead,dead,alive}"))`` gives ``b"alive"``.
        """
        return await self.run(formats.render_format(self._transport.place, _target(target), expression), timeout)


def _target(target: InObject) -> Ref:
    """Return the ref of a handle or an info; what is none is refused further down."""
    return cast(Ref, getattr(target, "ref", target))


def _scope(scope: GlobalScope | InObject) -> Scope:
    return cast(Scope, getattr(scope, "ref", scope))


def _environment(scope: Literal["global"] | SessionRef | InSession) -> EnvironmentScope:
    return cast(EnvironmentScope, getattr(scope, "ref", scope))
