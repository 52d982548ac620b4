"""Modules that the user may have: they are looked for when they are first needed, and never depended on."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from muxwright.errors import UnsupportedCapability

__all__ = ["optional"]


def optional(module: str, operation: str, package: str | None = None) -> Any:
    """Return a module; raises `UnsupportedCapability`, with how to install it (`package`), when it is not there.

    >>> optional("painter", "drawing")
    Traceback (most recent call last):
    muxwright.errors.UnsupportedCapability: drawing needs painter (pip install painter), but this is a Python without it
    """
    try:
        return resolve_name(module)
    except ImportError as error:
        needs = f"{module} (pip install {package or module})"
        raise UnsupportedCapability(operation, needs=needs, has="a Python without it") from error
