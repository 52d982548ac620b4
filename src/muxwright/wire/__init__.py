"""The wire: bytes to events, arguments to bytes, and the small languages tmux speaks. All pure.

Nothing here reads a clock, opens a socket or starts a process: `layout` (window layouts), `keys` (key names) and
`versions` (what a tmux can do) are plain functions over text, beside the codecs of the control and process transports.
"""
