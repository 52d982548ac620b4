"""Clients, suites and judges that others wrote, run against the server; `docs/conformance.md` has what they found."""
