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

# The first of these that is new enough makes .venv.
PYTHONS := python3 python3.14 python3.13 python3.12 python3.11
NEW_ENOUGH := import ensurepip, venv, sys; assert sys.version_info >= (3, 11)
PIP := .venv/bin/python -m pip --disable-pip-version-check install -qq

.PHONY: venv
venv: .venv/stamp ## create or update .venv from requirements.txt

# setuptools is pinned too, so nothing is fetched to build the package in isolation.
.venv/stamp: requirements.txt pyproject.toml
	@mkdir .venv.lock 2>/dev/null || { echo "venv: another make fills .venv; wait" \
	  "until it has ended (if there is none, remove .venv.lock)"; exit 1; }; \
	trap 'rmdir .venv.lock' EXIT; \
	python=$$(for name in $(PYTHONS); do \
	  $$name -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$name && break; done) || { \
	  echo "venv: Python 3.11 or newer with its venv module is needed; install it" \
	    "from https://www.python.org/downloads/ or with your package manager"; \
	  exit 1; }; \
	.venv/bin/python -c 'import pip; $(NEW_ENOUGH)' 2>/dev/null || \
	  { rm -rf .venv && $$python -m venv .venv; } && \
	echo "venv: installing requirements.txt into .venv (minutes the first time)" && \
	$(PIP) -r requirements.txt && \
	$(PIP) --no-deps --no-build-isolation -e . && \
	touch $@ && echo "venv: .venv is ready"

.PHONY: book
book: venv ## build the book and serve it (PORT=8000)
	@echo "book: building into _build/html"
	@$(PYTHON) tools/build_book.py
	@$(PYTHON) tools/serve_book.py --port $(PORT)

.PHONY: lab
lab: venv ## open JupyterLab in notebooks/
	@echo "lab: starting JupyterLab; stop it with Ctrl-C"
	@.venv/bin/jupyter lab --ServerApp.default_url=/lab/tree/notebooks

.PHONY: check
check: venv paths ## fast checks without running a notebook
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

ONE_MACHINE := (^|\\n|[^[:alnum:]_.~/-])(/(home|Users|work|root|tmp)/[[:alnum:]_.-]+|C:\\)

.PHONY: paths
paths: # also a hook of .pre-commit-config.yaml, so it asks for no .venv
	@! grep -rnoE --include='*.ipynb' '$(ONE_MACHINE)' notebooks solutions exercises || { \
	  echo "the paths above exist on one machine only; write relative ones"; exit 1; }

.PHONY: test
test: check ## check, then every test, then every notebook's outputs
	@echo "test: package, tools, exercises, book; then every notebook's outputs"
	@$(PYTHON) -m pytest --nbval tests notebooks solutions exercises

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
