"""Strings that break things, for Hypothesis: random text of any code point, and what means something to someone."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["FRAGMENTS", "hostile_bytes", "hostile_text"]

FRAGMENTS = (
    # tmux formats, commands and targets
    *(
        "#",
        "##",
        "#{pid}",
        "#(id)",
        "#[fg=red]",
        "##[x]",
        "#{",
        "}",
        "{",
        "%",
        "%%",
        "%H",
        "%end 1 2 1",
        "%begin 1 2 1",
    ),
    *(
        ";",
        "\\;",
        ";;",
        " ; kill-server",
        "{ kill-server }",
        "@1",
        "$1",
        "%0",
        "=",
        ":",
        ".",
        "!",
        "*",
        "?",
        "[a-z]",
        "+",
    ),
    # shells and the tmux command language
    *(
        "$HOME",
        "${x}",
        "$",
        "$$",
        "$_",
        "~",
        "~root",
        "`id`",
        "$(id)",
        "'",
        '"',
        "\\",
        "\\n",
        "\\033",
        "\\$",
        "&",
        "|",
        ">",
    ),
    # options and keys
    *("-", "--", "-t", "-l", "-", "Enter", "C-c", "Space", "M-x", "-X cancel"),
    # control characters
    *(
        "\0",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "\a",
        "\b",
        "\x1b]2;x\x07",
        "\x1b[201~",
        "\x7f",
        "\x80",
        "\x85",
        "\x9b",
        " ",
        "  ",
    ),
    # Unicode: wide, joined, combining, direction, separators, unassigned, private, lone surrogates
    *(
        "é",
        "日本",
        "😀",
        "👩\u200d👩",
        "e\u0301",
        "\u0301",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\u2029",
        "\xa0",
        "\xad",
    ),
    *("\u0378", "\ue000", "\U0010ffff", "\ufffe", "\ufffd", "\ud800", "\udcff", "\udc80", "␞", "\U0001f1e9\U0001f1ea"),
)

_ANY = st.characters(exclude_categories=())
_PIECES = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(_ANY, max_size=3)), max_size=5).map("".join)


def hostile_text() -> st.SearchStrategy[str]:
    """Any text: made of hostile fragments, of one of them, of random code points, or plain enough to be accepted."""
    return st.one_of(
        _PIECES,
        st.sampled_from(FRAGMENTS),
        st.text(_ANY, max_size=10),
        st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=12),
        st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=8),
    )


def hostile_bytes() -> st.SearchStrategy[bytes]:
    """Any bytes, broken UTF-8 included."""
    text = hostile_text().map(lambda text: text.encode("utf-8", "surrogatepass"))
    return st.one_of(
        st.binary(max_size=16), text, st.sampled_from([b"\xff", b"\xc3", b"\xe6\x97", b";", b"\xff;", b"\0"])
    )
