# The one entry: `make demo` and `make test` are all a newcomer types; `make help` lists the rest.
# Nothing here calls apt or sudo; interpreters and browsers are used where they are found, never downloaded.
SHELL := /bin/sh
ifeq ($(origin PYTHON),undefined)
PYTHON := $(shell tools/find_python.sh)
endif
VENV ?= .venv
VENVS ?= .venvs
ARTEFACTS ?= artefacts
BLENDER ?= 1
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP_QUIET := -m pip --disable-pip-version-check --no-input -q
JUNIT := $(ARTEFACTS)/junit
PYTEST := $(PY) -m pytest -q
# What takes long, `make release-check`, sets it: all tests on each Python, instruction set and Blender.
WHOLE ?=
# Tests of the package run in as many processes as there are processors.
JOBS := $(or $(shell nproc 2>/dev/null || sysctl -n hw.ncpu 2>/dev/null),1)
# What the caller's shell tells Python would hide here what fails elsewhere: no recipe sees it, but where interpreters are.
unexport $(filter-out PYTHON PYTHON3%,$(filter PYTHON%,$(.VARIABLES)))
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' skelkin_py/_support/version.py)
CSRC := $(shell find csrc -type f)
PACKAGE := $(shell find skelkin_py -type f -not -name '*.so' -not -name '*.pyc')

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z][a-z0-9-]*:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# ---- the two commands of the README -------------------------------------------------------------------------
.PHONY: demo
demo: build ## plant the embedded biped: a table, demo/before_after.png and demo/report.html
	$(PY) examples/plant_biped.py

.PHONY: test
test: ## everything that can run here, Blender included (BLENDER=0 leaves it out)
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-c
	@$(MAKE) --no-print-directory test-browser
	@$(MAKE) --no-print-directory test-notebook
	@$(MAKE) --no-print-directory test-cluster
	@$(MAKE) --no-print-directory test-oracles
ifneq ($(BLENDER),0)
	@$(MAKE) --no-print-directory test-blender
endif

.PHONY: release-check
release-check: ## everything on everything, on a clean clone as root (within two hours)
	tools/release_check.sh

.PHONY: kept-results
kept-results: ## whether what `make coverage` and `make mutate` have left is of this tree
	@failed=0; python3 tools/coverage_page.py --check || failed=1; python3 tests/mutation/mutate.py --check || failed=1; exit $$failed

# ---- the environment and the extension ------------------------------------------------------------------------
# Of environments that workflows make, all packages have their hashes: `make pins` writes requirements/hashed.
REQUIREMENTS := requirements/hashed/develop.txt
$(BIN)/.made: $(REQUIREMENTS)
	@test -n "$(PYTHON)" || { echo "missing: Python 3.10 or later with venv and headers (sudo apt install git make gcc python3-dev python3-venv)" >&2; exit 1; }
	@command -v $${CC:-cc} >/dev/null || { echo "missing: a C compiler (sudo apt install git make gcc python3-dev python3-venv)" >&2; exit 1; }
	@echo "making $(VENV) with $(PYTHON) (downloads about 115 MB the first time)"
	@tools/make_venv.sh $(PYTHON) $(VENV) $(addprefix -r ,$(REQUIREMENTS))
	@touch $@

$(BIN)/.built: $(BIN)/.made $(CSRC) setup.py pyproject.toml skelkin_py/_support/version.py
	@$(PY) $(PIP_QUIET) install --no-build-isolation --no-deps -e .
	@touch $@

.PHONY: build
build: $(BIN)/.built ## compile the extension into .venv

# ---- tests ------------------------------------------------------------------------------------------------------
.PHONY: check
check: build ## build and the quick tests of the package, within a minute on two cores
	$(PYTEST) -n $(JOBS) -m "not slow" tests/python tests/source tests/release

.PHONY: test-python
test-python: build ## all tests of the package, the slow ones too
	$(PYTEST) -n $(JOBS) tests/python tests/source tests/release --junitxml=$(JUNIT)/python.xml

