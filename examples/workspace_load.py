"""Load a workspace with two panes on a private server, check layout and focus, and freeze it again."""

import os

from muxwright import OwnedServer
from muxwright.workspace import apply, expand, freeze, plan, validate

with OwnedServer() as server:
    directory = os.path.realpath(os.path.dirname(server.socket_path))
    config = validate(
        {
            "session_name": "workspace-example",
            "options": {"default-shell": "/bin/sh"},
            "windows": [
                {
                    "window_name": "editor",
                    "window_index": 0,
                    "layout": "even-horizontal",
                    "focus": True,
                    "panes": [
                        {"shell_command": [{"cmd": "printf ready", "enter": False}]},
                        {"focus": True},
                    ],
                }
            ],
        }
    )
    result = apply(server, plan(expand(config, base_directory=directory)))
    assert result.status == "complete" and result.session is not None

    (link,) = server.snapshot().session(result.session.id).links
    left, right = link.window.panes
    assert (link.index, link.active) == (0, True)
    assert [left.active, right.active] == [False, True]
    assert left.width + right.width + 1 == link.window.width and abs(left.width - right.width) <= 1

    frozen = validate(freeze(server, result.session))
    (editor,) = frozen.windows
    assert (editor.window_name, editor.focus) == ("editor", True)
    assert [pane.focus for pane in editor.panes] == [False, True]
    assert {pane.start_directory for pane in editor.panes} == {directory}
    print("Loaded 1 window and 2 panes; frozen names, layout, paths and focus")
