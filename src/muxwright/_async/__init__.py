"""The async handles, written by hand; `tools/generate_sync.py` writes `_sync` from them.

A handle is a ref and the host that executes for it. Each method is one line: which operation, with which arguments.
"""
