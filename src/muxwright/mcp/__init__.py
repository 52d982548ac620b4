"""The MCP server: tools with which an agent works in terminals, each result saying what was proved.

- `catalogue`, `schemas`, `capability`, `validate`: what is offered, as data, and the check of arguments;
- `policy`, `targets`, `errors`: who may do what to which pane, and how a refusal reads;
- `endpoint`, `application`, `context`: the tmux server behind it and what lives from one call to the next;
- `tools/`: the handlers, a dict in and a dict out, which know nothing of the protocol;
- `server`, `stdio`: the only files that know the SDK.
"""
