# The entry point for users; see `make help`. CMake does the work.

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
FUZZERS ?=
CAMPAIGN ?= $(HOME)/lerpmesh-campaign
CAMPAIGN_EXECUTIONS ?= 100000000
# bench-compare: the number of runs of each build
PAIRS ?= 5
# test-hard: the parts to run; default: all
PARTS ?=
# test and test-rest: a file of counts to add to
SUMS ?=
# Debian's assimp-testmodels
TEST_MODELS ?= /usr/share/assimp/models/MD2
# blender: wheels to pack as well
WHEELS ?=
# no: install no packages; CMake reports the missing ones.
DEPS ?= yes

# Real models for tests and benchmarks, if there are any
ifneq ($(wildcard ../shared/corpus),)
export LERPMESH_CORPUS ?= $(abspath ../shared/corpus)
endif

# Debian's, which has cffi and numpy
PYTHON ?= /usr/bin/python3

# Variables that the recipes' programs read from their environment.
export MODEL DESTDIR DEPS BASE

# make's default CC would override the compiler that CMake finds.
ifneq ($(origin CC),default)
export CC
endif
MAKEFLAGS += --no-print-directory

# Without the permission to remove the log, it is not printed as if it were this run's.
CONFIGURE = rm -f $(BUILD)/$(1).log && { cmake --preset $(1) -B $(BUILD)/$(1) $(2) >$(BUILD)/$(1).log || \
	{ cat $(BUILD)/$(1).log; exit 1; }; }
COMPILE = cmake --build $(BUILD)/$(1) -j $(JOBS)
NODE_MODULES := $(if $(wildcard tests/web/package-lock.json),tests/web/node_modules/.package-lock.json)

.PHONY: all deps demo test test-rest test-all test-games test-engines test-cross test-web test-deb test-systems \
	test-release test-hard screenshots thumbnails coverage bench bench-compare fuzz fuzz-campaign \
	web python blender blender-wheels test-blender docs lint abi install uninstall dropin deb release clean \
	help node-modules

all:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@sed -n 's/^-- lerpmesh: //p' $(BUILD)/release.log
	@$(call COMPILE,release)
	@echo 'The command is $(BUILD)/release/lerpmesh. make install installs everything.'

deps:
	@bash scripts/deps.sh rest lint

demo:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@$(call COMPILE,release) --target lerpmesh-tool
	@bash scripts/demo.sh $(BUILD)

test:
	@bash scripts/deps.sh test lint
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON)
	@$(call COMPILE,release)
	@bash scripts/test.sh $(BUILD) $(JOBS) daily $(SUMS)

# The tests that `make test` leaves out.
test-rest:
	@bash scripts/deps.sh rest lint
	@mkdir -p $(BUILD)
	@$(MAKE) node-modules
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON)
	@$(call CONFIGURE,sanitize)
	@$(call COMPILE,release)
	@$(call COMPILE,sanitize) --target lerpmesh-tests
	@$(MAKE) web
	@bash scripts/test.sh $(BUILD) $(JOBS) rest $(SUMS)

# Runs both sets of tests. The last line sums up their counts.
test-all:
	@mkdir -p $(BUILD) && rm -f $(BUILD)/sums
	@status=0; $(MAKE) test SUMS=$(BUILD)/sums || status=1; \
	[ -f $(BUILD)/sums ] || echo 0 1 0 >$(BUILD)/sums; \
	$(MAKE) test-rest SUMS=$(BUILD)/sums || status=1; exit $$status

test-games:
	@bash scripts/deps.sh rest games
	@mkdir -p $(BUILD)
	@$(MAKE) node-modules
	@$(call CONFIGURE,release)
	@$(call COMPILE,release) --target lerpmesh-tool
	@bash scripts/test_games.sh $(BUILD) $(JOBS)

# Loads written files in the engines of games.
test-engines:
	@bash scripts/deps.sh build engines
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@$(call COMPILE,release) --target lerpmesh-tool
	@bash scripts/test_engines.sh $(BUILD)

