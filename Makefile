# Every target makes its environment in .venv first, from the hashed lock, and only when
# something changed. Settings, all optional:
#   PYTHON=python3.13            the Python to build .venv with
#   SYSTEM_SITE_PACKAGES=1       let .venv see the system's packages (Raspberry Pi camera)
#   NO_UV=1                      plain venv and pip although uv is there
#   ARGS=…  PYTEST_ARGS=…        passed on to `tiletally` and to pytest
PYTHON ?= python3
ARGS ?= --camera demo
PYTEST_ARGS ?= -n auto
MINUTES ?= 5
KILLS ?= 1000
SECONDS ?= 600
CLIENTS ?= 50
TAPPERS ?= 4
REQUESTS ?= 100000
IMAGES ?= 10000
FILES ?= 1000
TRAIN_ARGS ?= --out models/tiles.npz
export PYTHON SYSTEM_SITE_PACKAGES NO_UV

BIN := .venv/bin
ENVIRONMENT := .venv/.ready
AUDIT := .venv/audit
COMPILE := uv pip compile --quiet --universal --generate-hashes --no-header
COMPILE_FOR_BOOKWORM := uv pip compile --quiet --python-version 3.11 \
	--python-platform aarch64-manylinux_2_28 --generate-hashes --no-header --no-annotate \
	--upgrade -c requirements.lock

.DEFAULT_GOAL := help
.PHONY: help run test lint format bench train lock clean audit sbom deb test-install test-boot test-picamera screenshots soak crowd kills faults fuzz

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22

run: $(ENVIRONMENT) ## serve the scorekeeper with a simulated table on http://localhost:8000
	$(BIN)/tiletally serve $(ARGS)

test: lint ## check style and types, then run all tests
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(ENVIRONMENT) ## check style and types
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

format: $(ENVIRONMENT) ## put the code in shape
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

bench: $(ENVIRONMENT) ## measure speed and print the figures
	$(BIN)/tiletally bench

crowd: $(ENVIRONMENT) ## many devices follow and some tap at random (SECONDS=600 CLIENTS=50 TAPPERS=4)
	$(BIN)/python -m tests.faults.crowd --seconds $(SECONDS) --clients $(CLIENTS) --tappers $(TAPPERS)

kills: $(ENVIRONMENT) ## kill a live game at random instants, and look what is left (KILLS=1000, 45 min)
	$(BIN)/python -m tests.faults.kills --kills $(KILLS)

soak: $(ENVIRONMENT) ## play under faults of every kind, and look for losses and leaks (MINUTES=5)
	$(BIN)/python -m tests.faults.soak --minutes $(MINUTES)

faults: $(ENVIRONMENT) ## make one fault after the other, the disk full at every single write (2 min)
	TILETALLY_ALL_FAULTS=1 $(BIN)/python -m pytest tests/faults $(PYTEST_ARGS)

fuzz: $(ENVIRONMENT) ## send bad requests, pictures and files of every kind (REQUESTS=100000 IMAGES=10000)
	$(BIN)/python -m tests.fuzz --requests $(REQUESTS) --images $(IMAGES) --files $(FILES)

screenshots: $(ENVIRONMENT) ## take pictures of every view of the page (needs Chromium)
	$(BIN)/python -m tests.webui.screenshots

train: $(ENVIRONMENT) ## make the model file anew, with the training libraries (hours)
	uv pip install --python $(BIN)/python --require-hashes -r tools/train-requirements.lock \
	    || $(BIN)/python -m pip install --require-hashes -r tools/train-requirements.lock
	$(BIN)/tiletally train $(TRAIN_ARGS)

audit: $(AUDIT) ## look for known holes in what is locked (network)
	PYTHONPATH=$(AUDIT) $(BIN)/python -m pip_audit --strict --disable-pip --require-hashes \
	    --progress-spinner off -r requirements.lock -r deploy/bookworm-requirements.lock

sbom: $(AUDIT) ## write what it ships with to dist/tiletally.cdx.json, and print the licences
	PYTHONPATH=$(AUDIT) $(BIN)/python -m cyclonedx_py environment $(BIN)/python \
	    --pyproject pyproject.toml --output-reproducible | $(BIN)/python -m tools.sbom dist/tiletally.cdx.json

lock: ## resolve the dependencies anew and write the lock files (needs uv)
	$(COMPILE) --upgrade --group dev pyproject.toml -o requirements.lock
	$(COMPILE) --upgrade --group train pyproject.toml -o tools/train-requirements.lock
	$(COMPILE) --upgrade --group pyproject.toml:audit -o tools/audit-requirements.lock
	echo uv | $(COMPILE) --upgrade - -o tools/uv-requirements.lock
	printf 'picamera2\ngpiozero\ncolorzero\n' | $(COMPILE) --upgrade --no-deps - -o tools/raspberry-requirements.lock
	$(COMPILE_FOR_BOOKWORM) deploy/bookworm-requirements.in -o deploy/bookworm-requirements.lock

deb: ## make the Debian package for Trixie in dist/
	deploy/build-deb dist

test-install: ## install, update, go back and remove in clean Debian systems (root, network, 10 min)
	tests/deploy/test-install

test-boot: ## boot a Debian with the package and look at the service (root, network, 5 min)
	tests/deploy/test-boot

test-picamera: $(ENVIRONMENT) ## run the real picamera2 on a virtual camera (root, network, 5 min)
	tests/deploy/test-picamera

clean: ## remove the environment and all caches
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist

# They lie apart, so that they are not taken for something that the program needs.
$(AUDIT): $(ENVIRONMENT) tools/audit-requirements.lock
	uv pip install --quiet --python $(BIN)/python --target $@ --require-hashes -r tools/audit-requirements.lock \
	    || $(BIN)/python -m pip install --quiet --target $@ --require-hashes -r tools/audit-requirements.lock
	@touch $@

$(ENVIRONMENT): pyproject.toml requirements.lock tools/raspberry-requirements.lock tools/make-env
	tools/make-env
	@touch $@
