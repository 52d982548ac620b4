"""The only place with sockets, processes, threads and clocks.

`endpoint` says where a server listens and how a tmux process is started there; `blocking` and `aio` run operations over
a process per request (the default, no footprint) or over one control connection; `daemon` owns a private server;
`fake` is a scripted server for tests.
"""
