# Needs Python >= 3.11 with pip, and make; everything else is set up in .venv and node_modules.
#   make serve    set up, then run the server ready for use
#   make test     set up, then run every check and every test
# PYTHON chooses the interpreter, ARGS goes to the program: make serve ARGS="--port 9000"

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
BIN = $(VENV)/bin
UV = uv==0.13.9

.DEFAULT_GOAL := help
.PHONY: help serve test lint types format lock wheel-test bench clean setup-serve setup-dev

help:
	@echo "make serve       set up what the server needs and run it ready for use"
	@echo "make test        set up what the checks need, run every check and every test"
	@echo "make lint        formatting, lint, import layers, declared dependencies, TypeScript style"
	@echo "make types       pyright (strict) and tsc"
	@echo "make format      rewrite the sources in the one format"
	@echo "make lock        renew the lock files from pyproject.toml and package.json"
	@echo "make wheel-test  build the wheel and use it from fresh environments"
	@echo "make bench       measure the hook and the server"
	@echo "make clean       remove everything that was set up"

serve: setup-serve
	@echo "starting the commonplace server (ctrl-c stops it)"
	@exec $(BIN)/commonplace serve --http $(ARGS)

test: setup-dev
	@echo "running every check and every test"
	@$(BIN)/python -m pytest $(ARGS)

lint: setup-dev
	@echo "checking format, lint, layers, dependencies and TypeScript style"
	@$(BIN)/python -m pytest -q tests/test_gates.py -k "not types" $(ARGS)

types: setup-dev
	@echo "checking types"
	@$(BIN)/python -m pytest -q tests/test_gates.py -k types $(ARGS)

format: setup-dev
	@echo "formatting"
	@$(BIN)/ruff check --quiet --fix-only . && $(BIN)/ruff format .

lock:
	@echo "renewing requirements/*.txt and package-lock.json"
	@PYTHON="$(PYTHON)" UV="$(UV)" sh scripts/lock.sh

wheel-test: setup-dev
	@echo "building the wheel and using it from fresh environments"
	@$(BIN)/python -m pytest -m wheel tests/test_packaging.py $(ARGS)

bench: setup-dev
	@echo "measuring"
	@for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python "$$file" $(ARGS) || exit 1; done

clean:
	@echo "removing .venv*, node_modules, build leftovers and caches"
	@rm -rf .venv .venv-* node_modules build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache

setup-serve setup-dev:
	@command -v $(PYTHON) >/dev/null 2>&1 || { echo "no $(PYTHON) here: commonplace needs Python 3.11 or newer (make PYTHON=...)" >&2; exit 2; }
	@$(PYTHON) scripts/env.py $(@:setup-%=%) $(VENV)
