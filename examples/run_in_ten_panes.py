"""Run a command in ten panes at once."""

import asyncio

from muxwright import AsyncOwnedServer


async def main() -> None:
    async with AsyncOwnedServer() as server:
        session = await server.new_session("ten", size=(160, 100), command=["sh"])
        async with await server.connect(session) as tmux:
            window = tmux.window(await session.active_window())
            panes = [await window.active_pane()]
            while len(panes) < 10:
                panes.append(await panes[-1].split("below", command=["sh"]))
                await window.select_layout("tiled")
            runs = [pane.run(f"echo pane {number}; exit {number}") for number, pane in enumerate(panes)]
            for result in await asyncio.gather(*runs):
                print(result.exit_status, result.output.strip())


asyncio.run(main())