.PHONY: test-c
test-c: export BUILT := $(CURDIR)/build/editable
test-c: build ## the C core through its public headers, the examples in C and C++, and the commands of docs/start/c.md
	@$(MAKE) -s -C tests/c headers test example engine
	$(PYTEST) tests/c/planting
	@awk '/^```sh$$/{on=1;next} /^```$$/{on=0} on' docs/start/c.md | $(SHELL) -e

.PHONY: test-isa
test-isa: build ## the Python tests of kernels on every lower instruction set of this CPU (WHOLE=1: all tests)
	tools/test_isas.sh $(PY) $(JUNIT) $(if $(WHOLE),whole)

.PHONY: sweep
sweep: build ## ten million random two-bone problems on every instruction set (SEED=..., COUNT=...)
	@$(PY) tests/sweep/two_bone.py $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT))

# What each of these shows is written into docs/platforms.md.
OTHERS := arm i686 armhf s390x musl
.PHONY: $(OTHERS:%=test-%)
test-arm: ## the C core on 64-bit ARM: NEON under qemu-user
test-i686: ## the C core on x86 of 32 bits
test-armhf: ## the C core on ARM of 32 bits, in plain C, under qemu-user
test-s390x: ## the C core on a big-endian CPU, in plain C, under qemu-user
test-musl: ## the C core with musl in the place of glibc
$(OTHERS:%=test-%): test-%:
	@tools/platforms/c_tests.sh $*

.PHONY: test-avx512
test-avx512: ## the C core on AVX-512: emulated where the CPU lacks it
	@tools/platforms/avx512.sh

.PHONY: test-newer-pythons
test-newer-pythons: wheel ## the wheel on the Pythons of Debian sid, in a tree of its own (as root; SID=folder keeps it elsewhere)
	@tools/platforms/newer_pythons.sh $(or $(SID),build/sid) dist/skelkin_py-$(VERSION)-*.whl

.PHONY: test-arm-python
test-arm-python: wheel ## the wheel for 64-bit ARM and its quick Python tests, in a Debian of its own under qemu (as root; ARM=folder keeps it elsewhere)
	@tools/platforms/arm_python.sh $(PY) $(VENVS) $(or $(ARM),build/debian-arm) $(TESTS)

.PHONY: build-macos
build-macos: wheel ## the wheels for macOS by zig's compiler: linked and audited here, never run
	@tools/platforms/macos.sh $(PY) $(VENVS)

.PHONY: check-msvc
check-msvc: ## the core as MSVC reads it, by clang
	@tools/platforms/msvc.sh

.PHONY: test-asan
test-asan: ## the same under the address and undefined-behaviour sanitizers
	@$(MAKE) -s -C tests/c asan WHOLE=$(WHOLE)

.PHONY: test-asan-python
test-asan-python: $(BIN)/.made ## planting's quick Python tests with every address and index checked (needs gcc)
	@tools/test_asan_python.sh $(PY) $(JUNIT)

.PHONY: mutate
mutate: build ## faults made in csrc, one at a time, and which test notices: docs/mutation.md (SEED=..., COUNT=200, AGAIN=1: what none noticed, ONLY=planting/paths: look at these)
	$(PY) tests/mutation/mutate.py $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(if $(AGAIN),--again) \
		$(if $(ONLY),--only "$(ONLY)")

.PHONY: fuzz
fuzz: ## random jobs for the C core under the sanitizers, FUZZ_SECONDS=30 of them (needs clang)
	@$(MAKE) -s -C tests/c fuzz

.PHONY: test-tsan
test-tsan: ## the same under the thread sanitizer
	@$(MAKE) -s -C tests/c tsan

.PHONY: test-browser
test-browser: build ## the report page in a real Chromium
	@$(PY) $(PIP_QUIET) install -r requirements/browser.txt
	$(PYTEST) tests/browser --junitxml=$(JUNIT)/browser.xml

.PHONY: test-notebook
test-notebook: build ## what notebooks show: in a JupyterLab of its own, and in exported HTML without a network
	tools/test_notebook.sh $(PY) $(VENVS) $(JUNIT) $(ARTEFACTS)/notebook

