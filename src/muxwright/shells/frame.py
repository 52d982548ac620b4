"""The shell text around a command: it proves that the command began, and how it ended.

The text stands in a private file that the pane's shell reads (``. '/path'``); one compound command is all of it, so the
shell has read it completely before it does anything. It becomes a subshell, takes note of options and traps that it
must not trip over, *claims* the run, empties its own file, prints the opening record, runs the command in another
subshell with everything restored, writes the status to a file and prints the closing record.

What makes it hold:

- The claim is a file that is created exclusively. We create the same file when we give up: so either the command runs
  or it never will, and both sides know.
- The command is one quoted word for `eval`: a syntax error, `exit` or `set -e` ends the inner subshell only.
- Aliases are avoided by a backslash, functions by `builtin`, or because a special builtin goes before them.
- The outer subshell has traps that do nothing for INT, QUIT and TERM, and the inner one does not inherit them: C-c ends
  the command and not the frame. (It would inherit signals that are ignored.)
- The nonce of the closing record is in no variable, and by the time the command runs in no file.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from muxwright.shells.records import Records

__all__ = ["SHELLS", "Dialect", "Frame", "Paths"]

Dialect = Literal["posix", "sh", "ksh", "bash", "zsh", "fish"]

SHELLS: dict[str, Dialect] = {
    **dict.fromkeys(("ash", "dash"), "posix"),
    **dict.fromkeys(("ksh", "ksh93", "mksh", "lksh", "oksh", "pdksh"), "ksh"),
    "sh": "sh",
    "bash": "bash",
    "zsh": "zsh",
    "fish": "fish",
}
"""The shells that can be driven, by the name that tmux shows (``pane_current_command``)."""


class Paths(NamedTuple):
    """The files of one run: the frame, the claim, the status and the traps, all in `directory`."""

    directory: str

    @property
    def frame(self) -> str:
        return f"{self.directory}/frame"

    @property
    def probe(self) -> str:
        return f"{self.directory}/probe"

    @property
    def claim(self) -> str:
        return f"{self.directory}/claim"

    @property
    def status(self) -> str:
        return f"{self.directory}/status"

    @property
    def traps(self) -> str:
        return f"{self.directory}/traps"


_FLAGS = r"""{{ {do}set -- '' "$-" ${{1+"$@"}}; {do}set +evx; }} 2>/dev/null"""
_TRACE = "case $2 in *x*) {do}shift 2; {do}set -x ;; *) {do}shift 2 ;; esac"
# A group: what is switched on in it stays silent until the command.
_TRACE_AND_TRAPS = (
    "{{\n"
    + _TRACE
    + """
'"$1"'
}} 2>/dev/null"""
)


class _Words(NamedTuple):
    """What a dialect says differently.

    `do` stands before special builtins, `call` before others, `evaluate` before the command where it runs in the pane's
    own shell; `say` prints its argument, escapes decoded. `prepare` makes the traps (text) and the flags of the shell
    the first two arguments, and switches both off; `restore` is done last before the command.
    """

    do: str
    call: str
    evaluate: str
    say: str
    prepare: str
    restore: str = _TRACE


# Special builtins go before functions.
_POSIX = _Words("\\", r"\command ", r"\command eval", r"\command printf", _FLAGS)
# mksh has no printf of its own.
_KSH = _POSIX._replace(say=r"\command print -n --")
# Functions go before everything.
_BUILTIN = _Words(r"\builtin ", r"\builtin ", r"\builtin eval", r"\builtin printf", _FLAGS)
# A subshell has DEBUG and ZERR too.
_ZSH = _BUILTIN._replace(
    restore=_TRACE_AND_TRAPS,
    prepare=_FLAGS
    + r"""
\builtin trap >| {traps}
\builtin trap - DEBUG ZERR
\builtin shift
\builtin set -- "$(<{traps})" "$@"
""".rstrip(),
)
# In POSIX mode special builtins go before functions. With -E and -T a subshell has ERR, DEBUG and RETURN too. It asks
# for bash first: as `sh`, it may be any shell.
_BASH = _POSIX._replace(
    prepare=r"case ${{BASH_VERSION+bash}}${{POSIXLY_CORRECT+posix}} in bash) POSIXLY_CORRECT=muxwright ;; esac"
    + "\n"
    + _FLAGS
    + r"""
