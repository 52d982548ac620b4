"""Testing terminal programs: `expect`, and the pytest plugin beside it.

    from muxwright.testing import expect

    pane.send_keys("Down", "Enter")
    expect(pane.get_by_text("Saved")).to_be_visible()

Everything a test looks at is a pane of a real tmux; `expect` waits for what the pane prints.
"""

from __future__ import annotations

from typing import overload

from muxwright._async.expectation import AsyncExpectation
from muxwright._async.locator import AsyncLocator
from muxwright._async.pane import AsyncPane
from muxwright._sync.expectation import Expectation
from muxwright._sync.locator import Locator
from muxwright._sync.pane import Pane

__all__ = ["AsyncExpectation", "Expectation", "expect"]


@overload
def expect(target: Pane | Locator) -> Expectation: ...
@overload
def expect(target: AsyncPane | AsyncLocator) -> AsyncExpectation: ...
def expect(target: Pane | Locator | AsyncPane | AsyncLocator) -> Expectation | AsyncExpectation:
    """Return the assertions about a pane or a locator; those of async handles are awaited."""
    if isinstance(target, AsyncPane | AsyncLocator):
        return AsyncExpectation(target)
    return Expectation(target)