.PHONY: test-cluster
test-cluster: build ## skelkin plant on a real Dask cluster, one of whose workers is killed
	@$(PY) $(PIP_QUIET) install -r requirements/cluster.txt
	$(PYTEST) tests/cluster --junitxml=$(JUNIT)/cluster.xml

.PHONY: test-oracles
test-oracles: build ## the package against UsdSkel, libigl, pygltflib and trimesh
	tools/test_oracles.sh $(VENVS) $(JUNIT)

.PHONY: test-blender
test-blender: $(BIN)/.built wheel addon ## the add-on and parity in every Blender at hand (WHOLE=1: all tests in each)
	$(PY) tests/blender/run.py --venvs $(VENVS) --junit $(JUNIT) $(if $(WHOLE),--whole)

.PHONY: test-windows
test-windows: $(BIN)/.made ## the C core, the package and the add-on in Blender on Windows, as wine shows it (QUICK=1: what breaks most easily; WHOLE=1: all Blender tests)
	tools/test_windows.sh $(PY) $(JUNIT) $(if $(QUICK),quick,$(if $(WHOLE),whole))

.PHONY: parity
parity: $(BIN)/.built wheel addon ## differences from every Blender at hand into docs/blender-parity.md
	$(PY) tests/blender/parity_page.py --venvs $(VENVS)

.PHONY: test-gui
test-gui: $(BIN)/.built wheel addon ## the add-on in a real window (Debian's Blender under Xvfb)
	$(PY) tests/gui/run.py --junit $(JUNIT) --screenshots $(ARTEFACTS)/gui

.PHONY: addon-pictures
addon-pictures: test-gui ## the pictures of docs/addon.md from the window's screenshots
	$(PY) tests/gui/pictures.py $(ARTEFACTS)/gui

.PHONY: pictures
pictures: build ## the pictures of README: a film of before and after, the report's page in a real Chromium
	@$(PY) $(PIP_QUIET) install -r requirements/browser.txt
	$(PY) docs/figures/readme.py

.PHONY: test-wheel
test-wheel: wheel ## the one wheel, installed on every CPython at hand (WHOLE=1: all tests on each)
	tools/test_wheel.sh $(VENVS) $(JUNIT) dist/skelkin_py-$(VERSION)-*.whl $(if $(WHOLE),whole)

COVERAGE_VENV := $(VENVS)/coverage
COVERAGE_REQUIREMENTS := $(patsubst %,requirements/%.txt,coverage build test view film ground)
$(COVERAGE_VENV)/.made: $(COVERAGE_REQUIREMENTS)
	@python=$$(tools/find_cpython.sh 3.13); test -n "$$python" || { echo "missing: CPython 3.13 (set PYTHON313=…)" >&2; exit 1; }; \
		tools/make_venv.sh "$$python" $(COVERAGE_VENV) $(addprefix -r ,$(COVERAGE_REQUIREMENTS))
	@touch $@

.PHONY: coverage
coverage: wheel addon $(COVERAGE_VENV)/.made ## which lines of C and Python the tests run: docs/coverage.md
	tools/coverage.sh $(COVERAGE_VENV) $(VENVS) $(JOBS)

# ---- checks of the source -----------------------------------------------------------------------------------------
LINT_VENV := $(VENVS)/lint
$(LINT_VENV)/.made: requirements/hashed/lint.txt $(BIN)/.made
	@tools/make_venv.sh $(PY) $(LINT_VENV) -r $<
	@touch $@

.PHONY: lint
lint: $(LINT_VENV)/.made ## ruff, clang-format, codespell, cppcheck, compiler warnings as errors, workflows and forms
	$(LINT_VENV)/bin/ruff check .
	$(LINT_VENV)/bin/ruff format --check .
	$(LINT_VENV)/bin/clang-format --dry-run --Werror $$(git ls-files '*.c' '*.h' '*.inl')
	$(LINT_VENV)/bin/codespell $$(git ls-files ':!tests/fuzz/seeds')
	tools/lint_c.sh $(PY)
	$(LINT_VENV)/bin/zizmor --offline --quiet .github
	$(LINT_VENV)/bin/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(LINT_VENV)/bin/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	$(LINT_VENV)/bin/python tools/release/identifiers.py

