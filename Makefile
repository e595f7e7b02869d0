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
	@.venv/bin/jupyter-book build . --all -W --keep-going -q
	@echo "book: http://localhost:$(PORT); stop with Ctrl-C"
	@$(PYTHON) -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html || { \
	  echo "book: is port $(PORT) taken? choose another: make book PORT=8001"; exit 1; }

.PHONY: lab
lab: venv ## open JupyterLab in notebooks/
	@echo "lab: starting JupyterLab; stop it with Ctrl-C"
	@.venv/bin/jupyter lab --ServerApp.default_url=/lab/tree/notebooks

# Two at a time: none needs what another writes.
CHECKS := check-types check-copies check-exercises check-map check-notebooks \
  check-names check-results check-style check-spelling
MYPY := .venv/bin/mypy

.PHONY: check $(CHECKS)
check: venv paths ## fast checks without running a notebook
	@$(MAKE) --jobs=2 --keep-going $(CHECKS)

check-copies:
	@$(PYTHON) tools/sync.py --check

check-exercises:
	@$(PYTHON) tools/make_exercises.py --check

check-map:
	@$(PYTHON) tools/make_map.py --check

check-notebooks:
	@$(PYTHON) tools/check_notebooks.py

check-names:
	@$(PYTHON) tools/check_names.py

check-results:
	@$(PYTHON) benchmarks/check.py

check-style:
	@.venv/bin/ruff check --quiet . && echo "ruff: no problems"
	@.venv/bin/ruff format --quiet --check . || { \
	  echo "the files above are not formatted; run .venv/bin/ruff format"; exit 1; }

check-types:
	@$(MYPY) --no-error-summary --python-executable $(PYTHON) && \
	  echo "mypy: no problems"

check-spelling:
	@.venv/bin/codespell && echo "codespell: no problems"

ONE_MACHINE := (^|\\n|[^[:alnum:]_.~/-])(/(home|Users|work|root|tmp)/[[:alnum:]_.-]+|C:\\)

.PHONY: paths
paths: # also a hook of .pre-commit-config.yaml, so it asks for no .venv
	@! grep -rnoE --include='*.ipynb' '$(ONE_MACHINE)' notebooks solutions exercises || { \
	  echo "the paths above exist on one machine only; write relative ones"; exit 1; }

.PHONY: quick
quick: check ## check, then the tests that your change can touch
	@$(PYTHON) tools/quick_tests.py

.PHONY: dist
dist: venv ## build the wheel and the source archive in dist/
	@rm -rf dist build
	@$(PYTHON) -W ignore -c "from setuptools import build_meta as build; \
	  build.build_sdist('dist'); build.build_wheel('dist')" >/dev/null
	@ls dist

.PHONY: test
test: ## check, then every test and what may have changed in notebooks, three at a time
	@TIMEFORMAT="check: %0R s"; time $(MAKE) check
	@echo "test: notebooks outside the checkout, book, package, tools, exercises;" \
	  "about 45 minutes on two cores"
	@$(PYTHON) tools/long_notebooks.py --count
	@$(PYTHON) -m pytest -n 3 --no-loadscope-reorder tests

.PHONY: long
long: venv ## run the long notebooks that something has changed for, and note it
	@$(PYTHON) tools/long_notebooks.py

.PHONY: sync
sync: venv ## rewrite setup cells, facts, mirrored cells, numbers, exercises, map
	@echo "sync: bringing notebooks up to date"
	@$(PYTHON) tools/sync.py
	@$(PYTHON) tools/make_exercises.py
	@$(PYTHON) tools/make_map.py

.PHONY: execute
execute: venv ## run notebooks and store their outputs (NB=notebooks/...)
	@echo "execute: running from fresh kernels"
	@$(PYTHON) tools/execute.py $(NB)
	@$(PYTHON) tools/sync.py
