"""Plans: record operations first, also on what does not exist yet, then run them in the fewest round trips.

A creating step returns slots for what it will make; a later step may take a slot where it takes a ref. Steps whose
slots are known run together: a plan of sessions, their windows and their splits takes three round trips on a
connection, however many there are.

Order: a step never overtakes an earlier one that acts on the same object, on what holds it or on what is in it, as far
as the plan knows. So a layout comes after all splits of its window that were recorded before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Literal, NamedTuple

from muxwright.commands.create import DEFAULT_SIZE, Direction, Program
from muxwright.errors import (
    CommandError,
    ConnectionBusy,
    ConnectionClosed,
    DeadlineExceeded,
    InvalidArgument,
    LocalProtocolError,
    MuxwrightError,
    ProcessSpawnError,
    RequestCancelled,
    ServerError,
    TmuxNotFound,
)
from muxwright.operations import change, create, terminal
from muxwright.operations.create import CreatedRefs
from muxwright.operations.gather import Result, gather
from muxwright.operations.steps import Operation, Place
from muxwright.refs import Generation, PaneId, PaneRef, ServerIdentity, SessionId, SessionRef, WindowId, WindowRef
from muxwright.wire.versions import TmuxVersion

__all__ = ["Made", "Plan", "PlanItem", "Slot", "run_plan"]

Kind = Literal["session", "window", "pane"]


class Slot(NamedTuple):
    """What step number `step` of `plan` will have made."""

    plan: Plan
    step: int
    kind: Kind


class Made(NamedTuple):
    """The slots of a creating step: what it makes, and what it makes it in."""

    session: Slot
    window: Slot
    pane: Slot


class PlanItem(NamedTuple):
    """What became of one step.

    `status`: ``"completed"`` - `value` is the operation's result (refs, of a creating step); ``"failed"`` - see
    `error`, nothing else was done; ``"skipped"`` - it was not sent: a step before it failed; ``"unknown"`` - it was
    sent, its answer is lost.
    """

    name: str
    status: Literal["completed", "failed", "skipped", "unknown"]
    value: object = None
    error: MuxwrightError | None = None


_Path = tuple[Hashable, ...]
"""Where an object is: what stands for its session, its window and itself, from the outside in."""

_DEPTH = {"session": 1, "window": 2, "pane": 3}
_KINDS: dict[type, Kind] = {SessionRef: "session", WindowRef: "window", PaneRef: "pane"}


class _Step(NamedTuple):
    name: str
    function: Callable[..., Operation[Any]]
    arguments: tuple[Any, ...]
    wave: int
    made: Mapping[str, _Path]


_NOWHERE = ServerIdentity("", Generation(0, 0))
_NOTHING = CreatedRefs(
    SessionRef(_NOWHERE, SessionId("$0")), WindowRef(_NOWHERE, WindowId("@0")), PaneRef(_NOWHERE, PaneId("%0"))
)
# As if on the newest tmux: what an older one cannot is refused when the plan runs.
_DRY = Place("", float, str, version=TmuxVersion(0, 0, kind="master"))

_NOT_SENT = (
    ServerError,
    DeadlineExceeded,
    RequestCancelled,
    ConnectionBusy,
    ConnectionClosed,
    LocalProtocolError,
    ProcessSpawnError,
    TmuxNotFound,
)

Session = SessionRef | Slot
Window = WindowRef | Slot
Pane = PaneRef | Slot


class Plan:
    """Steps to run together, with slots for what they will make.

    Arguments are checked when a step is recorded. Steps keep their order where they act on the same object, or on one
    that is in the other.

    >>> plan = Plan()
    >>> made = plan.new_session("work")
    >>> right = plan.split(made.pane, "right")
    >>> plan.send_text(right.pane, "make test")
    >>> len(plan), plan.waves
    (3, 3)
    """

    def __init__(self) -> None:
        self._steps: list[_Step] = []
        # The latest wave of a step that acts on an object, and of one that acts on it or on anything in it.
        self._on: dict[_Path, int] = {}
        self._within: dict[_Path, int] = {}

    def __len__(self) -> int:
        return len(self._steps)

    def __repr__(self) -> str:
        return f"<Plan of {len(self)} steps>"

    @property
    def waves(self) -> int:
        """How many round trips the plan takes on a connection."""
        return max((step.wave for step in self._steps), default=0)

    def _path(self, target: object, *kinds: Kind) -> _Path:
        """Return where an object is; refuses what is neither a ref nor a slot of this plan, of the right kind."""
        kind = target.kind if isinstance(target, Slot) else _KINDS.get(type(target))
        if kind not in kinds:
            raise InvalidArgument(f"expected a ref or a slot of a {' or '.join(kinds)}, not {target!r}")
        if not isinstance(target, Slot):
            # Of a real object the plan does not know what holds it.
            return (*[(outer, target) for outer in _DEPTH if _DEPTH[outer] < _DEPTH[kind]], (kind, target))
        ours = target.plan is self and 0 <= target.step < len(self._steps)
        made = self._steps[target.step].made if ours else {}
        if kind not in made:
            raise InvalidArgument(f"{target!r} is no slot of {self!r}, which knows only what it makes itself")
        return made[kind]

    def _add(
        self, name: str, function: Callable[..., Operation[Any]], path: _Path, *arguments: Any, makes: _Path = ()
    ) -> int:
        """Record a step that acts on the object at `path`, and on all there is in it."""
        dry = function(_DRY, *[_placeholder(argument) for argument in arguments])
        # Up to its first request: that checks every argument.
        next(dry)
        dry.close()
        outer = [path[: depth + 1] for depth in range(len(path))]
        earlier = [self._on.get(place, 0) for place in outer] + [self._within.get(path, 0)]
        needed = [self._steps[argument.step].wave for argument in arguments if isinstance(argument, Slot)]
        wave = max(1, *earlier, *[1 + other for other in needed])
        self._on[path] = wave
        for place in outer:
            self._within[place] = max(wave, self._within.get(place, 0))
        made = {kind: makes[:depth] for kind, depth in _DEPTH.items()} if makes else {}
        self._steps.append(_Step(name, function, arguments, wave, made))
        return len(self._steps) - 1

    def _make(self, name: str, function: Callable[..., Operation[Any]], inside: _Path, *arguments: Any) -> Made:
        """Record a step that makes the rest of a path; a split changes the window that it is in."""
        new = [(kind, len(self._steps)) for kind in list(_DEPTH)[len(inside) :]]
        makes = (*inside, *new)
        number = self._add(
            name, function, inside if len(inside) == 2 else makes[: len(inside) + 1], *arguments, makes=makes
        )
        return Made(Slot(self, number, "session"), Slot(self, number, "window"), Slot(self, number, "pane"))

    def new_session(
        self,
        name: str | None = None,
        *,
        size: tuple[int, int] = DEFAULT_SIZE,
        window_name: str | None = None,
        program: Program = Program(),  # noqa: B008 - immutable
    ) -> Made:
        """Record a session; `program` is what runs in it, the rest as for `Server.new_session`."""
        return self._make("new-session", create.new_session, (), name, size, window_name, program)

    def new_window(
        self,
        session: Session,
        name: str | None = None,
        *,
        index: int | None = None,
        select: bool = False,
        program: Program = Program(),  # noqa: B008 - immutable
    ) -> Made:
        """Record a window; `program` is what runs in it, the rest as for `Session.new_window`."""
        return self._make(
            "new-window", create.new_window, self._path(session, "session"), session, index, name, select, program
        )

    def split(
        self,
        pane: Pane,
        direction: Direction = "below",
        *,
        size: int | str | None = None,
        full: bool = False,
        select: bool = False,
        program: Program = Program(),  # noqa: B008 - immutable
    ) -> Made:
        """Record a split; `program` is what runs in the new pane, the rest as for `Pane.split`."""
        inside = self._path(pane, "pane")[:2]
        return self._make("split-window", create.split, inside, pane, direction, size, full, select, program)

    def rename_session(self, session: Session, name: str) -> None:
        """Record a new name for a session."""
        self._add("rename-session", change.rename_session, self._path(session, "session"), session, name)

    def rename_window(self, window: Window, name: str) -> None:
        """Record a new name for a window."""
        self._add("rename-window", change.rename_window, self._path(window, "window"), window, name)

    def select_layout(self, window: Window, layout: str) -> None:
        """Record a layout; see `Window.select_layout`."""
        self._add("select-layout", change.select_layout, self._path(window, "window"), window, layout)

    def select_window(self, window: Window, session: Session | None = None) -> None:
        """Record which window becomes the current one; as for `Window.select`."""
        of_window = self._path(window, "window")[:1]
        path = of_window if session is None else self._path(session, "session")
        self._add("select-window", change.select_window, path, window, session)

    def select_pane(self, pane: Pane) -> None:
        """Record which pane becomes the active one."""
        self._add("select-pane", change.select_pane, self._path(pane, "pane")[:2], pane)

    def set_title(self, pane: Pane, title: str) -> None:
        """Record a pane's title."""
        self._add("select-pane", change.set_title, self._path(pane, "pane"), pane, title)

    def resize(self, target: Window | Pane, width: int | None = None, height: int | None = None) -> None:
        """Record a size for the target, a window or a pane; as for `Pane.resize`."""
        self._add("resize", change.resize, self._path(target, "window", "pane")[:2], target, width, height)

    def send_text(self, pane: Pane, text: str) -> None:
        """Record text to type; see `Pane.send_text`."""
        self._add("send-keys", terminal.send_text, self._path(pane, "pane"), pane, text)

    def send_keys(self, pane: Pane, *keys: str) -> None:
        """Record keys to press; see `Pane.send_keys`."""
        self._add("send-keys", terminal.send_keys, self._path(pane, "pane"), pane, keys)

    def kill(self, target: Session | Window | Pane) -> None:
        """Record the end of the target, a session, window or pane."""
        self._add("kill", change.kill, self._path(target, "session", "window", "pane"), target)


