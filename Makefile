# `make` lists the commands. Each makes its own environment in .venv on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test deep check fmt lint types imports update bench docs new-rule

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/.ready: pyproject.toml
	@echo "making an environment in $(VENV), once"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(BIN)/.ready  ## check and run the example cited_answer, and say where its trace is
	@$(BIN)/grapharc demo

test: fmt-check lint types imports docs-check $(BIN)/.ready  ## everything that continuous integration runs
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term-missing:skip-covered
	$(BIN)/python -m pytest -n $(JOBS) -m untraced

deep: $(BIN)/.ready  ## the property tests again, with many more cases
	HYPOTHESIS_PROFILE=deep GRAPHARC_DEEP=1 $(BIN)/python -m pytest -n $(JOBS)

check: fmt-check lint types imports  ## format, lint, types and import contracts, without the tests

fmt: $(BIN)/.ready  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix --quiet .

.PHONY: fmt-check docs-check
fmt-check: $(BIN)/.ready
	$(BIN)/ruff format --check --quiet .

lint: $(BIN)/.ready  ## lint the code
	$(BIN)/ruff check --quiet .

types: $(BIN)/.ready  ## check types
	$(BIN)/pyright --pythonpath $(BIN)/python

imports: $(BIN)/.ready  ## check that imports go one way
	$(BIN)/lint-imports --no-cache

update: $(BIN)/.ready  ## bake the schemas of documents and rewrite the expected outputs of the tests; the diff is the review
	$(BIN)/python -m grapharc.spec.documents.bake
	GRAPHARC_UPDATE=1 $(BIN)/python -m pytest -n $(JOBS)

bench: $(BIN)/.ready  ## print the benchmark table
	$(BIN)/python -m benchmarks

docs: $(BIN)/.ready  ## rewrite the generated pages
	$(BIN)/python -m grapharc.cli.docs docs

docs-check: $(BIN)/.ready
	$(BIN)/python -m grapharc.cli.docs --check docs

new-rule: $(BIN)/.ready  ## slug=...: write a rule, its catalogue row and its two documents
	$(BIN)/python tests/new_rule.py $(slug)