case ${{BASH_VERSION+bash}}$2 in bash*E*) \trap -p ERR >> {traps} ;; esac
case ${{BASH_VERSION+bash}}$2 in bash*T*) \trap -p RETURN DEBUG >> {traps} ;; esac
case ${{BASH_VERSION+bash}}$2 in bash*[ET]*)
\trap - ERR RETURN DEBUG
\shift
\set -- "$(<{traps})" "$@" ;;
esac""",
    restore=_TRACE_AND_TRAPS.replace(
        "esac\n", "esac\ncase ${{POSIXLY_CORRECT-}} in muxwright) \\unset POSIXLY_CORRECT ;; esac\n"
    ),
)

_IN_A_SUBSHELL: dict[Dialect, _Words] = {
    "posix": _POSIX,
    "sh": _BASH,
    "ksh": _KSH,
    "bash": _BASH,
    "zsh": _ZSH,
    "fish": _POSIX,
}
_IN_THE_SHELL: dict[Dialect, _Words] = {
    "posix": _POSIX,
    "sh": _POSIX,
    "ksh": _KSH,
    "bash": _BUILTIN,
    "zsh": _BUILTIN,
}

_BEGIN = r"""(
{do}trap '' INT QUIT TERM
{do}unset -f command print printf
{do}set -C
{call}: > {claim} || {do}exit 1
{call}: >| {frame}
{say} '{opening}' > /dev/tty
) 2>/dev/null"""

_END = r"""{do}set -- "$?"
{do}unset -f command kill print printf 2>/dev/null
{{ {say} '{nonce}'" $1"'\n' >| {status}; }} 2>/dev/null
{say} '{before}'"$1"'{after}' > /dev/tty
{call}kill -0 {owner} 2>/dev/null || \command rm -rf {directory}"""

_SUBSHELL = r"""(
{prepare}
{do}trap ' ' INT QUIT TERM
if {begin}
then
(
{do}eval 'case $2 in *e*) {do}set -e ;; esac
{restore}
'{command}
)
{end}
fi
{do}exit 0
)
"""

# fish has no subshell: a fish of its own, the third argument of the `sh` that reads this, runs the command.
_FOR_FISH = r"""(
{prepare}
{do}trap ' ' INT QUIT TERM
if {begin}
then
( {do}exec "$3" -c {command} )
{end}
fi
)
"""

_KEEPING_STATE = r"""if {begin}
then
{evaluate} {command}
(
{end}
) >/dev/null 2>&1
fi
"""

_KEEPING_STATE_OF_FISH = r"""if builtin printf '' >?{claim} 2>/dev/null
builtin printf '' >{frame}
builtin printf '{opening}' >/dev/tty
eval {command}
{end}end
"""

_END_IN_FISH = r"""begin
set -l muxwright_status $status
builtin printf '{nonce} %s\n' $muxwright_status >{status}
builtin printf '{before}%s{after}' $muxwright_status >/dev/tty
end
"""


class Frame(NamedTuple):
    """One run as a shell sees it: of which dialect, where its files are, what it prints.

    `owner`: the process that removes the files; when that is gone, the frame does. `keep_state`: the command runs in
    the pane's own shell, and changes it.
    """

    dialect: Dialect
    paths: Paths
    records: Records
    owner: int
    keep_state: bool = False

    @property
    def typed_line(self) -> str:
        """The line that makes the pane's shell read the text."""
        if self.dialect != "fish":
            return f". {self.paths.frame}"
        return f"source {self.paths.frame}" if self.keep_state else f"/bin/sh {self.paths.frame} (status fish-path)"

    def text(self, command: str) -> str:
        """Return the text of the frame around a command."""
        if self.dialect == "fish":
            if self.keep_state:
                return self._fill(
                    _KEEPING_STATE_OF_FISH, command=_quote_for_fish(command), end=self._fill(_END_IN_FISH)
                )
            # Not as the text of -c itself: fish answers a syntax error there with status 0.
            return self._fill(_FOR_FISH, command=_quote(f"eval {_quote_for_fish(command)}"))
        # A newline behind it, which ends what needs one: a here-document, a comment.
        return self._fill(_KEEPING_STATE if self.keep_state else _SUBSHELL, command=_quote(command + "\n"))

    @property
    def probe_line(self) -> str:
        """The line that makes the pane's shell read the probe."""
        return f"{'source' if self.dialect == 'fish' else '.'} {self.paths.probe}"

    def probe(self) -> str:
        """Return the text that prints the closing record after an interrupt that has taken the frame with it."""
        if self.dialect == "fish":
            return self._fill(_END_IN_FISH)
        return self._fill("(\n{end}\n) 2>/dev/null\n")

    def _fill(self, template: str, **more: str) -> str:
        words = (_IN_THE_SHELL if self.keep_state and self.dialect != "fish" else _IN_A_SUBSHELL)[self.dialect]
        before, after = self.records.closing
        escape = _escape_in_fish if template in (_KEEPING_STATE_OF_FISH, _END_IN_FISH) else _escape
        values = {
            **words._asdict(),
            **{name: getattr(self.paths, name) for name in ("directory", "frame", "claim", "status", "traps")},
            "opening": escape(self.records.opening),
            "nonce": self.records.closing_nonce,
            "before": escape(before),
            "after": escape(after),
            "owner": str(self.owner),
        }
        for name, part in (("prepare", words.prepare), ("restore", words.restore), ("begin", _BEGIN), ("end", _END)):
            values[name] = part.format(**values)
        return template.format(**{**values, **more})


def _escape(text: str) -> str:
    """Return a record as a format of `printf`: written in full, an echo of the source would be one."""
    return text.replace("\\", "\\\\").replace("\x1b", "\\033").replace("\x07", "\\007").replace("\n", "\\n")


def _escape_in_fish(text: str) -> str:
    # Its single quotes halve backslashes.
    return _escape(text).replace("\\", "\\\\")


def _quote(text: str) -> str:
    return "'" + text.replace("'", r"'\''") + "'"


def _quote_for_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