.PHONY: test-tutorials
# Executes the pages of the documentation, also those that need games, Blender or a browser.
test-tutorials:
	@bash scripts/deps.sh tutorials
	@mkdir -p $(BUILD)
	@$(MAKE) node-modules web blender
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON)
	@$(call COMPILE,release)
	@ctest --test-dir $(BUILD)/release -C Tutorials -R '^page_' --output-on-failure --no-tests=error

# Tests for other machines, under emulators.
test-cross:
	@bash scripts/deps.sh cross
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON)
	@$(call COMPILE,release) --target lerpmesh-tool lerpmesh-static lerpmesh-write-static lerpmesh-assets-static test_kernels
	@$(MAKE) web
	@bash scripts/test_cross.sh $(BUILD)

# Tests of the npm package with bundlers, TypeScript and npm.
test-web: web
	@bash scripts/deps.sh node
	@$(MAKE) node-modules
	@cd tests/web/package && npm install --no-package-lock --no-audit --no-fund
	@node tests/web/package/test.mjs $(BUILD)/web/npm

# The files of a release.
release: blender-wheels
	@bash scripts/deps.sh release
	@JOBS=$(JOBS) CFFI_WHEELS=$(BUILD)/wheels bash scripts/release.sh $(BUILD)/release-files
	@ls $(BUILD)/release-files

# Builds the files of a release twice, and uses them.
test-release: blender-wheels
	@bash scripts/deps.sh release rest
	@JOBS=$(JOBS) bash scripts/test_release.sh $(BUILD)

