"""Screens as data: cells read from a capture, compared, searched, and shown as text, ANSI, HTML and SVG. Pure."""
