# The front door. Two commands matter: make lab (read the course) and make test (check it).
# A teacher has five more: make roster, release, grade, feedback and grades; notebooks/exercises/README.md tells how.
PYTHON ?= python3
PIP := .venv/bin/python -m pip install --quiet --disable-pip-version-check
NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
# A file stays with one worker, which makes its fixtures once and runs a lesson's cells in order; the lessons, short and many,
# come last, so that no worker is left with a long file at the end.
PYTEST := .venv/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --nbval --nbval-sanitize-with tests/nbval.cfg --nbval-cell-timeout 120
# As on an old processor with one core: another kernel of BLAS, and numpy without the wider registers.
ELSEWHERE := OPENBLAS_CORETYPE=Nehalem OPENBLAS_NUM_THREADS=1 NPY_DISABLE_CPU_FEATURES="X86_V3 X86_V4 AVX512_ICL"
# Jupyter wants to be told when it runs as root, in a container, say.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.PHONY: lab lecture votes deck site sections addresses check store smoke test test-all quick bench picture film browser sandbox database roster release grade feedback mark oral grades similar insight formgrader class students-repo node clean

lab: .venv/installed
	.venv/bin/python tools/open_lab.py $(AS_ROOT) $(LAB_ARGS) notebooks/00-start-here.ipynb

# A section as live slides: make lecture SECTION=10, or what fits an hour: MINUTES=60; the room votes: VOTES=1. More in
# tools/lecture/README.md; options are passed on: LECTURE_ARGS="--no-browser --port=9000".
lecture: .venv/lectured
	.venv/bin/python -m tools.lecture "$(SECTION)" "--minutes=$(MINUTES)" "--votes=$(VOTES)" "--own=$(OWN)" "--keep=$(KEEP)" $(LECTURE_ARGS)

# The same as PDF, and as handouts without and with answers, in build/deck: make deck SECTION=10 MINUTES=45.
deck: .venv/decked browser
	.venv/bin/python -m tools.lecture.deck "$(SECTION)" "$(MINUTES)"

# What the room thought: the votes that were kept (make lecture … VOTES=1 KEEP=1).
votes: .venv/installed
	.venv/bin/python -m tools.lecture.report

# The lessons as pages that need no kernel and no network, in build/site. Some sections only: SITE_ARGS="00 01".
site: .venv/sited
	.venv/bin/python -m tools.site $(SITE_ARGS)

# The tables of the README and of 00, from the table of sections; tells what a section still lacks.
sections: .venv/installed
	.venv/bin/python -m tools.sections

# Badge and links, written from the variable `repository` in pyproject.toml.
addresses: .venv/installed
	.venv/bin/python tools/addresses.py

# One section while you work on it: layout of the code, its lesson, rules, claims, captions and questions; no browser.
check: .venv/tested
	@.venv/bin/ruff format --check --quiet . || { echo "Not formatted; this formats it: .venv/bin/ruff format ."; exit 1; }
	@.venv/bin/ruff check --quiet .
	$(PYTEST) -q --section "$(SECTION)" -m "not heavy and not browser" $(wildcard notebooks/$(SECTION)-*.ipynb tests/sections/test_s$(SECTION).py) \
		tests/test_rules.py tests/test_notebooks.py tests/test_captions.py tests/test_questions.py tests/test_map.py tests/test_live.py

# Run lessons from the top and store what one clean Run All leaves, without widget state: SECTION=05, or all of them.
store: .venv/installed
	.venv/bin/python -m tools.store_notebooks $(wildcard notebooks/$(or $(SECTION),*)-*.ipynb)

# Every channel once, in less than 3 minutes: a lesson in JupyterLab, slides with a vote, the site, an older answers file, a
# submission from its release to its feedback.
smoke: .venv/tested browser sandbox
	$(PYTEST) -m smoke tests/test_browser.py tests/test_room_votes.py tests/test_site_pages.py tests/test_questions.py tests/test_grading.py

test: .venv/tested browser sandbox
	$(PYTEST) -m "not heavy" $(TEST_ARGS)

# The models alone, in a minute or two, where browser, sandbox and the peers of the other tests are not at hand.
quick: .venv/installed
	@$(PIP) -c constraints.txt -e '.[quick]'
	.venv/bin/python -m pytest -m "not heavy" @tests/quick.txt $(TEST_ARGS)

# Also what takes minutes: each lesson and slide in the browser, a fresh installation, the whole site, figures moved at random;
# and whether another processor gives what is stored: lessons, releases, captions.
test-all: .venv/tested browser sandbox database node
	$(PYTEST) $(TEST_ARGS)
	$(ELSEWHERE) $(PYTEST) $(NOTEBOOKS) tests/test_exercises.py::test_a_release_is_what_its_source_gives tests/test_captions.py

bench: .venv/tested browser sandbox
	.venv/bin/python -m tests.bench $(BENCH_ARGS)

# The README's pictures, taken in the browser.
picture: .venv/tested browser
	.venv/bin/python -m tools.course_picture
	.venv/bin/python -m tools.film kmeans_and_em docs/k-means-and-em.gif

# A player as a film, gliding, in build/films or in the file TO: make film FIGURE=kmeans_and_em. MP4 if ffmpeg is there, else GIF.
film: .venv/tested browser
	.venv/bin/python -m tools.film "$(FIGURE)" $(TO)

