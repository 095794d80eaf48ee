# make run: install and play; make test: install and run the tests. Both work on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Modules are compiled when they are first imported, not all when they are installed, which took 40 seconds.
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test test-all bench lint format clean

run: $(VENV)/installed
	$(BIN)/zermelo play

test: $(VENV)/installed-test
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

test-all: $(VENV)/installed-oracles
	$(BIN)/python -m pytest -n 2 --dist worksteal

bench: $(VENV)/installed-bench
	$(BIN)/python -m bench

lint: $(VENV)/installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-test: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --no-compile --editable '.[test]'
	touch $@ $(VENV)/installed

$(VENV)/installed-oracles: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[test,oracles]'
	touch $@ $(VENV)/installed-test $(VENV)/installed

$(VENV)/installed-bench: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	touch $@ $(VENV)/installed
