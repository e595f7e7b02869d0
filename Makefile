# Every target sets up .venv by itself. `make` alone lists the targets.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PORT ?= 8000
PYTHON := .venv/bin/python
# Another environment that happens to be active has no say in this one.
unexport VIRTUAL_ENV

.PHONY: help
help: ## list the targets
	@echo "The Transformer Textbook. Targets:"
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1|\2/p' Makefile | column -t -s '|'

.PHONY: venv
venv: ## create or update .venv from requirements.txt
	@command -v python3 >/dev/null || { \
	  echo "python3 is missing; install Python 3.11 or newer from" \
	    "https://www.python.org/downloads/"; exit 1; }
	@python3 tools/bootstrap.py

.PHONY: book
book: venv ## build the book and serve it (PORT=8000)
	@echo "book: building into _build/html"
	@.venv/bin/jupyter-book build . --all -W --keep-going -q
	@echo "book: http://localhost:$(PORT); stop with Ctrl-C"
	@$(PYTHON) -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html || { \
	  echo "book: is port $(PORT) taken? choose another: make book PORT=8001"; exit 1; }

.PHONY: lab
lab: venv ## open JupyterLab in notebooks/
	@echo "lab: starting JupyterLab; stop it with Ctrl-C"
	@.venv/bin/jupyter lab --ServerApp.default_url=/lab/tree/notebooks

.PHONY: check
check: venv ## fast checks without running a notebook
	@echo "check: what notebooks copy from elsewhere"
	@$(PYTHON) tools/sync.py --check
	@$(PYTHON) tools/make_exercises.py --check
	@$(PYTHON) tools/make_map.py --check
	@$(PYTHON) tools/make_results.py --check
	@echo "check: house rules of notebooks"
	@$(PYTHON) tools/check_notebooks.py
	@echo "check: style"
	@.venv/bin/ruff check --quiet .
	@.venv/bin/ruff format --quiet --check . || { \
	  echo "the files above are not formatted; run .venv/bin/ruff format"; exit 1; }
	@echo "check: spelling"
	@.venv/bin/codespell

.PHONY: test
test: ## check, then every test and every notebook's outputs, two at a time
	@TIMEFORMAT="check: %0R s"; time $(MAKE) check
	@echo "test: notebooks outside the checkout, book, package, tools, exercises"
	@$(PYTHON) -m pytest -n 2 --no-loadscope-reorder tests

.PHONY: sync
sync: venv ## rewrite setup cells, facts, mirrored cells, numbers, exercises, map, results
	@echo "sync: bringing notebooks up to date"
	@$(PYTHON) tools/sync.py
	@$(PYTHON) tools/make_exercises.py
	@$(PYTHON) tools/make_map.py
	@$(PYTHON) tools/make_results.py

.PHONY: execute
execute: venv ## run notebooks and store their outputs (NB=notebooks/...)
	@echo "execute: running from fresh kernels"
	@$(PYTHON) tools/execute.py $(NB)
	@$(PYTHON) tools/sync.py
