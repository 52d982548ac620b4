"""Run a program in each of three panes at once, and print their screens as they are ready."""

import asyncio

from muxwright import AsyncOwnedServer, AsyncPane


async def screen_with(pane: AsyncPane, text: str) -> str:
    """Return the pane's screen as soon as it shows `text`."""
    async with asyncio.timeout(5):
        while text not in (screen := await pane.capture()):
            await asyncio.sleep(0.01)
    return str(screen)


async def main() -> None:
    async with AsyncOwnedServer() as server:
        # A program that stays: a pane ends with its program.
        session = await server.new_session("hello", shell_command="echo pane 1; exec cat")
        async with await server.connect(session) as tmux:
            first = await (await tmux.get_session("hello")).active_pane()
            second = await first.split("right", shell_command="echo pane 2; exec cat")
            third = await second.split("below", shell_command="echo pane 3; exec cat")
            panes = [first, second, third]
            for screen in await asyncio.gather(*(screen_with(p, f"pane {n}") for n, p in enumerate(panes, 1))):
                print(screen)


asyncio.run(main())
