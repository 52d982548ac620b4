# Generated from _async/running.py by tools/generate_sync.py: do not edit.
"""Running commands in the shell of a pane."""

from __future__ import annotations

from muxwright._sync.handle import Handle
from muxwright._sync.job import Job
from muxwright.model.outcome import RunOutcome
from muxwright.operations import jobs
from muxwright.operations.runs import Options
from muxwright.refs import PaneRef
from muxwright.transports.cancellation import CancellationToken

__all__ = ["Running"]


class Running(Handle[PaneRef]):
    """Commands in a pane."""

    def run(
        self,
        command: str,
        *,
        suppress_history: bool = False,
        keep_state: bool = False,
        shared: bool = False,
        timeout: float = jobs.RUN_TIMEOUT,
        cancel: CancellationToken | None = None,
    ) -> RunOutcome[Job]:
        """Run a command in the shell of the pane and return its exit status and output, both proved.

        The text is staged in a private file, and the shell is made to read it by one short line: so it can be of any
        length, with quotes, several lines and here-documents. It runs in a subshell: `exit`, `cd`, `set -e` and syntax
        errors stay in it; a fish has none, there it is a `fish` of its own. With `keep_state` it runs in the pane's own
        shell, so that `cd` and `export` persist (and `exit` ends the shell).

        After `timeout` seconds (default 30) it goes on as `RunOutcome.job`. `suppress_history`: the line begins with a
        blank. Shells: sh, dash, ash, bash, zsh, ksh93, mksh, fish.

        Refused before anything is typed: `NotAShell`; `PaneReserved` while another command of this process runs there;
        `PaneAttended` while a person looks at the pane, unless `shared`; `PaneSynchronized`; `PaneDead`, `PaneInMode`,
        `PaneInputOff`.
        """
        operation = jobs.run_command(
            self._place, self.host._jobs, self.ref, command, Options(suppress_history, keep_state, shared)
        )
        outcome = self._run(operation, timeout, cancel)
        return outcome.with_job(None if outcome.job is None else Job(self.host, outcome.job))

    def start(
        self,
        command: str,
        *,
        suppress_history: bool = False,
        keep_state: bool = False,
        shared: bool = False,
        timeout: float | None = None,
    ) -> Job:
        """Start a command as `run` does and return at once, with a job that tells what becomes of it.

        Raises like `run`, and `TooManyJobs` while 32 are running.
        """
        operation = jobs.start_job(
            self._place, self.host._jobs, self.ref, command, Options(suppress_history, keep_state, shared)
        )
        return Job(self.host, self._run(operation, timeout))

    def job(self) -> Job | None:
        """Return the job that runs in this pane, as far as this server or connection has started one."""
        for run in self.host._jobs:
            if run.pane == self.ref and run.outcome is None:
                return Job(self.host, run)
        return None
