"""The text in a terminal's byte stream: what a program printed, without the sequences that place and colour it.

This is the stream and not the screen: a line that is drawn again in place repeats.
"""

from __future__ import annotations

import codecs
import re

__all__ = ["TextFilter", "plain_text"]

_STRING_LIMIT = 64 * 1024
"""Bytes that a string sequence may have; one that is longer was never ended, and must not swallow what follows."""

# A string ends with BEL or ESC \; a control that no string holds (a newline, CAN, SUB, the ESC of another sequence)
# cuts it off. The data of a DCS (pictures) may hold newlines. At the end of the data: an ESC was taken from there.
_SEQUENCE = re.compile(
    rb"\x1b(?:"
    rb"\[[0-?]*[ -/]*[@-~]"
    rb"|[\]X^_][^\x07\x1b\n\x18\x1a]{0,%(limit)d}(?:\x07|\x1b\\|[\x18\x1a]|(?=\n)|(?=\x1b[^\\])|\Z)"
    rb"|P[^\x07\x1b\x18\x1a]{0,%(limit)d}(?:\x07|\x1b\\|[\x18\x1a]|(?=\x1b[^\\])|\Z)"
    rb"|[ -/]*[0-OQ-WYZ\\`-~]"
    rb"|(?=\x1b)"
    rb")" % {b"limit": _STRING_LIMIT}
)
# What may become one of them with the next bytes.
_UNFINISHED = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*|[\]X^_][^\x07\x1b\n\x18\x1a]{0,%(limit)d}\x1b?|P[^\x07\x1b\x18\x1a]{0,%(limit)d}\x1b?"
    rb"|[ -/]*)\Z" % {b"limit": _STRING_LIMIT}
)
# What puts the cursor elsewhere than the next cell: the text on either side of it does not belong together.
_MOVE = re.compile(rb"\x1b\[[0-?]*[A-HJd-fruG`]|\x1b[8MDE]")
_LINE_END = re.compile("\r+\n?")
_ERASED = re.compile("[^\n\b]\b")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class TextFilter:
    """Turns a stream, fed in pieces of any size, into text.

    Escape sequences are dropped. A line end (CR LF) and a lone CR are newlines; a backspace erases the character before
    it in the same piece; other controls than TAB are dropped. Bytes that are no UTF-8 become U+FFFD. `apart`: a
    sequence that moves the cursor becomes a newline, so that text from two places is not joined.
    """

    def __init__(self, *, apart: bool = False) -> None:
        self._apart = apart
        self._pending = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, data: bytes, final: bool = False) -> str:
        """Return the text of the next bytes; what may be the beginning of a sequence waits for more.

        `final`: nothing more comes; what waits is dropped.
        """
        data = self._pending + data
        self._pending = b""
        if b"\x1b" in data or data.endswith(b"\r"):
            if (unfinished := _UNFINISHED.search(data)) is not None:
                data, self._pending = data[: unfinished.start()], unfinished.group()
            if self._apart:
                data = _MOVE.sub(b"\n", data)
            data = _SEQUENCE.sub(b"", data)
            # A CR may be the first half of a line end, also with a sequence between the halves.
            text_end = len(data.rstrip(b"\r"))
            data, self._pending = data[:text_end], data[text_end:] + self._pending
        if final and self._pending.startswith(b"\r"):
            data += b"\n"
        text = self._decoder.decode(data, final)
        if "\r" in text:
            text = _LINE_END.sub("\n", text)
        while "\b" in text and (shorter := _ERASED.sub("", text)) != text:
            text = shorter
        return _CONTROL.sub("", text)


def plain_text(data: bytes) -> str:
    """Return the text of a whole stream."""
    return TextFilter().feed(data, final=True)
