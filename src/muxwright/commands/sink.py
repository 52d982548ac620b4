"""The shell text that tmux runs to bring us what a pane prints.

What it must never do: block tmux (a full pipe ends it instead), outlive us (it ends when the fifo ``life`` does), or
leave anything behind. Its own words go to the fifo ``status``, where no pane can write: ``open`` with the process id of
its `dd`, then in the end that one's exit status: 0 - tmux closed the pipe, 1 - it was cut off, since nobody read.
"""

from __future__ import annotations

import shlex

__all__ = ["sink"]

# Opened for both directions first: opening a fifo for one waits for the other end, for ever if we are gone by then.
# The shell lets go of the pane's stream (3) before it does anything that could wait; only `dd` has it then. It speaks
# once somebody is there to end `dd`, and not before: if we are gone, that write ends the shell.
_SCRIPT = """\
d={directory}
exec 5<>"$d/life" 6<>"$d/data" 7<>"$d/status" || exit
exec 3<&0 4>"$d/data" 8<"$d/life" 9>"$d/status" 5<&- 6<&- 7<&- </dev/null >/dev/null
dd bs=65536 oflag=nonblock <&3 >&4 8<&- 9>&- &
p=$!
exec 3<&- 4>&-
(exec 9>&-; read x <&8; kill $p) &
w=$!
exec 8<&-
echo open $p >&9
wait $p
s=$?
kill $w
[ ! -d "$d" ] || rm -rf "$d"
echo $s >&9
"""


def sink(directory: str) -> str:
    """Return the shell text of a sink for the fifos in `directory`."""
    return _SCRIPT.format(directory=shlex.quote(directory))
