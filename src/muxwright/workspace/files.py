"""Find workspace files where their users keep them; nothing there is changed.

Names are looked for in ``~/.config/muxwright`` (``$XDG_CONFIG_HOME``) and where tmuxp looks: ``$TMUXP_CONFIGDIR``,
``~/.config/tmuxp``, ``~/.tmuxp``. A directory may hold one file of its own: ``.muxwright.yaml`` or ``.tmuxp.yaml``.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from muxwright.errors import MuxwrightError
from muxwright.workspace.document import SUFFIXES
from muxwright.workspace.faults import near

__all__ = ["WorkspaceFile", "WorkspaceFileNotFound", "directories", "find_file", "list_files"]

_LOCAL = tuple(f"{stem}{suffix}" for stem in (".muxwright", ".tmuxp") for suffix in SUFFIXES)


class WorkspaceFileNotFound(MuxwrightError, FileNotFoundError):
    """No workspace file is there by that name; the message says where was looked."""

    def __str__(self) -> str:
        return str(self.args[0])


class WorkspaceFile(NamedTuple):
    """A file that was found: its name without the suffix, its path, and where it belongs."""

    name: str
    path: str
    source: Literal["local", "global"]


def directories(environment: Mapping[str, str]) -> list[str]:
    """Return the directories that hold workspaces by name, in the order of looking; not all need be there."""
    home = environment.get("HOME", "")
    config = environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    found = [os.path.join(config, "muxwright")]
    if given := environment.get("TMUXP_CONFIGDIR"):
        found.append(os.path.expanduser(given))
    found += [os.path.join(config, "tmuxp"), os.path.join(home, ".tmuxp")]
    return list(dict.fromkeys(path for path in found if os.path.isabs(path)))


def find_file(name: str, environment: Mapping[str, str], directory: str | None = None) -> WorkspaceFile:
    """Return the file that `name` stands for: a path, a directory with a file of its own, or a name.

    A relative path counts from `directory` (default: the current one). What is there as a path is never taken for a
    name. Raises `WorkspaceFileNotFound`.
    """
    base = directory or os.getcwd()
    path = os.path.normpath(os.path.join(base, os.path.expanduser(name)))
    if os.path.isfile(path):
        return WorkspaceFile(_stem(path), path, "local")
    if os.path.isdir(path):
        for local in _LOCAL:
            if os.path.isfile(candidate := os.path.join(path, local)):
                return WorkspaceFile(_stem(candidate), candidate, "local")
        if "/" in name or name in (".", ".."):
            raise WorkspaceFileNotFound(f"the directory {path} holds none of {', '.join(_LOCAL)}")
    if "/" not in name:
        for place in directories(environment):
            for suffix in ("", *SUFFIXES):
                candidate = os.path.join(place, name + suffix)
                if os.path.isfile(candidate) and os.path.splitext(candidate)[1].lower() in SUFFIXES:
                    return WorkspaceFile(_stem(candidate), candidate, "global")
    known = [file.name for file in list_files(environment, base)]
    looked = ", ".join([base, *directories(environment)])
    raise WorkspaceFileNotFound(f"no workspace {name!r} was found{near(name, known)} (looked in {looked})")


def list_files(environment: Mapping[str, str], directory: str | None = None) -> list[WorkspaceFile]:
    """Return the files of the directories up to the home directory, then those by name, sorted."""
    found = list(_local(environment, directory or os.getcwd()))
    names: set[str] = set()
    for place in directories(environment):
        try:
            entries = sorted(os.listdir(place))
        except OSError:
            continue
        for entry in entries:
            stem, suffix = os.path.splitext(entry)
            path = os.path.join(place, entry)
            if suffix.lower() in SUFFIXES and not entry.startswith(".") and stem not in names and os.path.isfile(path):
                names.add(stem)
                found.append(WorkspaceFile(stem, path, "global"))
    return found


def _local(environment: Mapping[str, str], directory: str) -> Iterator[WorkspaceFile]:
    home = environment.get("HOME", "")
    place = os.path.abspath(directory)
    while True:
        for local in _LOCAL:
            if os.path.isfile(path := os.path.join(place, local)):
                yield WorkspaceFile(_stem(path), path, "local")
        above = os.path.dirname(place)
        if place in (home, above):
            return
        place = above


def _stem(path: str) -> str:
    stem = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(path)) if stem in (".muxwright", ".tmuxp") else stem
