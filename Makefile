# The front door. Two commands matter: make lab (read the course) and make test (check it).
PYTHON ?= python3
PIP := .venv/bin/python -m pip install --quiet --disable-pip-version-check
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
PYTEST := .venv/bin/python -m pytest -n 2 --dist loadfile --nbval --nbval-sanitize-with tests/nbval.cfg --nbval-cell-timeout 20
# Jupyter wants to be told when it runs as root, in a container, say.
LAB := .venv/bin/jupyter lab $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: lab site map test test-all bench notebooks picture browser clean

lab: .venv/installed
	$(LAB) $(LAB_ARGS) notebooks/00-start-here.ipynb

# The lessons as pages that need no kernel and no network, in build/site; needs npm. Some sections only: SITE_ARGS="00 01".
site: .venv/sited
	.venv/bin/python tools/build_site.py $(SITE_ARGS)

# docs/map.md, from the lectures to the code, made anew from docs/map.toml.
map: .venv/installed
	.venv/bin/python tools/course_map.py

test: .venv/tested browser
	$(PYTEST) -m "not heavy" $(TEST_ARGS)

# Also the walks that take minutes: each slide of each section, a fresh installation, the whole site.
test-all: .venv/tested browser
	$(PYTEST) $(TEST_ARGS)

bench: .venv/tested browser
	.venv/bin/python -m tests.bench $(BENCH_ARGS)

# Run all lessons from the top and store what one clean Run All leaves, without widget state.
notebooks: .venv/tested
	.venv/bin/python tools/store_notebooks.py $(NOTEBOOKS)

# The README's picture, taken in the browser.
picture: .venv/tested browser
	.venv/bin/python tools/course_picture.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "The course needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: requirements.txt constraints.txt pyproject.toml | .venv/bin/python
	@echo "Installing into .venv; the first time this takes a minute or two"
	@$(PIP) -r requirements.txt
	@# No question about news at the start: the course asks nothing of the network.
	@.venv/bin/jupyter labextension disable --level=sys_prefix "@jupyterlab/apputils-extension:announcements" 2>/dev/null
	@touch $@

.venv/sited: .venv/installed
	@$(PIP) -c constraints.txt -e '.[site]'
	@touch $@

.venv/tested: .venv/installed
	@$(PIP) -c constraints.txt -e '.[test,bench,site]'
	@touch $@

# Browser tests need Debian's or Ubuntu's Chromium; without it they are skipped, and say how to get it.
browser:
	@command -v chromium >/dev/null || { command -v apt-get >/dev/null && \
		SUDO=$$( [ $$(id -u) = 0 ] || echo "sudo -n" ) && echo "Installing chromium for the browser tests" && \
		$$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq chromium >/dev/null; } || true

clean:
	rm -rf .venv build bench-results.json