# Debian packages, checked by lintian.
deb:
	@bash scripts/deps.sh deb
	@JOBS=$(JOBS) bash scripts/deb.sh $(BUILD)/deb
	@ls $(BUILD)/deb/*.deb

# Builds the packages twice, and uses them in a fresh Debian.
test-deb: deb
	@bash scripts/deps.sh systems
	@JOBS=$(JOBS) bash scripts/test_deb.sh $(BUILD)

# The README's commands in fresh Debians, in which nothing has been installed before.
SYSTEMS ?= bookworm trixie sid
test-systems:
	@bash scripts/deps.sh systems
	@bash scripts/test_systems.sh $(BUILD) $(SYSTEMS)

# Tests that take too long to run daily.
test-hard:
	@bash scripts/deps.sh hard lint
	@mkdir -p $(BUILD)
	@$(MAKE) node-modules web
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON)
	@$(call COMPILE,release) --target lerpmesh-tool lerpmesh-heap
	@bash scripts/test_hard.sh $(BUILD) $(JOBS) $(PARTS)

# Screenshots from the tests of the viewer.
screenshots:
	@bash scripts/deps.sh rest
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON -DLERPMESH_VIEWER=ON)
	@$(call COMPILE,release)
	@ctest --test-dir $(BUILD)/release --output-on-failure --no-tests=error -R '^test_viewer'
	@rm -rf $(BUILD)/screenshots && cp -r $(BUILD)/release/screenshots $(BUILD)/screenshots
	@echo '$(BUILD)/screenshots/'

# Draws the pictures of the page's gallery, after web/page/samples.json or a sample has changed.
thumbnails: all
	@sh scripts/thumbnails.sh $(BUILD)

node-modules: $(NODE_MODULES)
	@:

# npm records the installed packages in this lock file inside node_modules.
tests/web/node_modules/.package-lock.json: tests/web/package-lock.json
	@bash scripts/deps.sh node
	@cd tests/web && npm ci --no-audit --no-fund
	@touch $@

# Tests that do not run the coverage build: they build their own programs, or none.
NOT_COUNTED = test_(install|exports|gl_without_epoxy|subproject|core_only|portable|dropin|windows|makefile|cross|architecture|closing_line)

coverage:
	@bash scripts/deps.sh coverage
	@mkdir -p $(BUILD)
	@$(MAKE) node-modules
	@$(call CONFIGURE,coverage)
	@$(call COMPILE,coverage)
	@find $(BUILD)/coverage -name '*.gcda' -delete
	@ctest --test-dir $(BUILD)/coverage --output-on-failure --no-tests=error -j $(JOBS) \
		--exclude-regex '$(NOT_COUNTED)'
	@gcovr --root . --filter src/ --filter write/ --filter assets/ --filter gl/ --object-directory $(BUILD)/coverage \
		--gcov-ignore-parse-errors --exclude-throw-branches --print-summary --fail-under-line 95

# Skips the comparison with Assimp if it is not installed.
bench:
	@bash scripts/deps.sh build
	@bash scripts/deps.sh bench || echo 'Continuing without them.'
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_BENCH=ON)
	@$(call COMPILE,release) --target lerpmesh-bench
	@$(BUILD)/release/lerpmesh-bench $(BENCH_ARGS)
	@if grep -q 'lerpmesh: gl: on' $(BUILD)/release.log; then \
		$(call COMPILE,release) --target lerpmesh-bench-gl && \
		$(BUILD)/release/lerpmesh-bench-gl samples/tick.pcx samples/tick.md2 $(wildcard $(TEST_MODELS)/*.md2); fi

# Runs the benchmark of the commit BASE and of the working tree alternately.
bench-compare:
	@[ -n "$(BASE)" ] || { echo 'usage: make bench-compare BASE=COMMIT'; exit 2; }
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_BENCH=ON)
	@$(call COMPILE,release) --target lerpmesh-bench lerpmesh-tool
	@rm -rf $(BUILD)/bench-base && mkdir -p $(BUILD)/bench-base/source
	@git archive $(BASE) | tar -x -C $(BUILD)/bench-base/source
	@cmake --preset release -S $(BUILD)/bench-base/source -B $(BUILD)/bench-base/release -DLERPMESH_BENCH=ON \
		>$(BUILD)/base.log
	@cmake --build $(BUILD)/bench-base/release -j $(JOBS) --target lerpmesh-bench lerpmesh-tool >>$(BUILD)/base.log
	@python3 scripts/bench_compare.py $(BUILD)/bench-base/release/lerpmesh-bench $(BUILD)/release/lerpmesh-bench \
		$(PAIRS) $(BENCH_ARGS)

# Measures the precision of the encoders.
bench-write:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_BENCH=ON)
	@$(call COMPILE,release) --target lerpmesh-bench-write
	@$(BUILD)/release/lerpmesh-bench-write $(BENCH_ARGS)

fuzz:
	@bash scripts/deps.sh fuzz
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,fuzz)
	@$(call COMPILE,fuzz)
	@bash scripts/fuzz.sh $(BUILD) $(FUZZ_SECONDS) $(FUZZERS)

# Runs in the background, for days; see scripts/fuzz.sh.
fuzz-campaign:
	@bash scripts/deps.sh fuzz
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,fuzz)
	@$(call COMPILE,fuzz)
	@bash scripts/fuzz.sh --campaign $(BUILD) $(CAMPAIGN) $(CAMPAIGN_EXECUTIONS)
	@bash scripts/fuzz.sh --table $(CAMPAIGN)

# The page and the npm package.
web:
	@bash scripts/deps.sh web
	@$(MAKE) -j $(JOBS) -f scripts/web.mk BUILD=$(BUILD) VERSION=$$(sh scripts/version.sh)
	@echo '$(BUILD)/web/page/, $(BUILD)/web/npm/'

# The Python package: a wheel, and in lib/ a folder to import it from.
python: export LERPMESH_PYTHON_BUILD = $(abspath $(BUILD))/python
python: export PIP_ROOT_USER_ACTION = ignore
python:
	@bash scripts/deps.sh build python
	@rm -f $(BUILD)/python/*.whl
	@$(PYTHON) -m pip wheel -q --no-build-isolation --no-index --no-deps -w $(BUILD)/python ./python
	@$(PYTHON) -m pip install -q --no-index --no-deps --upgrade --target $(BUILD)/python/lib $(BUILD)/python/*.whl
	@ls $(BUILD)/python/*.whl

# The add-on for Blender. WHEELS: those of cffi for Blender's Python, which Debian's Blender does not need, such as
# build/wheels/*.whl of `make blender-wheels`.
blender: python
	@python3 python/blender/pack.py $(BUILD)/blender $(BUILD)/python/*.whl $(WHEELS)

# In this system's Blender, and in those of other Debians, in root folders.
BLENDERS ?= trixie sid
test-blender: python
	@bash scripts/deps.sh blender systems
	@LERPMESH_PYTHON_PACKAGE=$(abspath $(BUILD))/python/lib bash scripts/test_blender.sh $(BUILD) $(PYTHON) $(BLENDERS)

# Wheels of cffi for Blender's Pythons, from Debian's packages: 3.11 (Blender 4.1), 3.13 (5.1) and Debian's own.
blender-wheels:
	@bash scripts/deps.sh make python
	@bash scripts/cffi_wheels.sh $(BUILD)/wheels

# The site. Any warning is an error. -E: a change of docs/conf.py concerns all pages. The command lists the options of
# Python's convert().
docs: export DOCS_XML = $(abspath $(BUILD))/docs-xml
docs:
	@bash scripts/deps.sh build docs
	@rm -rf $(BUILD)/docs $(DOCS_XML)
	@mkdir -p $(DOCS_XML)
	@[ -n "$$LERPMESH_BINARY" ] || { $(call CONFIGURE,release) && $(call COMPILE,release) --target lerpmesh-tool; }
	@cp -R python/lerpmesh $(DOCS_XML)
	@$${LERPMESH_BINARY:-$(BUILD)/release/lerpmesh} help convert --json | \
		python3 python/convert_options.py $(DOCS_XML)/lerpmesh/_convert.py
	@doxygen docs/Doxyfile
	@sphinx-build -q -E -W --keep-going -d $(DOCS_XML)/doctrees docs $(BUILD)/docs
	@echo '$(BUILD)/docs/index.html'

lint:
	@bash scripts/deps.sh build lint
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@$(MAKE) -k -j $(JOBS) -f scripts/lint.mk BUILD=$(BUILD)

# Compares the shared libraries with those of the last tag, or of BASE=COMMIT; see docs/internals/abi.md.
abi:
	@bash scripts/deps.sh build abi
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@$(call COMPILE,release)
	@bash scripts/abi.sh $(BUILD)

# The manifest of each destination, a copy: tests install, too. Its name has the destination's, as in a URL.
INSTALLED = $(BUILD)/installed$(shell printf %s "$(DESTDIR)$(PREFIX)" | sed 's,//*,/,g; s,/$$,,; s,%,%25,g; s,/,%2F,g').txt
install:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,"-DCMAKE_INSTALL_PREFIX=$(PREFIX)")
	@$(call COMPILE,release)
	@cmake --install $(BUILD)/release
	@cp $(BUILD)/release/install_manifest.txt "$(INSTALLED)"
	@case "$(PREFIX)$$DESTDIR" in /usr|/usr/local) [ "$$(id -u)" -ne 0 ] || ldconfig ;; esac

uninstall:
	@cmake "-DMANIFEST=$(INSTALLED)" "-DCMAKE_INSTALL_PREFIX=$(PREFIX)" -P cmake/uninstall.cmake
	@rm -f "$(INSTALLED)"
	@case "$(PREFIX)$$DESTDIR" in /usr|/usr/local) [ "$$(id -u)" -ne 0 ] || ldconfig ;; esac

# Writes the core and lerpmesh-write as one source and one header.
dropin:
	@python3 scripts/make_dropin.py $(BUILD)/dropin
	@echo '$(BUILD)/dropin/lerpmesh.c, $(BUILD)/dropin/lerpmesh.h'

clean:
	@rm -rf $(BUILD) demo

help:
	@echo 'make              builds everything, in $(BUILD)/release/'
	@echo 'make demo         copies the samples to demo/, shows one and converts it to glTF; MODEL=path: your file'
	@echo 'make test         runs all tests but the slow ones, and the quick linters; 5 minutes'
	@echo 'make test-rest    runs the slow tests (viewer, browsers, validators), the C tests under sanitizers, and clang-tidy'
	@echo 'make test-all     runs both, as continuous integration does'
	@echo 'make test-games   converts and validates all models of OpenArena and UFO:AI (installs their data)'
	@echo 'make test-engines loads written files in the engines of OpenArena, UFO: Alien Invasion and Nexuiz (installs them)'
	@echo 'make test-tutorials    executes every page of docs/, with OpenArena, Blender and Chromium (installs them)'
	@echo 'make test-cross   tests s390x, i686, armhf, aarch64, WebAssembly and Windows completely'
	@echo 'make test-web     tests the npm package with four bundlers, TypeScript and npm'
	@echo 'make test-deb     compares two builds of the Debian packages, and installs, uses and removes them in a fresh Debian'
	@echo 'make test-systems follows the README in a fresh Debian 12, 13 and unstable; SYSTEMS="$(SYSTEMS)"'
	@echo 'make test-release compares two builds of the files of a release, and uses them'
	@echo 'make test-hard    runs the tests of other builds and the analyzer, fails each allocation, kills 200 runs, runs the memory, thread and undefined behaviour sanitizers; PARTS="memory threads"'
	@echo '                  PARTS=events: random events in the sanitized viewer for EVENTS_SECONDS=3600, WEB_CALLS=1000000 of the WebAssembly modules'
	@echo 'make screenshots  takes screenshots of the viewer, in $(BUILD)/screenshots/'
	@echo 'make thumbnails   draws the pictures of the page'\''s gallery, web/thumbnails/'
	@echo 'make coverage     measures the test coverage of the libraries (at least 95 % of lines)'
	@echo 'make bench        runs the benchmark; BENCH_ARGS=…'
	@echo 'make bench-compare BASE=COMMIT  compares the benchmark of a commit and of the working tree; PAIRS=5 BENCH_ARGS=…'
	@echo 'make bench-write  measures the accuracy of the encoders; BENCH_ARGS=…'
	@echo 'make fuzz         runs each fuzzer for FUZZ_SECONDS=$(FUZZ_SECONDS); FUZZERS="load_md3 …": only these (needs Clang)'
	@echo 'make fuzz-campaign  runs the fuzzers in turn, CAMPAIGN_EXECUTIONS=$(CAMPAIGN_EXECUTIONS) times in total; CAMPAIGN=folder'
	@echo 'make web          builds the page and the npm package, in $(BUILD)/web/'
	@echo 'make python       builds the Python package, in $(BUILD)/python/'
	@echo 'make blender      packs the add-on for Blender, in $(BUILD)/blender/'
	@echo 'make blender-wheels  packs cffi for the Pythons of Blender, in $(BUILD)/wheels/'
	@echo 'make test-blender tests the add-on in this system'\''s Blender (installs it) and in other Debians'\''; BLENDERS="$(BLENDERS)"'
	@echo 'make docs         builds the documentation as a site, in $(BUILD)/docs/'
	@echo 'make lint         runs clang-format, clang-tidy and the check of the dependencies between folders'
	@echo 'make abi          compares the shared libraries with those of the last tag, or of BASE=COMMIT'
	@echo 'make install      installs below PREFIX=$(PREFIX); DESTDIR=…'
	@echo 'make uninstall    removes the files of the last make install with this PREFIX and DESTDIR'
	@echo 'make dropin       writes lerpmesh and lerpmesh-write as one source and one header, in $(BUILD)/dropin/'
	@echo 'make deb          builds Debian packages, in $(BUILD)/deb/'
	@echo 'make release      builds the files of a release, in $(BUILD)/release-files/'
	@echo 'make deps         installs the Debian packages that the tests need'
	@echo 'make clean        removes $(BUILD)/ and demo/'
	@echo 'Variables: JOBS=$(JOBS), BUILD=$(BUILD) (use another folder for another CC),'
	@echo 'DEPS=no (installs no packages; CMake reports the missing ones).'
