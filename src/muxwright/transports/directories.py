"""Where private directories are made, and how those are found whose maker was killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
from collections.abc import Mapping

__all__ = ["hold", "remove", "short_base", "sweep"]

_AGE = 60.0  # seconds after which a directory that nobody holds was left: between its making and its lock is a moment


def short_base(environment: Mapping[str, str]) -> str:
    """Return a short private place: a socket path has about 100 bytes, and some temporary directories use them up."""
    runtime = environment.get("XDG_RUNTIME_DIR") or os.environ.get("XDG_RUNTIME_DIR") or ""
    usable = runtime and os.path.isdir(runtime) and os.access(runtime, os.W_OK) and len(runtime) < 60
    return runtime if usable else "/tmp"


def hold(directory: str, descriptors: list[int]) -> None:
    """Lock a directory; the system gives that up when this process ends, in whatever way, or closes the descriptor."""
    # Filled from C, so that Ctrl-C cannot lose a descriptor.
    descriptors.extend(map(os.open, [directory], [os.O_RDONLY | os.O_DIRECTORY]))
    with contextlib.suppress(OSError):  # where there are no locks, nobody else gets one either
        fcntl.flock(descriptors[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)


def remove(directory: str) -> None:
    """Remove a directory and all that is in it, also while others still make files there by its name.

    Under another name nothing of theirs can come between the files and the directory itself. Idempotent.
    """
    gone = f"{directory}.gone"
    with contextlib.suppress(OSError):
        os.rename(directory, gone)
    shutil.rmtree(gone, ignore_errors=True)


def sweep(base: str, prefix: str) -> None:
    """Remove the directories of ours in `base` that were held once and no longer are."""
    with contextlib.suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            if entry.name.startswith(prefix):
                _remove_left(entry.path)


def _remove_left(directory: str) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            found = os.fstat(descriptor)
            if found.st_uid == os.geteuid() and time.time() - found.st_mtime > _AGE:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(directory)
        finally:
            os.close(descriptor)
