# The one entry: `make demo` and `make test` are all a newcomer types; `make help` lists the rest.
SHELL := /bin/sh
PYTHON ?= $(shell tools/find_python.sh)
VENV ?= .venv
VENVS ?= .venvs
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check -q

.DEFAULT_GOAL := help
.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z][a-z0-9-]*:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/.made: requirements/build.txt requirements/test.txt
	@test -n "$(PYTHON)" || { echo "skelkin needs Python 3.10 or later with venv and headers: sudo apt install git make gcc python3-dev python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -r requirements/build.txt -r requirements/test.txt
	@touch $@

SOURCES := $(shell find csrc -name '*.[ch]' -o -name '*.inl') setup.py pyproject.toml
$(BIN)/.built: $(BIN)/.made $(SOURCES)
	$(PIP) install --no-build-isolation --no-deps -e .
	@touch $@

.PHONY: build
build: $(BIN)/.built ## compile the extension into .venv

.PHONY: check
check: build ## build and tests without Blender, browser or network, within a minute
	$(PY) -m pytest -q tests/python
