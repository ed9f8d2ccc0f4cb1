# `make serve` and `make test` are all that a fresh machine needs; both set up .venv first, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
KAGGLE := $(VENV)-kaggle
INSTALL := -m pip --disable-pip-version-check install --quiet
PIP := $(BIN)/python $(INSTALL) --constraint constraints.txt

.PHONY: help serve play test test-all check docs bench format clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile

serve: $(VENV)/serve ## set up and start the page; it prints its address
	@$(BIN)/fourcast serve

play: $(VENV)/play ## set up and play a game in the terminal
	@$(BIN)/fourcast play

test: $(VENV)/test ## set up and run the tests, but for the slowest
	@tests/web/chromium.sh
	@$(BIN)/python -m pytest --numprocesses auto -m "not slow" -rs

test-all: $(VENV)/test-all $(KAGGLE)/test ## set up and run all tests
	@tests/web/chromium.sh
	@$(KAGGLE)/bin/python -m pytest tests/interop/kaggle
	@$(BIN)/python -m pytest --numprocesses auto -rs

check: $(VENV)/test ## format, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_architecture.py

# Not --quiet: that would hide warnings before --strict could count them.
docs: $(VENV)/docs ## set up and build the documentation into site/; warnings are errors
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Built: open site/index.html"

bench: $(VENV)/bench ## set up and measure the kernels beside their peers
	@$(BIN)/fourcast bench kernels --peers

format: $(VENV)/test ## format the sources and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove what was set up and cached
	rm -rf $(VENV) $(KAGGLE) site .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps: what is installed, and by which versions of these two files.
$(VENV)/made: Makefile
	@$(PYTHON) -c 'import sys; sys.exit(None if (3, 11) <= sys.version_info < (3, 14) else "Fourcast needs Python 3.11 to 3.13; try: make PYTHON=python3.12 ...")'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || \
	  { echo "Setting up $(VENV) ..."; rm -rf $(VENV); $(PYTHON) -m venv $(VENV); }
	@touch $@

$(VENV)/play: $(VENV)/made pyproject.toml constraints.txt
	@echo "Installing Fourcast into $(VENV) ..."
	@$(PIP) --editable .
	@touch $@

$(VENV)/serve: $(VENV)/play
	@echo "Installing what the page needs ..."
	@$(PIP) --editable '.[web]'
	@touch $@

$(VENV)/test: $(VENV)/made pyproject.toml constraints.txt
	@echo "Installing Fourcast and what the tests need into $(VENV) ..."
	@$(PIP) --editable '.[dev]'
	@touch $(VENV)/play $@

$(VENV)/test-all: $(VENV)/test
	@echo "Installing what the slowest tests need ..."
	@$(PIP) --editable '.[dev,cluster,train]'
	@touch $@

# kaggle-environments brings pygame, which cannot stand beside pygame-ce, and pins what the others need newer.
$(KAGGLE)/test: $(VENV)/made pyproject.toml constraints-kaggle.txt
	@echo "Installing kaggle-environments into $(KAGGLE) ..."
	@$(KAGGLE)/bin/python -m pip --version >/dev/null 2>&1 || { rm -rf $(KAGGLE); $(PYTHON) -m venv $(KAGGLE); }
	@$(KAGGLE)/bin/python $(INSTALL) --constraint constraints-kaggle.txt --editable '.[kaggle]' hypothesis pytest pytest-timeout
	@touch $@

$(VENV)/docs: $(VENV)/play
	@echo "Installing what builds the documentation ..."
	@$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/bench: $(VENV)/play
	@echo "Installing the peers ..."
	@$(PIP) --editable '.[bench]'
	@touch $@
