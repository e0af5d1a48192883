# Only python3 (3.11 or newer) is needed: every target sets up what it uses in .venv by itself.
.DEFAULT_GOAL := help
.PHONY: help run test test-all check uncompiled bench docs clean

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

help: ## what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "Jantaku needs Python 3.11 or newer: install it, or call make PYTHON=/path/to/python3."; exit 1; }
	@echo "Making the environment in $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
		echo "No venv module: trying virtualenv. On Debian or Ubuntu, 'apt install python3-venv' is the usual way."; \
		$(PYTHON) -m pip install --user --quiet virtualenv && $(PYTHON) -m virtualenv --quiet $(VENV); }
	@touch $@

$(VENV)/installed: $(VENV)/made pyproject.toml
	@echo "Installing Jantaku ..."
	@$(PIP) install --editable .
	@touch $@

$(VENV)/installed-%: $(VENV)/installed pyproject.toml
	@echo "Installing the tools for $* ..."
	@$(PIP) install --editable '.[$*]'
	@touch $@

# The compiled code is kept between runs; this is where it is made.
.PHONY: warm
warm: $(VENV)/installed
	@$(BIN)/jantaku warm

run: warm ## set up, adjudicate real wins and show one in full
	@$(BIN)/jantaku demo

test: $(VENV)/installed-dev warm ## set up and pass the tests
	@$(BIN)/python -m pytest -n 2 -m "not long"

test-all: $(VENV)/installed-dev warm ## the long tests too (about ten minutes)
	@$(BIN)/python -m pytest -n 2

check: test ## the tests, then format, lint, types and the tests uncompiled
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(MAKE) --no-print-directory uncompiled

uncompiled: $(VENV)/installed-dev ## the tests with every kernel run as plain Python
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -m "not long"

bench: $(VENV)/installed-dev $(VENV)/installed-bench warm ## side by side with other packages, one core
	@$(BIN)/python -m bench

docs: $(VENV)/installed ## write the pages that are made from the tables
	@$(BIN)/python -m jantaku.rules.reference > docs/rules.md

clean: ## remove the environment and everything made
	@rm -rf $(VENV) dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
