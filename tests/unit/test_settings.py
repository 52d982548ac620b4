"""Options and hooks without tmux: what it prints, what is known of each option, what operations ask."""

from __future__ import annotations

from typing import Any

import pytest

from muxwright.commands.refusals import refusal
from muxwright.commands.settings import Entry, chain, decode_command, decode_string, hook_body, read_entries
from muxwright.errors import (
    AmbiguousOption,
    BadValue,
    CommandError,
    InvalidArgument,
    PaneNotFound,
    RemoteProtocolError,
    UnknownOption,
)
from muxwright.model.options import merge_entries, option_spec, option_value, value_text, varies
from muxwright.model.options_table import ROWS, VERSIONS
from muxwright.operations import settings
from muxwright.operations.steps import Place
from muxwright.refs import Generation, PaneId, PaneRef, ServerIdentity, SessionId, SessionRef
from muxwright.wire.request import Section
from muxwright.wire.versions import TmuxVersion

SERVER = ServerIdentity("/s", Generation(1, 2))
PANE = PaneRef(SERVER, PaneId("%3"))
SESSION = SessionRef(SERVER, SessionId("$4"))
PLACE = Place("/s", lambda: 0.0, lambda: "token")

# What tmux prints for a string, and the string. 3.4 puts one backslash more before what looks like a variable.
STRINGS = [
    (b"plain", "plain"),
    (b"''", ""),
    (b'" "', " "),
    (rb"\"", '"'),
    (rb"\'", "'"),
    (rb"\~", "~"),
    (rb"\~root", "~root"),
    (rb"\\", "\\"),
    (rb"\\n", "\\n"),
    (rb"\n", "\n"),
    (b"'a\"b'", 'a"b'),
    (rb"""'a"b\\'""", 'a"b\\'),
    (rb'"a\tb\nc \"d\" \033[0m \377\303A"', 'a\tb\nc "d" \x1b[0m \udcff\udcc3A'),
    (rb'"\a\b\f\r\v \0333"', "\a\b\f\r\v \x1b3"),
    (rb'"\$HOME ${5} $5 $"', "$HOME ${5} $5 $"),
    (rb'"\\\$HOME"', "\\$HOME"),
    (rb'"\\$5"', "\\$5"),
    (rb'"\\\\$5"', "\\\\$5"),
    (rb'"\\$HOME"', "$HOME"),  # 3.4
    (rb'"\\\\$HOME \\${x}"', "\\$HOME ${x}"),  # 3.4
    (rb'"\\\\\\$_"', "\\\\$_"),  # 3.4
    ("é日😀".encode(), "é日😀"),
    (b"#112233", "#112233"),
]


@pytest.mark.parametrize(("printed", "value"), STRINGS)
def test_strings(printed: bytes, value: str) -> None:
    assert decode_string(printed) == value
    assert read_entries(b"status-left " + printed) == [Entry("status-left", None, printed)]
    assert read_entries(b"user-keys[7] " + printed + b"\nmouse on") == [
        Entry("user-keys", 7, printed),
        Entry("mouse", None, b"on"),
    ]
    if b" " not in printed or printed[:1] == b'"':
        assert read_entries(b"@x " + printed) == [Entry("@x", None, printed)]
        assert read_entries(b"@x y " + printed) == [Entry("@x y", None, printed)]


def test_broken_replies_are_errors() -> None:
    for text in (b"Mouse on", b"[0] x", b"@x", b'@x "open', b"\n", b"mouse on\n\nstatus on", b"=x y"):
        with pytest.raises(RemoteProtocolError):
            read_entries(text)
    for raw in (b'"', b"'", b'"open', b"'open\""):
        with pytest.raises(RemoteProtocolError):
            decode_string(raw)
    assert read_entries(b"") == []
    assert read_entries(b"user-keys") == [Entry("user-keys", None, None)]


def test_commands_keep_tmuxs_text() -> None:
    text = r'display-message "a \$HOME \"x\" \\\$y" ; if-shell -F 1 { list-keys } { list-keys }'
    assert decode_command(text.encode()) == text
    assert decode_command(rb'display-message "a \\$HOME \\\\$y"') == r'display-message "a \$HOME \\\$y"'  # 3.4


def test_hook_bodies() -> None:
    assert hook_body("list-keys ; list-keys") == b"list-keys ; list-keys"
    assert hook_body(["set-option", "@x", b"\xff;"]) == rb"""set-option '@x' ''"\377"';'"""
    assert hook_body(["display-message", "-p", "$HOME"]) == b"display-message '-p' '$HOME'"


