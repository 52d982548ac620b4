"""Shells: the text that frames a command, and the records in a pane's output that prove its beginning and its end.

Pure: bytes and text, no input or output.
"""