# Graded exercises: one assignment (ASSIGNMENT=01-bayes-theorem) or, without a name, all; one student (STUDENT=ada) or all.
# CLUSTER=tls://host:8786 runs the students' code on the workers of a Dask cluster. GRADE_ARGS="--force" grades unchanged work too.
GRADING := .venv/bin/python -m grading --course notebooks/exercises

# Who is not root asks systemd for a unit in which the kernel keeps the limit on memory.
IN_A_UNIT = $(if $(AS_ROOT),,$(shell systemd-run --user --scope --quiet true 2>/dev/null && echo systemd-run --user --scope --quiet -p Delegate=yes))

roster: .venv/graded
	$(GRADING) roster $(abspath $(FILE))

# SAMPLE=1 releases the first variants, which is what this repository keeps; else the class's secret draws them.
release: .venv/graded
	$(GRADING) release $(ASSIGNMENT) $(if $(SAMPLE),--sample)

grade: $(if $(CLUSTER),.venv/clustered,.venv/graded sandbox)
	$(IN_A_UNIT) $(GRADING) grade $(ASSIGNMENT) $(if $(STUDENT),--student="$(STUDENT)") $(if $(CLUSTER),--cluster="$(CLUSTER)") $(GRADE_ARGS)

# SOLUTIONS=1, after the deadline, adds the right options and worked solutions.
feedback: .venv/graded
	$(GRADING) feedback $(ASSIGNMENT) $(if $(STUDENT),--student="$(STUDENT)") $(if $(SOLUTIONS),--solutions)

# All answers to a task that is marked by hand on one page of this computer, by keyboard.
mark: .venv/graded
	$(GRADING) mark

# Questions to a student about their own work, and the answers overleaf: oral/<assignment>/<student>.html.
oral: .venv/graded
	$(GRADING) oral $(ASSIGNMENT) $(if $(STUDENT),--student="$(STUDENT)")

# SHAPE=canvas or SHAPE=moodle writes the file that these import.
grades: .venv/graded
	$(GRADING) grades --shape $(or $(SHAPE),csv)

# Answers that resemble each other, to be looked at.
similar: .venv/graded
	$(GRADING) similar $(ASSIGNMENT)

# What the class misunderstands, from the gradebook, kept votes and a folder of answers files: ANSWERS=folder; NAMES=1 says who.
insight: .venv/graded
	.venv/bin/python -m tools.insight $(ASSIGNMENT) $(if $(ANSWERS),--answers="$(abspath $(ANSWERS))") $(if $(NAMES),--names)

# Marking by hand, in the browser.
formgrader: .venv/graded
	cd notebooks/exercises && ../../.venv/bin/jupyter lab $(AS_ROOT) $(LAB_ARGS) --ServerApp.default_url=/formgrader

# A hub for the class on this machine, in the folder CLASS; as root. hub/README.md tells how.
CLASS ?= /srv/bayesian-learning
CLASS_PYTHON ?= /usr/bin/python3
class: sandbox node
	$(CLASS_PYTHON) -m hub.prepare "$(CLASS)"
	cd "$(CLASS)/state" && ../env/bin/jupyterhub --config ../jupyterhub_config.py

# What students may have, as a git repository in the folder TO, for nbgitpuller.
students-repo:
	$(PYTHON) -m tools.students "$(or $(TO),build/students)"

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

.venv/lectured: .venv/installed
	@$(PIP) -c constraints.txt -e '.[lecture]'
	@touch $@

.venv/decked: .venv/installed
	@$(PIP) -c constraints.txt -e '.[lecture,deck]'
	@touch $@

.venv/sited: .venv/installed
	@$(PIP) -c constraints.txt -e '.[site]'
	@touch $@

.venv/tested: .venv/installed
	@$(PIP) -c constraints.txt -e '.[test,bench,site,hub]' -e 'grading[cluster,postgres]'
	@touch $@

.venv/graded: .venv/installed
	@$(PIP) -c constraints.txt -e grading
	@touch $@

.venv/clustered: .venv/installed
	@$(PIP) -c constraints.txt -e 'grading[cluster]'
	@touch $@

# Debian's and Ubuntu's packages, where apt can. $(call apt,program,package,what for)
apt = command -v $(1) >/dev/null || { command -v apt-get >/dev/null && \
	SUDO=$$( [ $$(id -u) = 0 ] || echo "sudo -n" ) && echo "Installing $(2) for $(3)" && \
	$$SUDO apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$SUDO apt-get install -y -qq $(2) >/dev/null; } || true

# Students' code runs in bubblewrap; without it nothing is graded, and the tests of it are skipped and say so.
sandbox:
	@$(call apt,bwrap,bubblewrap,the sandbox)

# Browser tests need Chromium; without it they are skipped, and say how to get it.
browser:
	@$(call apt,chromium,chromium,the browser tests)

# One test keeps its gradebook in PostgreSQL, on a server of its own; without it, it is skipped and says so.
database:
	@$(call apt,pg_ctlcluster,postgresql,the test of a gradebook in PostgreSQL)

# The hub's proxy runs on Node.
node:
	@$(call apt,npm,nodejs npm,the hub's proxy)

clean:
	rm -rf .venv build