def test_the_table_reads_and_no_name_begins_one_that_another_version_lacks() -> None:
    masks: dict[str, int] = {}
    for line in ROWS.splitlines():
        name, scopes, mask, kind = line.split(" ")[:4]
        assert set(scopes) <= set("sgwp") and len(mask) == len(VERSIONS) and kind.removesuffix("[]")
        assert masks.get(name, 0) & int(mask, 2) == 0
        masks[name] = masks.get(name, 0) | int(mask, 2)
    # tmux would take such a name for the longer one: a read or write of another option.
    hazards = [
        (name, other)
        for name, mask in masks.items()
        for other, theirs in masks.items()
        if other != name and other.startswith(name) and theirs & ~mask
    ]
    assert hazards == []


def test_specs_by_version() -> None:
    def kind(name: str, version: str | None) -> str:
        spec = option_spec(name, None if version is None else TmuxVersion.parse(version))
        assert spec is not None
        return spec.kind

    assert kind("destroy-unattached", "3.2a") == kind("destroy-unattached", "3.4") == "flag"
    assert kind("destroy-unattached", "3.5a") == kind("destroy-unattached", None) == "choice"
    assert kind("destroy-unattached", "master") == kind("destroy-unattached", "4.0") == "choice"
    assert kind("theme", "3.3a") == "choice", "tmux itself says whether it has it"
    assert varies("destroy-unattached") and not varies("mouse") and not varies("no-such")
    assert option_spec("no-such") is None
    spec = option_spec("pane-border-style", TmuxVersion.parse("3.3a"))
    assert spec is not None and spec.scopes == "w"
    keys = option_spec("user-keys")
    assert keys is not None and keys.is_array and keys.kind == "string"
    hook = option_spec("pane-died")
    assert hook is not None and hook.is_array and hook.kind == "hook" and hook.scopes == "wp"


def test_values_by_kind() -> None:
    assert option_value("flag", "perhaps") == "perhaps"
    assert option_value("number", "-3") == -3
    assert option_value("number", "x") == "x"
    assert option_value("string", "3") == "3"
    mouse, limit, status = map(option_spec, ("mouse", "history-limit", "status"))
    assert mouse is not None and limit is not None and status is not None
    assert (value_text(mouse, True), value_text(mouse, "on"), value_text(mouse, b"off")) == ("on", "on", b"off")
    assert (value_text(limit, 5), value_text(status, 2), value_text(status, False)) == ("5", "2", "off")
    for spec, value in ((mouse, 1), (mouse, ""), (limit, True), (limit, 2.5), (status, None)):
        with pytest.raises(InvalidArgument, match=spec.name):
            value_text(spec, value)  # type: ignore[arg-type]  # wrong on purpose


def test_the_merged_view_loses_nothing() -> None:
    entries = {5: "xterm*:RGB", 0: "xterm*:clipboard:title", 3: "*:U8=0", 9: "xterm*"}
    assert merge_entries(entries) == {"xterm*": ["clipboard", "title", "RGB"], "*": ["U8=0"]}
    assert merge_entries({0: "*:Ss=a::b"}) == {"*": ["Ss=a:b"]}
    assert merge_entries({0: "a=b=c"}, "=") == {"a": ["b", "c"]}


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("invalid option: layout", UnknownOption),
        ("unknown option: x", UnknownOption),
        ("ambiguous option: status-l", AmbiguousOption),
        ("bad value: can't find pane", BadValue),
        ("unknown value: layout", BadValue),
        ("value is too large: 9", BadValue),
        ("value is invalid: x", BadValue),
        ("empty value", BadValue),
        ("bad colour: x", BadValue),
        ("invalid colour: x", BadValue),
        ("invalid style: x", BadValue),
        ("bad key: x", BadValue),
        ("not a suitable shell: x", BadValue),
        ("not an array: x[1]", BadValue),
        ("can't find pane: %3", PaneNotFound),
        ("unknown command: invalid option: x", CommandError),
    ],
)
def test_refusals(message: str, error: type[Exception]) -> None:
    assert type(refusal(message.encode(), "set-option")) is error


# --- operations -------------------------------------------------------------------------------------------------------


