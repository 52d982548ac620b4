"""A screen as HTML."""

from __future__ import annotations

import html

from muxwright.screen.screen import Screen
from muxwright.screen.style import DEFAULT, Style
from muxwright.screen.theme import Theme, look, named_theme

__all__ = ["FONTS", "safe_link", "to_html"]

FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_DECORATIONS = {"single": "", "double": " double", "curly": " wavy", "dotted": " dotted", "dashed": " dashed"}


def safe_link(link: str | None) -> str | None:
    """Return an address that a page may link to; a program can print any, so only the usual schemes pass."""
    return link if link is not None and link.lower().startswith(("http://", "https://", "mailto:")) else None


def to_html(screen: Screen, theme: Theme | str = "dark") -> str:
    """Return one ``<pre>`` element with inline styles; links of programs work when they are of the web."""
    chosen = named_theme(theme)
    rows = ["".join(_run(text, style, chosen) for _, text, style in row.runs()) for row in screen.rows]
    css = f"color:{chosen.foreground};background:{chosen.background};font-family:{FONTS};line-height:1.25;padding:1em"
    return f'<pre class="muxwright-screen" style="{html.escape(css)}">' + "\n".join(rows) + "</pre>"


def _run(text: str, style: Style, theme: Theme) -> str:
    shown = html.escape(" " * len(text) if style.hidden else text)
    if style == DEFAULT:
        return shown
    span = f'<span style="{_css(style, theme)}">{shown}</span>'
    link = safe_link(style.link)
    return span if link is None else f'<a href="{html.escape(link)}" style="color:inherit">{span}</a>'


def _css(style: Style, theme: Theme) -> str:
    colours = look(theme, style)
    rules = [f"color:{colours.foreground}"]
    if colours.background is not None:
        rules.append(f"background:{colours.background}")
    if style.bold:
        rules.append("font-weight:bold")
    if style.italic:
        rules.append("font-style:italic")
    lines = [name for name, wanted in (("line-through", style.strike), ("overline", style.overline)) if wanted]
    if style.underline:
        lines.append(f"underline{_DECORATIONS[style.underline]}")
    if lines:
        rules.append(f"text-decoration:{' '.join(lines)}")
        rules.append(f"text-decoration-color:{colours.underline}")
    return ";".join(rules)
