"""The stages of a load as operations: begin, build, conclude, and the way back.

Everything is made in a session of our own, also what is appended to another one in the end. So what this load made is
exactly what is in that session, and taking it back is ending it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from muxwright.commands.create import PRINT, Program, read_created
from muxwright.commands.listings import describe_server, listing, read_server
from muxwright.commands.names import check_session_name
from muxwright.errors import AlreadyExists, CommandError, MuxwrightError, NoSessions, ServerNotRunning
from muxwright.model.infos import PaneInfo
from muxwright.model.snapshot import Snapshot
from muxwright.operations import change, observe, settings, topology
from muxwright.operations.create import CreatedRefs, created_refs
from muxwright.operations.plan import PlanItem, run_plan
from muxwright.operations.steps import Operation, Place, output
from muxwright.refs import PaneRef, SessionId, SessionRef, WindowRef
from muxwright.wire.layout import LAYOUT_NAMES
from muxwright.wire.request import Command, Request
from muxwright.wire.rows import Column, decode_text_rows
from muxwright.workspace import marks
from muxwright.workspace.config import SHELL
from muxwright.workspace.deliver import Delivery, deliver
from muxwright.workspace.evidence import HOOK, Evidence
from muxwright.workspace.planning import PlanStep
from muxwright.workspace.recorder import Recorder
from muxwright.workspace.script import run_script
from muxwright.workspace.sketch import Sketch

__all__ = ["Load"]

HOLDING = 2**31 - 1
"""The index of the window that holds the session while nothing else is in it; no file can ask for it."""


class Load(Evidence):
    """One load, with its first two stages as operations: `begin`, then `build`."""

    # --- begin ---

    def begin(self, place: Place) -> Operation[None]:
        """Make the session, with our mark on it in the same queue item."""
        self.stage("creating")
        yield from self._look(place)
        for number, step in self.steps("before_create"):
            for line in step.arguments["lines"]:
                self.result.unknown_effects.append("hooks.before_create")
                yield from run_script(place, ["/bin/sh", "-c", line], None, self.environment, None, self.output)
            self.report(number, "completed")
        ((number, step),) = self.steps("create_session")
        words = self._session_words(step)
        *sections, told = yield Request((*map(Command, words), describe_server()), starts_server=True)
        refs = created_refs(place, read_created(output(sections[0], "new-session", self.name), "new-session"))
        self.session, self.holder = refs.session, refs
        for section, one in zip(sections[1:], words[1:], strict=True):
            output(section, one[0].decode(), self.name)
        _, self.version = read_server(output(told, "display-message"))
        self.result.created.append(str(refs.session))
        self.report(number, "completed")

    def _session_words(self, step: PlanStep) -> list[tuple[bytes, ...]]:
        """Return the commands that make and mark the session; its name comes last, since not every name is a target."""
        name = check_session_name(self.name)
        passing = f"muxwright-{self.run}".encode()
        target = b"=" + passing + b":"
        width, height = step.arguments["size"]
        directory = step.arguments["directory"]
        program = Program(["cat"], None, directory if directory and os.path.isdir(directory) else None)
        size = (b"-x", b"%d" % width, b"-y", b"%d" % height)
        make = (b"new-session", b"-d", *PRINT, *size, b"-s", passing, b"-n", b"muxwright")
        options = {
            marks.RUN: self.run,
            marks.STATE: "building",
            marks.SOURCE: self.plan.workspace.source_path or "",
            "renumber-windows": "off",
            "destroy-unattached": "off",
        }
        words = [(*make, *program.options(), *program.argv())]
        words += [(b"set-option", b"-t", target, option.encode(), os.fsencode(options[option])) for option in options]
        words.append((b"move-window", b"-s", target, b"-t", target + str(HOLDING).encode()))
        if name != passing:
            words.append((b"rename-session", b"-t", target, b"--", name))
        return words

    def _look(self, place: Place) -> Operation[None]:
        """Refuse a name that is taken, and see whether a client of ours could do harm when it leaves."""
        columns = (Column("session_name"), Column(marks.STATE))
        option = (b"show-options", b"-gv", b"destroy-unattached")
        try:
            sessions, unattached = yield Request((listing("sessions", columns), Command(option)))
            rows = decode_text_rows(output(sessions, "list-sessions"), 2)
        except (ServerNotRunning, NoSessions):
            return
        self.connectable = unattached.text in (b"off", b"")
        states = dict(rows)
        if self.name in states:
            half = " (half built by a load that did not end)" if states[self.name] == "building" else ""
            raise AlreadyExists(
                f"a session {self.name!r} is there already{half}: attach to it, reconcile it, append to it or end it",
                command="new-session",
            )

    # --- build ---

    def build(self, place: Place) -> Operation[None]:
        """Make all windows and panes, then type when the shells are ready, then finish."""
        for number, step in self.steps("before_script"):
            self.stage("before_script")
            self.result.unknown_effects.append("before_script")
            arguments = step.arguments
            limits = (arguments["directory"], self.environment, arguments["timeout"])
            yield from run_script(place, arguments["argv"], *limits, self.output)
            self.report(number, "completed")
        self._directories()
        self.stage("building")
        yield from self._settings(place)
        yield from self._build(place)
        yield from self._deliver(place)
        self.stage("finishing")
        yield from self._finish(place)

    def _directories(self) -> None:
        """A directory that is not there would silently become another one."""
        seen = set()
        for _, step in self.steps("create_session", "create_window", "split_pane"):
            directory = step.arguments.get("directory")
            if directory and directory not in seen and not os.path.isdir(directory):
                seen.add(directory)
                message = f"the directory {directory} is not there"
                if not self.plan.workspace.forgiving:
                    raise MuxwrightError(f"{message}; make it in before_script, or correct start_directory")
                self.warn(message)

    def _run(self, place: Place, recorder: Recorder, numbers: list[int | None]) -> Operation[list[PlanItem]]:
        """Run what was recorded; `numbers` says for which step of ours each of its steps was."""

        def note(index: int, item: PlanItem) -> None:
            number = numbers[index]
            if self.guest and isinstance(item.value, CreatedRefs):
                self.moved.append(item.value.pane)
            if number is not None:
                self.report(number, item.status, "" if item.error is None else str(item.error))

        items = yield from run_plan(place, recorder, True, note)
        for item in items:
            if item.error is not None:
                raise item.error
        return items

    @contextlib.contextmanager
    def _recording(self, number: int) -> Iterator[None]:
        """Tell what is refused without asking tmux as the failure of its step."""
        try:
            yield
        except MuxwrightError as error:
            self.report(number, "failed", str(error))
            raise

    def _settings(self, place: Place) -> Operation[None]:
        assert self.session is not None, "the session was made"
        recorder, numbers = Recorder(), list[int | None]()
        for number, step in self.steps("set_option", "set_environment"):
            arguments = step.arguments
            name, value = arguments["name"], arguments["value"]
            if step.window is not None or (step.action == "set_option" and self.is_late(step)):
                continue
            with self._recording(number):
                if step.action == "set_environment":
                    recorder.set_environment(self.session, name, value)
                elif arguments["scope"] == "session":
                    recorder.set_option(self.session, name, value)
                else:
                    self.result.unknown_effects.append(f"the {arguments['scope']} option {name}")
                    recorder.set_option(arguments["scope"], name, value)
            numbers.append(number)
        yield from self._run(place, recorder, numbers)

    def _build(self, place: Place) -> Operation[None]:
        assert self.session is not None, "the session was made"
        base = yield from settings.get_option(place, self.session, "base-index", None, True)
        indexes = self._indexes(base if isinstance(base, int) else 0)
        sketch = Sketch(self.plan, self.session, indexes)
        after = {number for number, _ in self._after_typing()}
        for number, step in self.steps("create_window", "set_option", "split_pane", "select_layout"):
            if step.window is None or number in after or (step.action == "set_option" and self.is_late(step)):
                continue
            with self._recording(number):
                sketch.record(number, step)
        yield from self._build_from(place, sketch)

    def _build_from(self, place: Place, sketch: Sketch) -> Operation[None]:
        """Make what was recorded, and note what it is."""
        there = {*self.windows.values(), *self.panes.values()}
        items = yield from self._run(place, sketch.recorder, sketch.numbers)
        self.windows, self.panes = sketch.resolve(items)
        made = [ref for ref in (*self.windows.values(), *self.panes.values()) if ref not in there]
        self.result.created += [str(ref) for ref in made]

    def _indexes(self, base: int) -> dict[int, int]:
        """Return each window's index: as asked, or the lowest that is free and that no other window asks for."""
        wanted = {number: step.arguments["index"] for number, step in self._windows()}
        taken = {index for index in wanted.values() if index is not None}
        found = {}
        free = base
        for number, index in wanted.items():
            if index is None:
                while free in taken:
                    free += 1
                index = free
                taken.add(index)
            found[number] = index
        return found

    def _windows(self) -> Iterator[tuple[int, PlanStep]]:
        for _, step in self.steps("create_window"):
            assert step.window is not None, "a step of a window"
            yield step.window, step

    def _after_typing(self) -> Iterator[tuple[int, PlanStep]]:
        """Yield the steps of windows and panes that come when all commands are typed."""
        for number, step in self.steps("set_option", "set_title", "focus_pane", "zoom_pane", "focus_window"):
            if step.action != "set_option" or step.arguments.get("after"):
                yield number, step

    # --- type ---

    def _deliver(self, place: Place) -> Operation[None]:
        """Wait for all shells together and type each pane's commands."""
        assert self.session is not None, "the session was made"
        per_pane: dict[tuple[int, int], list[tuple[int, PlanStep]]] = {}
        for number, step in self.steps("wait_ready", "send_command"):
            assert step.window is not None and step.pane is not None, "a step of a pane"
            if step.action == "wait_ready" and not self.readiness:
                self.report(number, "skipped", "readiness is off")
                continue
            per_pane.setdefault((step.window, step.pane), []).append((number, step))
        if not per_pane:
            return
        self.stage("typing")
        snapshot = yield from observe.take_part(place, self.session)
        provable = yield from self._provable(place)
        if any(step.action == "wait_ready" for steps in per_pane.values() for _, step in steps):
            self.handshake.start()
        deliveries = [
            Delivery(
                self.panes[position],
                _tty(snapshot, self.panes[position]),
                f"windows[{position[0] - 1}].panes[{position[1] - 1}] ({self.panes[position]})",
                steps,
                provable or self._pane_shell(position) is not None,
                self.report,
            )
            for position, steps in per_pane.items()
        ]
        yield from deliver(place, deliveries, self.handshake)

    def _pane_shell(self, position: tuple[int, int]) -> str | None:
        return self.plan.workspace.windows[position[0] - 1].panes[position[1] - 1].shell

    def _provable(self, place: Place) -> Operation[bool]:
        """Return whether what tmux starts by default is a shell that can prove to be ready."""
        assert self.session is not None, "the session was made"
        command = yield from settings.get_option(place, self.session, "default-command", None, True)
        shell = yield from settings.get_option(place, self.session, "default-shell", None, True)
        return SHELL.fullmatch(str(command or shell)) is not None

    # --- finish ---

    def _finish(self, place: Place) -> Operation[None]:
        """Set what had to wait, arm the layouts, and remove the window that held the session."""
        assert self.session is not None and self.holder is not None, "the session was made"
        snapshot = yield from observe.take_part(place, self.session)
        self._note_dead(snapshot)
        present = {info.id for info in snapshot.session(self.session.id).panes}
        recorder, numbers = Recorder(), list[int | None]()
        for number, step in self._after_typing():
            if step.pane is not None and self.panes[step.window or 0, step.pane].id not in present:
                self.report(number, "skipped", "its pane is gone")
                continue
            with self._recording(number):
                self._record_finish(recorder, step)
            numbers.append(number)
        for number, window in self.windows.items():
            self._restore(recorder, number, window, snapshot)
        recorder.kill(self.holder.window)
        numbers += [None] * (len(recorder) - len(numbers))
        yield from self._run(place, recorder, numbers)
        if self.host is not None:
            yield from self._move(place, self.host)

    def _note_dead(self, snapshot: Snapshot) -> None:
        for (window, pane), ref in self.panes.items():
            info = _pane(snapshot, ref)
            if info is None or info.dead:
                status = None if info is None else info.exit_status
                self.result.dead[ref.id] = status
                said = "ended" if status is None else f"ended with status {status}"
                self.warn(f"windows[{window - 1}].panes[{pane - 1}] ({ref}): its program has {said}")

    def _record_finish(self, recorder: Recorder, step: PlanStep) -> None:
        window = self.windows[step.window or 0]
        if step.action == "focus_window":
            recorder.select_window(window, self.session)
        elif step.action == "set_option":
            recorder.set_option(window, step.arguments["name"], step.arguments["value"])
        else:
            pane = self.panes[step.window or 0, step.pane or 0]
            if step.action == "set_title":
                recorder.set_title(pane, step.arguments["title"])
            elif step.action == "focus_pane":
                recorder.select_pane(pane)
            else:
                recorder.zoom(pane)

    def _restore(self, recorder: Recorder, number: int, window: WindowRef, snapshot: Snapshot) -> None:
        """Give a window its own ``remain-on-exit`` back, and have its layout applied to the first real size."""
        options = {**self.plan.workspace.windows[number - 1].options}
        if "remain-on-exit" in options:
            recorder.set_option(window, "remain-on-exit", options["remain-on-exit"])
        else:
            recorder.unset_option(window, "remain-on-exit")
        layout = self.plan.workspace.windows[number - 1].layout
        info = next(
            (info for info in snapshot.windows_of(snapshot.session(self._session_id)) if info.ref == window), None
        )
        if layout in LAYOUT_NAMES and info is not None and len(info.panes) > 1:
            changed = f"#{{||:#{{!=:#{{window_width}},{info.width}}},#{{!=:#{{window_height}},{info.height}}}}}"
            # The first change of the layout is either a new size, or somebody's own change, which stays.
            forget = f"set-hook -uw -t {window.id} window-layout-changed[{HOOK}]"
            again = f"if-shell -F -t {window.id} '{changed}' 'select-layout -t {window.id} {layout}'"
            recorder.set_hook(window, "window-layout-changed", f"{forget} ; {again}", HOOK)

    @property
    def _session_id(self) -> SessionId:
        assert self.session is not None, "the session was made"
        return self.session.id

    def _move(self, place: Place, host: SessionRef) -> Operation[None]:
        """Give the windows to the session they are for; ours ends with the last one."""
        assert self.session is not None, "the session was made"
        ours = yield from observe.take_part(place, self.session)
        theirs = yield from observe.take_part(place, host)
        taken = {link.index for link in theirs.session(host.id).links}
        wanted = {self.windows[number]: step.arguments["index"] for number, step in self._windows()}
        for link in ours.session(self.session.id).links:
            window = link.window.ref
            index = wanted.get(window)
            yield from topology.move_window(
                place, link.ref, host, None if index in taken else index, False, False, True
            )
            self.moved.append(window)
        if self.take_focus:
            focused = next(step.window for _, step in self.steps("focus_window"))
            yield from change.select_window(place, self.windows[focused or 1], host)


def _pane(snapshot: Snapshot, ref: PaneRef) -> PaneInfo | None:
    try:
        return snapshot.pane(ref.id)
    except (CommandError, LookupError):
        return None


def _tty(snapshot: Snapshot, ref: PaneRef) -> str | None:
    info = _pane(snapshot, ref)
    return None if info is None else info.tty