def drive(operation: Any, *answers: tuple[Section, ...]) -> tuple[Any, list[list[bytes]]]:
    """Run an operation with these answers; return its result and the commands it sent."""
    sent: list[list[bytes]] = []
    replies = iter(answers)
    try:
        request = next(operation)
        while True:
            sent.append([b" ".join(command.words) for command in request.commands])
            request = operation.send(next(replies))
    except StopIteration as stop:
        return stop.value, sent


def done(*texts: bytes) -> tuple[Section, ...]:
    return tuple(Section("done", text) for text in texts)


def test_a_read_is_one_request_along_the_parents() -> None:
    operation = settings.get_option(PLACE, PANE, "@x", None, True)
    failed = Section("failed", b"invalid option: @x")
    value, sent = drive(operation, (failed, *done(b""), Section("failed", b"invalid option: @x")))
    assert value is None
    assert sent == [[b"show-options -p -t %3 @x", b"show-options -w -t %3 @x", b"show-options -g -w @x"]]
    assert chain(SESSION, True) == [(b"-t", b"$4"), (b"-g",)]
    assert chain("server", True) == [(b"-s",)]
    value, _ = drive(settings.get_option(PLACE, PANE, "@x", None, True), (failed, *done(b"@x ''", b"@x y")))
    assert value == ""


def test_the_version_is_asked_only_where_it_matters() -> None:
    operation = settings.get_option(PLACE, "global_session", "destroy-unattached", None, False)
    value, sent = drive(operation, done(b"3.3a"), done(b"destroy-unattached on"))
    assert value is True
    assert sent == [[b"display-message -p #{version}"], [b"show-options -g destroy-unattached"]]
    value, sent = drive(settings.list_options(PLACE, "server", False), done(b"3.3a", b"buffer-limit 5\nnew-one a"))
    assert value == {"buffer-limit": 5, "new-one": "a"}
    assert sent == [[b"display-message -p #{version}", b"show-options -s"]]


def test_an_option_that_is_not_in_the_table_is_looked_up_in_tmux() -> None:
    answer = done(b"new-one on", b"mouse on\nnew-one on", b"mouse on\nnew-one on\nnew-hook")
    value, sent = drive(settings.get_option(PLACE, SESSION, "new-one", None, False), answer, done(b""))
    assert value is None
    assert sent == [
        [b"show-options -g new-one", b"show-options -g", b"show-options -g -H"],
        [b"show-options -t $4 new-one"],
    ]
    answer = done(b"new-hook", b"mouse on", b"mouse on\nnew-hook")
    value, _ = drive(settings.get_hook(PLACE, SESSION, "new-hook", False), answer, done(b"new-hook"))
    assert value == {}
    answer = done(b"new-one on", b"window-style* default\n@x y", b"window-style* default")
    with pytest.raises(InvalidArgument, match="not listed"):
        drive(settings.get_option(PLACE, PANE, "new-one", None, False), answer)
    answer = done(b"new-one[0] a", b"new-one[0]* a\nnew-one[1]* b", b"")
    operation = settings.set_option(PLACE, PANE, "new-one", {3: "b"}, None)
    _, sent = drive(operation, answer, done(b"", b""))
    assert sent[1] == [b"set-option -p -t %3 -- new-one ", b"set-option -p -t %3 -- new-one[3] b"]
    with pytest.raises(UnknownOption, match="never completed"):
        drive(settings.set_option(PLACE, SESSION, "new-o", "x", None), done(b"new-one on", b"", b""))
    with pytest.raises(InvalidArgument, match="toggle"):
        drive(settings.set_option(PLACE, "server", "new-one", "", None), done(b"new-one on", b"new-one on", b""))


def test_a_refused_command_is_a_bad_value_with_its_evidence() -> None:
    operation = settings.set_hook(PLACE, SESSION, "after-new-window", {1: "x", 0: "y"}, None)
    answer = (*done(b""), Section("failed", b"unknown command: y"), Section("skipped"))
    with pytest.raises(BadValue, match="after-new-window: unknown command: y") as caught:
        drive(operation, answer)
    assert (caught.value.effects, caught.value.target, caught.value.command) == ("possible", "$4", "set-hook")
    with pytest.raises(BadValue, match=r"expected .*keep-last"):
        drive(
            settings.set_option(
                PLACE._replace(version=TmuxVersion.parse("3.8")), SESSION, "destroy-unattached", "x", None
            ),
            (Section("failed", b"unknown value: x"),),
        )
    with pytest.raises(PaneNotFound):
        drive(settings.set_option(PLACE, PANE, "@x", "y", None), (Section("failed", b"can't find pane: %3"),))
