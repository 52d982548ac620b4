"""One function for each tmux command: literal arguments in, a `Command` out; and what its answer means.

`guards` binds an act to its object's identity and state, `names` says which names tmux keeps unchanged, `refusals`
turns tmux's messages into typed errors. Nothing here talks to tmux.
"""