def _placeholder(argument: Any) -> Any:
    if isinstance(argument, Slot):
        return getattr(_NOTHING, argument.kind)
    if isinstance(argument, SessionRef | WindowRef | PaneRef):
        return type(argument)(_NOWHERE, argument.id)  # type: ignore[arg-type]  # an id of its own kind
    return argument


def run_plan(
    place: Place, plan: Plan, stop_on_failure: bool, on_item: Callable[[int, PlanItem], None] | None = None
) -> Operation[list[PlanItem]]:
    """Run a plan wave by wave; return what became of each step, in the order of recording.

    A step whose slots were not made is skipped; with `stop_on_failure` so is every later wave after a failure.
    `on_item` is called with the number and the outcome of each step that was run, when its wave is over.
    """
    steps = plan._steps
    items = [PlanItem(step.name, "skipped") for step in steps]
    for wave in range(1, plan.waves + 1):
        if stop_on_failure and any(item.status in ("failed", "unknown") for item in items):
            break
        ready = [n for n, step in enumerate(steps) if step.wave == wave and _made(step, items)]
        operations = [
            steps[n].function(place, *[_resolved(argument, items) for argument in steps[n].arguments]) for n in ready
        ]
        results: list[Result] = []
        # Processes keep no order among themselves, so there one operation ends before the next begins.
        for some in [operations] if place.generation is not None else [[operation] for operation in operations]:
            results += yield from gather(some)
        for n, result in zip(ready, results, strict=True):
            items[n] = PlanItem(steps[n].name, _status(result.error), result.value, result.error)
            if on_item is not None:
                on_item(n, items[n])
    return items


def _made(step: _Step, items: list[PlanItem]) -> bool:
    return all(items[slot.step].status == "completed" for slot in step.arguments if isinstance(slot, Slot))


def _resolved(argument: Any, items: list[PlanItem]) -> Any:
    return getattr(items[argument.step].value, argument.kind) if isinstance(argument, Slot) else argument


def _status(error: MuxwrightError | None) -> Literal["completed", "failed", "skipped", "unknown"]:
    if error is None:
        return "completed"
    if isinstance(error, CommandError):
        return "failed"
    if error.sent:
        return "unknown"
    return "skipped" if isinstance(error, _NOT_SENT) else "failed"