.PHONY: pins
pins: $(BIN)/.made ## requirements/hashed from requirements: all packages of the environments of workflows, with their hashes
	@$(PY) $(PIP_QUIET) install -r requirements/ci.txt
	tools/release/pin_requirements.sh $(BIN)/uv

.PHONY: format
format: $(LINT_VENV)/.made ## let ruff and clang-format lay the source out
	$(LINT_VENV)/bin/ruff check --fix-only -q .
	$(LINT_VENV)/bin/ruff format -q .
	$(LINT_VENV)/bin/clang-format -i $$(git ls-files '*.c' '*.h' '*.inl')

.PHONY: typecheck
typecheck: build $(LINT_VENV)/.made ## mypy --strict on the package and on calls of it, stubtest on the extension's stub
	$(LINT_VENV)/bin/mypy --python-executable $(PY)
	$(PY) $(PIP_QUIET) install -r requirements/hashed/typecheck.txt
	MYPYPATH=. $(PY) -m mypy.stubtest skelkin_py._core --ignore-missing-stub --mypy-config-file pyproject.toml

# ---- what is shipped ------------------------------------------------------------------------------------------------
$(VENVS)/release/.made: requirements/hashed/release.txt $(BIN)/.made
	@tools/make_venv.sh $(PY) $(VENVS)/release -r $<
	@touch $@

