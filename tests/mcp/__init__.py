"""Tests of the MCP server: handlers without the SDK, and the protocol with real clients."""
