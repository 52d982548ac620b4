"""Where private directories are made."""

from __future__ import annotations

import os
from collections.abc import Mapping

__all__ = ["short_base"]


def short_base(environment: Mapping[str, str]) -> str:
    """Return a short private place: a socket path has about 100 bytes, and some temporary directories use them up."""
    runtime = environment.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_RUNTIME_DIR") or ""
    usable = runtime and os.path.isdir(runtime) and os.access(runtime, os.W_OK) and len(runtime) < 60
    return runtime if usable else "/tmp"
