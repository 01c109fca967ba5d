# The linters. clang-tidy is slow, so each clean file gets a stamp and is checked again only when the file, a header or
# the rules change. Its analyzer takes two thirds of the time: `tidy` runs all checks without it, `analyzer` runs it. Compiler warnings are off here, because the build reports them. A file that is compiled for several programs
# is checked as the first of them compiles it.
#   make -f scripts/lint.mk BUILD=build [architecture|format|tidy|analyzer]

BUILD ?= build
STAMPS := $(BUILD)/lint

find_c = $(sort $(patsubst ./%,%,$(shell find . -name '$(1)' -type f \
    -not -path './build/*' -not -path './.git/*' -not -path '*/node_modules/*')))
SOURCES := $(call find_c,*.c)
HEADERS := $(call find_c,*.h)
RULES := .clang-tidy tests/.clang-tidy CMakeLists.txt tests/CMakeLists.txt cmake/flags.cmake
# examples/sdl/ needs SDL; make test-tutorials compiles it.
TIDIED := $(patsubst %,$(STAMPS)/%.tidy,$(filter-out examples/sdl/%,$(SOURCES)))
# tests/.clang-tidy disables the analyzer.
ANALYZED := $(patsubst %,$(STAMPS)/%.analyzed,$(filter-out tests/% examples/sdl/%,$(SOURCES)))

comma := ,

ifeq ($(SOURCES),)
$(error lint: found no C files)
endif

.PHONY: lint tidy analyzer architecture format
lint: architecture format tidy analyzer
tidy: $(TIDIED)
analyzer: $(ANALYZED)

architecture:
	@python3 scripts/architecture.py

format:
	@clang-format-19 --dry-run -Werror $(SOURCES) $(HEADERS)

check = mkdir -p $(@D); clang-tidy-19 --quiet --checks=$(1) -p $(STAMPS) $< >$@.log 2>&1 || \
	{ cat $@.log; rm -f $@; exit 1; }; mv $@.log $@

$(STAMPS)/compile_commands.json: $(BUILD)/release/compile_commands.json
	@mkdir -p $(@D)
	@python3 -c 'import json, sys; \
		json.dump(list({entry["file"]: entry for entry in json.load(sys.stdin)[::-1]}.values()), sys.stdout)' <$< >$@

$(STAMPS)/%.tidy: % $(HEADERS) $(RULES) | $(STAMPS)/compile_commands.json
	@$(call check,'-clang-analyzer-*' --extra-arg=-w)

$(STAMPS)/%.analyzed: % $(HEADERS) $(RULES) | $(STAMPS)/compile_commands.json
	@$(call check,'-bugprone-*$(comma)-misc-*$(comma)-performance-*$(comma)-portability-*$(comma)-readability-*')
