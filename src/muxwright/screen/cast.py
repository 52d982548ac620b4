"""asciicast files, versions 2 and 3: one JSON value a line, the header first, then events."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from muxwright.errors import InvalidArgument

__all__ = ["Cast", "CastEvent", "CastWriter", "read_cast", "without_questions"]

_CODES = "oimrx"
# Status, cursor, device and version reports.
_QUESTIONS = re.compile("\033\\[(?:\\??[56]n|[>=]?0?c|>0?q)")


class CastEvent(NamedTuple):
    """`time`: seconds from the start. `code`: ``o`` output, ``i`` input, ``m`` marker, ``r`` resize, ``x`` exit."""

    time: float
    code: str
    data: str


@dataclass
class Cast:
    """A recording: its size in cells, its title and its events in order."""

    width: int
    height: int
    title: str = ""
    events: list[CastEvent] = field(default_factory=list)

    @property
    def duration(self) -> float:
        """Seconds up to the last event."""
        return self.events[-1].time if self.events else 0.0


def without_questions(output: str) -> str:
    """Return output without what asks the terminal something: in a replay nobody waits for the answer but the shell."""
    return _QUESTIONS.sub("", output)


class CastWriter:
    """Turns events into lines. `timestamp`: seconds since 1970 of the start, left out when ``None``."""

    def __init__(
        self, width: int, height: int, *, version: int = 3, title: str = "", timestamp: int | None = None
    ) -> None:
        if version not in (2, 3):
            raise InvalidArgument(f"an asciicast has the version 2 or 3, not {version!r}")
        self.version = version
        self._last = 0.0
        size = {"width": width, "height": height} if version == 2 else {"term": {"cols": width, "rows": height}}
        header: dict[str, Any] = {"version": version, **size}
        if timestamp is not None:
            header["timestamp"] = timestamp
        if title:
            header["title"] = title
        self.header = json.dumps(header, ensure_ascii=False) + "\n"

    def line(self, event: CastEvent) -> str:
        """Return the line of one event; times must not run backwards. Version 2 knows no exit: that line is empty."""
        if self.version == 2 and event.code == "x":
            return ""
        # Version 3 counts from the event before; what rounding leaves goes to the next one.
        shown = round(event.time if self.version == 2 else max(event.time - self._last, 0.0), 6)
        self._last = event.time if self.version == 2 else self._last + shown
        return json.dumps([shown, event.code, event.data], ensure_ascii=False) + "\n"


def read_cast(text: str) -> Cast:
    """Return the recording in a file of version 2 or 3; raises `InvalidArgument` with the number of a wrong line."""
    lines = text.split("\n")
    header = _value(lines[0], 1)
    if not isinstance(header, dict) or header.get("version") not in (2, 3):
        raise InvalidArgument("not an asciicast: expected a header with version 2 or 3 in line 1")
    term = header.get("term") if header["version"] == 3 else {"cols": header.get("width"), "rows": header.get("height")}
    width, height = (term.get(name) if isinstance(term, dict) else None for name in ("cols", "rows"))
    if not (_is_size(width) and _is_size(height)):
        raise InvalidArgument("not an asciicast: the header in line 1 has no size from 1 to 10000")
    cast = Cast(int(width), int(height), str(header.get("title") or ""))  # type: ignore[arg-type]  # numbers
    now = 0.0
    for number, line in enumerate(lines[1:], 2):
        if not line.strip() or line.startswith("#"):
            continue
        event = _value(line, number)
        if not (isinstance(event, list) and len(event) == 3 and _is_time(event[0]) and isinstance(event[1], str)):
            raise InvalidArgument(f"not an asciicast: line {number} is no event [time, code, data]")
        now = float(event[0]) if header["version"] == 2 else now + float(event[0])
        if event[1] in _CODES:
            cast.events.append(CastEvent(now, event[1], str(event[2])))
    return cast


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 10000


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9


def _value(line: str, number: int) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise InvalidArgument(f"not an asciicast: line {number} is not JSON") from None
