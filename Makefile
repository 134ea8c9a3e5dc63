# Two commands: `make run` serves Shutong with its sample and built-in model, `make test` runs every test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links --no-header

.PHONY: run test test-long lint lock screenshots bench clean

run: $(VENV)/run
	$(BIN)/shutong serve

# The stamps hold what was installed, so that a second call sets up nothing.
$(VENV)/run: requirements.lock requirements-build.lock pyproject.toml
	$(PYTHON) scripts/check_python.py
	test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements-build.lock -r requirements.lock
	$(PIP) --no-build-isolation --no-deps --editable .
	touch $@

$(VENV)/test: $(VENV)/run requirements-dev.lock
	$(PIP) --require-hashes -r requirements-dev.lock
	touch $@

lint: $(VENV)/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/pytest

# What takes minutes: kills at hundreds of moments.
test-long: $(VENV)/test
	$(BIN)/pytest -m long

lock: $(VENV)/test
	$(COMPILE) pyproject.toml -o requirements.lock
	$(COMPILE) pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock
	printf "hatchling>=1.27\neditables>=0.5\n" | $(COMPILE) --python-version 3.11 - -o requirements-build.lock

screenshots: $(VENV)/test
	$(BIN)/python scripts/screenshots.py
	$(BIN)/python scripts/readme.py

bench: $(VENV)/test
	$(BIN)/python bench/turn.py --into docs/performance.md

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
