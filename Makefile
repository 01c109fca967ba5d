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
# Arguments of scripts/mutate.py
MUTATE ?=
# test-hard: the parts to run; default: all
PARTS ?=
# test and test-rest: a file of counts to add to
SUMS ?=
# Debian's assimp-testmodels
TEST_MODELS ?= /usr/share/assimp/models/MD2
# no: install no packages; CMake says what is missing.
DEPS ?= yes

# Variables that the recipes' programs read from their environment.
export MODEL DESTDIR DEPS BASE

# make's default CC would override the compiler that CMake finds.
ifneq ($(origin CC),default)
export CC
endif
MAKEFLAGS += --no-print-directory

CONFIGURE = cmake --preset $(1) -B $(BUILD)/$(1) $(2) >$(BUILD)/$(1).log || \
	{ cat $(BUILD)/$(1).log; exit 1; }
COMPILE = cmake --build $(BUILD)/$(1) -j $(JOBS)
NODE_MODULES := $(if $(wildcard tests/web/package-lock.json),tests/web/node_modules/.package-lock.json)

.PHONY: all deps demo test test-rest test-all test-games test-cross test-web test-hard screenshots coverage mutate bench bench-compare bench-web fuzz fuzz-campaign web lint abi architecture install uninstall dropin clean \
	help node-modules

all:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@sed -n 's/^-- lerpmesh: //p' $(BUILD)/release.log
	@$(call COMPILE,release)

deps:
	@bash scripts/deps.sh rest lint

demo:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@$(call COMPILE,release) --target lerpmesh-tool lerpmesh-samples
	@bash scripts/demo.sh $(BUILD)

test:
	@bash scripts/deps.sh test lint
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON)
	@$(call CONFIGURE,sanitize)
	@$(call COMPILE,release)
	@$(call COMPILE,sanitize) --target lerpmesh-tests
	@bash scripts/test.sh $(BUILD) $(JOBS) daily $(SUMS)

# The tests that `make test` leaves out.
test-rest:
	@bash scripts/deps.sh rest lint
	@mkdir -p $(BUILD)
	@$(MAKE) node-modules
	@$(call CONFIGURE,release,-DLERPMESH_TESTS=ON)
	@$(call CONFIGURE,sanitize)
	@$(call COMPILE,release)
	@$(call COMPILE,sanitize) --target lerpmesh-tests lerpmesh-slow-tests lerpmesh-tool
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
	@cd tests/web/package && npm install --no-package-lock --no-audit --no-fund
	@node tests/web/package/test.mjs $(BUILD)/web/npm

# Tests that take too long to run daily.
test-hard:
	@bash scripts/deps.sh rest hard
	@mkdir -p $(BUILD)
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

node-modules: $(NODE_MODULES)
	@:

# npm records the installed packages in this lock file inside node_modules.
tests/web/node_modules/.package-lock.json: tests/web/package-lock.json
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

# Tests the tests with mutants of the sources. MUTATE='--count 40 src/formats'
mutate:
	@bash scripts/deps.sh rest
	@python3 scripts/mutate.py --build $(BUILD)/mutate $(MUTATE)

