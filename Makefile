# `make demo` and `make test` are all a newcomer needs: each makes .venv by itself.
# Needed: make, tmux and Python 3.11 or newer. Options: PYTHON=python3.12, ARGS="-k name", WORKERS=1, MUXWRIGHT_TEST_TMUX=/path/to/tmux.

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PYTHONS := $(or $(PYTHON),python3.11 python3 python3.12 python3.13 python3.14)
TMUX_UNDER_TEST := $(or $(MUXWRIGHT_TEST_TMUX),tmux)
MUXWRIGHT_SEED ?= 1
WORKERS ?= auto
# PIP_CONSTRAINT and not -c: it holds for the build environment (hatchling) too.
PIP_INSTALL := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip --disable-pip-version-check install --quiet

# Panes of tests and examples start a plain shell without the user's start-up files, and never the user's server.
export SHELL
export ENV := /dev/null
export BASH_ENV := /dev/null
export MUXWRIGHT_SEED
unexport TMUX
unexport TMUX_PANE
# Without compiled files each worker and each program that a test starts compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test check bench soak matrix conformance need-tmux

help:
	@echo 'make demo     drive a private tmux server and show what happened'
	@echo 'make test     all tests except the long ones'
	@echo 'make check    format, lint, types, layers, generated code, case list, house rules'
	@echo 'make docs     write the reference of all public names to docs/reference/api'
	@echo 'make soak     the long fault, fuzz and repeat tests (MUXWRIGHT_SEED=n)'
	@echo 'make bench    ratios against libtmux and the raw limit'
	@echo 'make conformance  the MCP server judged by the clients and suites of others; needs npm (ARGS=NAME)'
	@echo 'make matrix   the live tests on every supported tmux (ARGS="--only 3.5a --write")'

demo: need-tmux $(VENV)/.demo
	@$(BIN)/muxwright demo

test: need-tmux $(VENV)/.installed
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not soak" $(ARGS)

check: $(VENV)/.installed
	@$(BIN)/python tools/check.py

docs: $(VENV)/.installed
	@$(BIN)/python tools/gen_api.py

soak: need-tmux $(VENV)/.installed
	@echo "MUXWRIGHT_SEED=$(MUXWRIGHT_SEED)"
	$(BIN)/python -m pytest -m soak -s $(ARGS)
	$(BIN)/python -m pytest --hypothesis-profile=soak --hypothesis-seed=$(MUXWRIGHT_SEED) \
	    -m "not live and not soak" --timeout=1800 tests/unit tests/property $(ARGS)

bench: need-tmux $(VENV)/.bench
	$(BIN)/python -m benchmarks $(ARGS)

conformance: need-tmux $(VENV)/.installed
	@$(BIN)/python -m tests.mcp.outside $(ARGS)

matrix: $(VENV)/.installed
	@$(BIN)/python tools/matrix.py $(ARGS)

need-tmux:
	@command -v "$(TMUX_UNDER_TEST)" >/dev/null 2>&1 || { \
	    echo '$(TMUX_UNDER_TEST) was not found: install tmux 3.2a or newer (Debian and Ubuntu: apt install tmux; macOS: brew install tmux)' >&2; \
	    exit 1; }

# The first Python that is new enough. Each is run, not only looked up: a version manager's shim can exist and refuse.
$(BIN)/python:
	@for python in $(PYTHONS); do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue; \
	    "$$python" -c 'import ensurepip, venv' >/dev/null 2>&1 || { \
	        echo "$$python has no venv module: install it (Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }; \
	    echo "making $(VENV) with $$python (once)"; \
	    exec "$$python" -m venv --clear $(VENV); \
	done; \
	echo 'Python 3.11 or newer was not found (tried: $(PYTHONS)): install it or say where it is, PYTHON=/path/to/python' >&2; \
	exit 1

$(VENV)/.demo: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'installing muxwright[cli] (once)'
	@$(PIP_INSTALL) -e '.[cli]'
	@touch $@

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'installing muxwright[dev] (once)'
	@$(PIP_INSTALL) -e '.[dev]'
	@touch $@

$(VENV)/.bench: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'installing muxwright[bench] (once)'
	@$(PIP_INSTALL) -e '.[bench]'
	@touch $@
