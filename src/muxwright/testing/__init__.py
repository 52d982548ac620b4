"""Testing terminal programs: `expect`, and the pytest plugin beside it.

    from muxwright.testing import expect

    pane.send_keys("Down", "Enter")
    expect(pane.get_by_text("Saved")).to_be_visible()

Everything a test looks at is a pane of a real tmux; `expect` waits for what the pane prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    from muxwright import AsyncExpectation, AsyncLocator, AsyncPane, Expectation, Locator, Pane

__all__ = ["AsyncExpectation", "Expectation", "expect"]


@overload
def expect(target: Pane | Locator) -> Expectation: ...
@overload
def expect(target: AsyncPane | AsyncLocator) -> AsyncExpectation: ...
def expect(target: Pane | Locator | AsyncPane | AsyncLocator) -> Expectation | AsyncExpectation:
    """Return the assertions about a pane or a locator; those of async handles are awaited."""
    # Not before: pytest loads this package at each start, for the plugin in it.
    from muxwright import Expectation, Locator, Pane

    if isinstance(target, Pane | Locator):
        return Expectation(target)
    from muxwright import AsyncExpectation

    return AsyncExpectation(target)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'muxwright.testing' has no attribute {name!r}")
    import muxwright

    return getattr(muxwright, name)