# The libraries to compare with are optional; without one, its part is left out.
bench:
	@bash scripts/deps.sh build
	@bash scripts/deps.sh bench || echo 'Going on without.'
	@$(MAKE) node-modules || echo 'Going on without three.js.'
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_BENCH=ON)
	@$(call COMPILE,release) --target lerpmesh-bench lerpmesh-tool
	@$(BUILD)/release/lerpmesh-bench $(BENCH_ARGS)
	@if grep -q 'lerpmesh: gl: on' $(BUILD)/release.log; then \
		$(call COMPILE,release) --target lerpmesh-bench-gl && \
		$(BUILD)/release/lerpmesh-bench-gl $(BUILD)/release/lerpmesh samples/tick.pcx \
			samples/tick.md2 $(wildcard $(TEST_MODELS)/*.md2); fi

# Runs the benchmark of the commit BASE and of the working tree alternately.
bench-compare:
	@[ -n "$(BASE)" ] || { echo 'make bench-compare BASE=COMMIT'; exit 2; }
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_BENCH=ON)
	@$(call COMPILE,release) --target lerpmesh-bench lerpmesh-tool
	@python3 scripts/bench_compare.py $(BUILD) $(BASE) $(PAIRS) $(BENCH_ARGS)

# Measures the precision of the encoders.
bench-write:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_BENCH=ON)
	@$(call COMPILE,release) --target lerpmesh-bench-write
	@$(BUILD)/release/lerpmesh-bench-write $(BENCH_ARGS)

# Compares the page and the package with three.js and the native library.
bench-web: web
	@bash scripts/deps.sh build bench
	@$(MAKE) node-modules
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,-DLERPMESH_BENCH=ON)
	@$(call COMPILE,release) --target lerpmesh-bench-web
	@node --expose-gc bench/web/bench.mjs $(BUILD) $(BENCH_ARGS)

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
	@python3 scripts/fuzz_table.py $(CAMPAIGN)

# The page and the npm package.
web:
	@bash scripts/deps.sh web
	@$(MAKE) -j $(JOBS) -f scripts/web.mk BUILD=$(BUILD) VERSION=$$(sed -n 's/^#define LM_VERSION_[A-Z]* \([0-9]*\)$$/\1/p' include/lerpmesh/base.h | paste -sd.)
	@echo '$(BUILD)/web/page/, $(BUILD)/web/npm/'

lint:
	@bash scripts/deps.sh build lint
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@$(MAKE) -k -j $(JOBS) -f scripts/lint.mk BUILD=$(BUILD)

# Compares the shared libraries with those of the last tag, or of BASE=COMMIT; see docs/abi.md.
abi:
	@bash scripts/deps.sh build abi
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release)
	@$(call COMPILE,release)
	@bash scripts/abi.sh $(BUILD)

# Draws the diagram of the folders from the #includes.
architecture:
	@python3 scripts/architecture.py --write

install:
	@bash scripts/deps.sh build
	@mkdir -p $(BUILD)
	@$(call CONFIGURE,release,"-DCMAKE_INSTALL_PREFIX=$(PREFIX)")
	@$(call COMPILE,release)
	@cmake --install $(BUILD)/release
	@cp $(BUILD)/release/install_manifest.txt $(BUILD)/installed.txt
	@case "$(PREFIX)$$DESTDIR" in /usr|/usr/local) [ "$$(id -u)" -ne 0 ] || ldconfig ;; esac

# Uses its own copy of the manifest, because tests install too.
uninstall:
	@cmake "-DMANIFEST=$(BUILD)/installed.txt" "-DCMAKE_INSTALL_PREFIX=$(PREFIX)" -P cmake/uninstall.cmake
	@case "$(PREFIX)$$DESTDIR" in /usr|/usr/local) [ "$$(id -u)" -ne 0 ] || ldconfig ;; esac

# Writes the core and lerpmesh-write as one source and one header.
dropin:
	@python3 scripts/make_dropin.py $(BUILD)/dropin
	@echo '$(BUILD)/dropin/lerpmesh.c, $(BUILD)/dropin/lerpmesh.h'

clean:
	@rm -rf $(BUILD) demo

help:
	@echo 'make            build the library, the command and the rest'
	@echo 'make demo       write the samples, show one, convert it to glTF; MODEL=path: your file'
	@echo 'make test       in five minutes: all but the slow tests, the C tests also under the sanitizers, then the linters'
	@echo 'make test-rest  the others: browsers, Wine, parts of other machines, validators, slow scripts; the analyzer'
	@echo 'make test-all   both; what continuous integration runs'
	@echo 'make test-games converts all models of OpenArena (installs its data) and validates them'
	@echo 'make test-cross the libraries and the command on s390x, i686, armhf, aarch64, WebAssembly and Windows'
	@echo 'make test-web   the npm package under four bundlers, its types, what npm packs'
	@echo 'make test-hard  each allocation failing, 200 kills; the memory and the thread sanitizer (Clang); or PARTS="memory threads"'
	@echo 'make screenshots pictures of the viewer, in build/screenshots/'
	@echo 'make coverage   how many lines of the libraries the tests reach (needs 95 %)'
	@echo 'make mutate     mistakes on purpose, and whether the tests notice: in changed files, or MUTATE="src/core …"'
	@echo 'make bench      the benchmark; BENCH_ARGS=…'
	@echo 'make bench-compare BASE=COMMIT: that commit and the working tree in turn, PAIRS=5 times; BENCH_ARGS=…'
	@echo 'make bench-write  how near what is written is to the truth; BENCH_ARGS=…'
	@echo 'make bench-web  the page and the package against the native library and three.js; BENCH_ARGS=ARCHIVES'
	@echo 'make fuzz       each fuzzer, or FUZZERS=…, for FUZZ_SECONDS=$(FUZZ_SECONDS) (Clang)'
	@echo 'make fuzz-campaign  all of them in turn, to CAMPAIGN_EXECUTIONS=$(CAMPAIGN_EXECUTIONS) in CAMPAIGN=…'
	@echo 'make web        the page and the npm package, in $(BUILD)/web/'
	@echo 'make lint       clang-format, clang-tidy, and the dependencies between folders'
	@echo 'make abi        the shared libraries against those of the last tag, or BASE=COMMIT'
	@echo 'make architecture draws the picture of the folders again, after their dependencies changed'
	@echo 'make install    PREFIX=$(PREFIX) DESTDIR='
	@echo 'make uninstall  removes what make install installed last; the same PREFIX and DESTDIR'
	@echo 'make dropin     the libraries that read and write as one lerpmesh.c and lerpmesh.h, in $(BUILD)/dropin/'
	@echo 'make deps       install the Debian packages that the tests need, where missing'
	@echo 'make clean      remove $(BUILD)/ and demo/'
	@echo 'Others: JOBS=$(JOBS), BUILD=$(BUILD) (another folder for another CC=…),'
	@echo 'DEPS=no (install no packages: configuring says what is missing).'
