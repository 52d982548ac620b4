"""Every capability once, as a generator of requests: no sockets, no clocks, no threads.

An operation yields a `Request` and receives its sections; the driver of a transport (blocking or asyncio) runs it. So
the logic is the same for both, and is tested by feeding sections.
"""
