r"""Patterns of the Rust family, matched by google-re2: both are linear in the text, whatever the pattern.

The dialects differ at the edges. ``\w``, ``\d`` and ``\s`` mean Unicode there and ASCII in re2, so they are written out
as Unicode classes; what re2 would read in another sense (``[a&&b]``, ``[x[y]]``, ``\<``, ``\b{start}``) is refused, and
so is what only re2 knows. ``\b`` alone stays: beside letters that are not ASCII it finds no boundary.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from muxwright.errors import UnsupportedCapability, UnsupportedCriterion, WireCriteriaError
from muxwright.model.optional import optional

__all__ = ["compile_pattern", "translated"]

_TOKEN: Final = re.compile(r"\\.|\[:\^?[a-z]+:\]|&&|--|~~|.", re.DOTALL)
# Letters, marks, digits, connectors, joiners, and the letters in circles and squares.
_WORD: Final = (
    r"\p{L}\p{M}\p{Nl}\p{Nd}\p{Pc}\x{200c}\x{200d}\x{24b6}-\x{24e9}"
    r"\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189}"
)
_SPACE: Final = r"\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
_CLASSES: Final = {r"\w": _WORD, r"\d": r"\p{Nd}", r"\s": _SPACE}
_NEGATED: Final = {r"\W": _WORD, r"\D": r"\p{Nd}", r"\S": _SPACE}
_ONLY_RE2: Final = re.compile(r"\\[0-9CQE]")
_OTHERWISE: Final = re.compile(r"\\[<>]|\\[bB]\{", re.DOTALL)


def compile_pattern(pattern: str, *, ignore_case: bool, path: str) -> Callable[[str], bool]:
    """Return the function that searches a text for a pattern.

    Raises `WireCriteriaError` (``invalid_regex``) for what is no pattern, and `UnsupportedCriterion` for what re2 does
    not do in the same sense, or when google-re2 is not installed.
    """
    try:
        re2 = optional("re2", "a pattern of filter-v1", "google-re2")
    except UnsupportedCapability as error:
        raise UnsupportedCriterion("filter_v1", path, str(error)) from None
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        search = re2.compile(translated(pattern, path), options).search
    except (re2.error, UnicodeError):
        raise WireCriteriaError("invalid_regex", path, "the pattern is none that re2 can compile") from None
    return lambda text: search(text) is not None


def translated(pattern: str, path: str) -> str:
    r"""Return the pattern in re2's dialect; see the module.

    >>> translated(r"^\d+$", "$")
    '^[\\p{Nd}]+$'
    """
    if _OTHERWISE.search(pattern.replace("\\\\", "")):
        raise UnsupportedCriterion("filter_v1", path, "re2 has no such word boundary")
    out: list[str] = []
    opened = -1  # where in `out` the class begins, or -1 outside of one
    for token in _TOKEN.findall(pattern):
        if _ONLY_RE2.fullmatch(token):
            raise WireCriteriaError("invalid_regex", path, "the pattern has an escape that is not of the dialect")
        if opened < 0:
            token = _outside(token)
            opened = len(out) if token == "[" else -1
        elif token == "]" and out[opened + 1 :] not in ([], ["^"]):
            opened = -1
        else:
            token = _inside(token, path)
        out.append(token)
    return "".join(out)


def _outside(token: str) -> str:
    if token in _CLASSES:
        return f"[{_CLASSES[token]}]"
    return f"[^{_NEGATED[token]}]" if token in _NEGATED else token


def _inside(token: str, path: str) -> str:
    if token in ("&&", "--", "~~", "[") or token in _NEGATED:
        raise UnsupportedCriterion("filter_v1", path, "re2 has no operations on character classes")
    return _CLASSES.get(token, token)