WHEEL_STAMP := dist/.wheel
$(WHEEL_STAMP): $(VENVS)/release/.made $(CSRC) $(PACKAGE) setup.py pyproject.toml MANIFEST.in README.md LICENSE \
		requirements/hashed/build.txt $(wildcard tools/wheels/*.py)
	@tools/build_wheel.sh $(VENVS)/release
	@touch $@

.PHONY: wheel
wheel: $(WHEEL_STAMP) ## the sdist and, from it, the one abi3 wheel in dist/; prints the tag it earned

.PHONY: addon
addon: $(WHEEL_STAMP) ## the add-on's zips in dist/ for this system: extension and legacy
	$(PY) tools/build_addon.py

.PHONY: releasable
releasable: ## what keeps this tree from being released: changes, versions, changelog, results of another tree, addresses
	@python3 tools/release/releasable.py

.PHONY: address
address: ## write the project's addresses where they stand (REPOSITORY=https://… DOCUMENTATION=https://…)
	@python3 tools/release/address.py $(REPOSITORY) $(DOCUMENTATION)

RELEASE_PY := $(VENVS)/release/bin/python
.PHONY: release-files
release-files: $(VENVS)/release/.made ## dist/release from what is built in dist/ (FROM=folder) and the site, checked (WHOLE=1: of all systems)
	@$(RELEASE_PY) tools/release/files.py --built $(or $(FROM),dist) $(if $(WHOLE),--whole)

.PHONY: release
release: ## all files of a release that this system can make, checked, in dist/release (DRY=1: what `make releasable` says is no end)
	@$(MAKE) --no-print-directory releasable $(if $(DRY),|| echo "a dry run goes on")
	@rm -f $(WHEEL_STAMP) # of this commit, as its date is part of it
	@$(MAKE) --no-print-directory wheel docs
	@$(MAKE) --no-print-directory release-files

.PHONY: test-reproducible
test-reproducible: $(VENVS)/release/.made ## the sdist, the wheel and the zips, built twice, are the same bytes
	@tools/release/twice.sh $(VENVS)/release

.PHONY: try-wheel
try-wheel: wheel ## the wheel as the workflow of wheels tries it
	$(PYTHON) tools/release/try_wheel.py

.PHONY: try-addon
try-addon: addon ## the add-on's zips as the workflow of wheels tries them, in Blender 4.5
	@python=$$(tools/find_cpython.sh 3.11); test -n "$$python" || { echo "missing: CPython 3.11 (set PYTHON311=…)" >&2; exit 1; }; \
		"$$python" tools/release/try_addon.py

.PHONY: lib
lib: ## build/libskelkin.a for C programs
	@$(MAKE) -s -C tests/c lib

# ---- measurements ------------------------------------------------------------------------------------------------------
.PHONY: bench
# OZZ and MOTION_CORRECTION, paths to built checkouts, bring these peers into the run (benchmarks/README.md).
bench: export OZZ := $(OZZ)
bench: export MOTION_CORRECTION := $(MOTION_CORRECTION)
bench: $(WHEEL_STAMP) ## side by side against peers into benchmarks/results (THEMES="kinematics ...", SEED=..., TORCH=1, OZZ=...)
	$(PY) benchmarks/run.py --venvs $(VENVS) $(if $(THEMES),--themes $(THEMES)) $(if $(SEED),--seed $(SEED)) $(if $(filter 1,$(TORCH)),--torch)

.PHONY: figures
figures: $(BIN)/.made ## the figures of the reference CPU into README and docs, the tables of benchmarks/results from their files
	$(PY) benchmarks/figures.py

.PHONY: planting
planting: build ## plant the clips with known contacts and the real ones: docs/planting-figures.md and its pictures
	$(PY) benchmarks/planting_page.py

JUDGE_VENV := $(VENVS)/judge
$(JUDGE_VENV)/.made: requirements/judge.txt requirements/test.txt $(BIN)/.made
	@tools/make_venv.sh $(PY) $(JUDGE_VENV) -r requirements/judge.txt -r requirements/test.txt
	@touch $@

.PHONY: judge
judge: build $(JUDGE_VENV)/.made ## what planting costs beside the optimum: docs/planting-judge.md (CLIPS=zombie,milad prints some, FOLDER=captures one's own; PICTURES=folder)
	$(JUDGE_VENV)/bin/python tests/judge $(if $(CLIPS),--clips "$(CLIPS)") \
		$(if $(FOLDER),--folder "$(FOLDER)") $(if $(CLIPS)$(FOLDER),,--page docs/planting-judge.md) \
		--json $(ARTEFACTS)/planting-judge.json $(if $(PICTURES),--pictures "$(PICTURES)")

.PHONY: judge-beside
judge-beside: build $(JUDGE_VENV)/.made ## the judge's rows beside NVIDIA's motion_correction: docs/planting-beside.md (MOTION_CORRECTION=PATH as in benchmarks/README.md)
	MOTION_CORRECTION=$(MOTION_CORRECTION) $(JUDGE_VENV)/bin/python tests/judge/beside.py --page docs/planting-beside.md

.PHONY: test-judge
test-judge: build $(JUDGE_VENV)/.made ## the judge itself: its measures by hand, its optimum by another solver
	$(JUDGE_VENV)/bin/python -m pytest -q tests/judge --junitxml=$(JUNIT)/judge.xml

.PHONY: bench-blender
bench-blender: wheel addon ## the switch, and evaluation from arrays, against Blender itself, in every Blender at hand
	$(PY) benchmarks/run.py --venvs $(VENVS) --blender

# ---- the site of the pages -----------------------------------------------------------------------------------------
DOCS_VENV := $(VENVS)/docs
$(DOCS_VENV)/.made: requirements/hashed/docs.txt $(BIN)/.made
	@tools/make_venv.sh $(PY) $(DOCS_VENV) -r $<
	@touch $@

.PHONY: docs
docs: build wheel $(DOCS_VENV)/.made ## the site of the pages, offline, in build/site; notebooks run, and warnings are errors
	@$(DOCS_VENV)/bin/python $(PIP_QUIET) install --force-reinstall --no-deps dist/skelkin_py-$(VERSION)-*.whl
	$(DOCS_VENV)/bin/python docs/site/build.py --jobs $(JOBS)
	$(PYTEST) tests/site --junitxml=$(JUNIT)/site.xml

.PHONY: clean
clean: ## remove builds and outputs; environments stay
	rm -rf build dist demo $(ARTEFACTS) *.egg-info
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +
