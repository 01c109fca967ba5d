# The linters. clang-tidy is slow, so each file leaves a stamp when it was found quiet and is looked
# at again only when it, a header or the rules changed.
#   make -f scripts/lint.mk BUILD=build

BUILD ?= build
STAMPS := $(BUILD)/lint

find_c = $(sort $(patsubst ./%,%,$(shell find . -name '$(1)' -type f \
    -not -path './build/*' -not -path './.git/*' -not -path '*/node_modules/*')))
SOURCES := $(call find_c,*.c)
HEADERS := $(call find_c,*.h)
RULES := .clang-tidy tests/.clang-tidy CMakeLists.txt tests/CMakeLists.txt cmake/flags.cmake
TIDIED := $(SOURCES:%=$(STAMPS)/%.tidy)

ifeq ($(SOURCES),)
$(error lint: there is no C file to look at)
endif

.PHONY: lint architecture format tidy
lint: architecture format tidy

architecture:
	@python3 scripts/architecture.py
	@python3 scripts/circles.py

format:
	@clang-format --dry-run -Werror $(SOURCES) $(HEADERS)

tidy: $(TIDIED)

$(STAMPS)/%.tidy: % $(HEADERS) $(RULES)
	@mkdir -p $(@D)
	@clang-tidy --quiet -p $(BUILD)/release $< >$@.log 2>&1 || { cat $@.log; rm -f $@; exit 1; }
	@mv $@.log $@
