"""Run commands in the shell of a pane and report their exit statuses and output, both proved."""

from muxwright import OwnedServer

COMMANDS = (
    "printf 'no newline at the end'",
    "for n in 1 2 3; do echo $n; done; exit 7",
    "false",
    "cat <<EOF\n$((6 * 7))\nEOF",
)

with OwnedServer() as server, server.connect(server.new_session("run", command=["sh"])) as tmux:
    pane = tmux.get_session("run").active_pane()
    for command in COMMANDS:
        result = pane.run(command, timeout=20)
        print(f"{result.exit_status}: {result.output.splitlines()[-1:]}")
    # What takes too long is not given up: it goes on as a job.
    result = pane.run("echo begun; read answer; echo got $answer", timeout=0.5)
    job = result.job
    assert job is not None
    print(result.outcome, job.status().state)
    pane.send_text("42")
    pane.send_keys("Enter")
    print(job.wait().output.splitlines()[-1])
