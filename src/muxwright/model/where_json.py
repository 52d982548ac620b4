"""Criteria documents as JSON text.

Size, nesting and the number of tokens are bounded before a single value is built; the reader keeps duplicate keys for
the check that refuses them, and takes no NaN, Infinity or endless number.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

from muxwright.errors import InvalidArgument, WireCriteriaError
from muxwright.model.criterion import Criterion
from muxwright.model.where_wire import decode_where, encode_where
from muxwright.model.wire_limits import SAFE_INTEGER, WhereLimits, WireObject

__all__ = ["MAX_INPUT_BYTES", "parse_json", "read_where_json", "write_json", "write_where_json"]

MAX_INPUT_BYTES: Final = 8 * 1024 * 1024

_DEFAULT = WhereLimits()
# A string (closed or not), a bracket, or a run of anything else: the parser judges the syntax, this only counts.
_TOKEN = re.compile(
    r'"(?P<string>[^"\\]*+(?:\\.[^"\\]*+)*+)"?|(?P<open>[{\[])|(?P<close>[}\]])|[^\s,:{}\[\]"]++', re.DOTALL
)
_ESCAPE_RATIO = 6  # the longest way to write one byte: \u0041


def write_where_json(criterion: Criterion, entity: str | None = None, *, limits: WhereLimits = _DEFAULT) -> str:
    """Return a criterion as compact JSON text; arguments and errors are those of `encode_where`.

    >>> from muxwright.model.criteria import WindowLinkWhere
    >>> write_where_json(WindowLinkWhere())
    '{"schema":"libtmux.julia.where","version":1,"entity":"windowlink","where":{"op":"fields","fields":[]}}'
    """
    return write_json(encode_where(criterion, entity, limits=limits))


def read_where_json(
    text: str | bytes, *, limits: WhereLimits = _DEFAULT, max_input_bytes: int = MAX_INPUT_BYTES
) -> Criterion:
    """Return the criterion of a JSON text (UTF-8 when it is bytes) of at most `max_input_bytes`, 8 MiB by default.

    Raises `WireCriteriaError`: ``limit`` beyond it or the `limits`, before anything is parsed, ``json`` for text that
    is no JSON, ``duplicate`` for a key that stands twice, and everything that `decode_where` raises.

    >>> from muxwright.model.criteria import PaneWhere
    >>> read_where_json(write_where_json(PaneWhere(dead=False)))
    PaneWhere(dead=False)
    """
    return decode_where(parse_json(text, limits, max_input_bytes), limits=limits)


def write_json(document: dict[str, Any]) -> str:
    """Return a document as compact JSON text."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def parse_json(text: str | bytes, limits: WhereLimits, max_input_bytes: int = MAX_INPUT_BYTES) -> Any:
    """Return the values of a JSON text, its objects as `WireObject`; see `read_where_json`."""
    if type(max_input_bytes) is not int or max_input_bytes < 1:
        raise InvalidArgument(f"max_input_bytes is a positive int, not {max_input_bytes!r}")
    if not isinstance(text, str | bytes):
        raise InvalidArgument(f"JSON is read from a str or bytes, not {type(text).__name__}")
    if len(text) > max_input_bytes:
        raise _limit(f"more than {max_input_bytes} bytes of JSON")
    try:
        raw = text if isinstance(text, bytes) else text.encode()
        source = raw.decode()
    except UnicodeError:
        raise WireCriteriaError("value", "$", "JSON is valid UTF-8") from None
    if len(raw) > max_input_bytes:
        raise _limit(f"more than {max_input_bytes} bytes of JSON")
    _scan(source, limits)
    try:
        return json.loads(
            source, object_pairs_hook=WireObject, parse_int=_integer, parse_float=_float, parse_constant=_constant
        )
    except ValueError as error:
        if isinstance(error, WireCriteriaError):
            raise
        raise WireCriteriaError("json", "$", f"no valid JSON: {error}") from None


def _limit(message: str) -> WireCriteriaError:
    return WireCriteriaError("limit", "$", message)


def _scan(source: str, limits: WhereLimits) -> None:
    depth = nodes = total = 0
    for token in _TOKEN.finditer(source):
        if token["close"]:
            depth -= 1
            continue
        nodes += 1
        if nodes > limits.max_nodes:
            raise _limit(f"more than {limits.max_nodes} JSON tokens")
        if token["open"]:
            depth += 1
            if depth > limits.max_depth:
                raise _limit(f"JSON nested more than {limits.max_depth} levels deep")
        elif (string := token["string"]) is not None:
            total += len(string)
            if len(string) > limits.max_string_bytes * _ESCAPE_RATIO:
                raise _limit(f"a JSON string of more than {limits.max_string_bytes} bytes")
            if total > limits.max_bytes * _ESCAPE_RATIO:
                raise _limit(f"more than {limits.max_bytes} bytes of JSON strings")


def _integer(digits: str) -> int:
    # An int() of a million digits takes its time.
    if len(digits) > len(str(-SAFE_INTEGER)):
        raise WireCriteriaError("value", "$", "an integer beyond the range that JSON keeps exactly")
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > 400:  # more than any float needs; float() of a megabyte takes its time
        raise WireCriteriaError("value", "$", "a number of more than 400 characters")
    return float(digits)


def _constant(name: str) -> NoReturn:
    raise WireCriteriaError("json", "$", f"{name} is no JSON")
