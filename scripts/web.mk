# web.mk BUILD=… VERSION=…: the WebAssembly module, the npm package (BUILD/web/npm) and the page
# (BUILD/web/page). `make web` calls it. Debian's clang, lld and wasi-libc; see docs/web.md.
WEB := $(BUILD)/web
SYSROOT ?= /usr

# Files and contexts are JavaScript's (web/wasm/files.c, graphics.c).
sources := $(shell find src import assets gl web/wasm -name '*.c' ! -name os_posix.c ! -name os_windows.c ! -path 'import/*/*')
objects := $(sources:%.c=$(WEB)/objects/%.o)
# For speed; the rest for size.
hot := src/sample/% src/model/% src/formats/% src/encode/% src/core/crc.c assets/pictures/%
# The command has no graphics: render says so.
command := $(objects) $(filter-out %/system_posix.o %/system_windows.o,\
	$(patsubst %.c,$(WEB)/objects/%.o,$(wildcard tool/*.c web/command/*.c)))
library := $(wildcard web/lib/*)
page := $(wildcard web/page/*)

FLAGS := --target=wasm32-wasi --sysroot=$(SYSROOT) -std=c11 -msimd128 -ffp-contract=off -DLM_NO_CONTRACTION \
	-DLM_HAVE_STB -DSTBI_NO_THREAD_LOCALS -fvisibility=hidden -Iinclude -Isrc -Iassets -isystem /usr/include/stb \
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Werror -MMD -MP
$(WEB)/objects/tool/%.o: FLAGS += -Iweb/command
FLAGS_stb.c := -Wno-unused-function -fwrapv
FLAGS_json.c := -Wno-unused-function

all: $(WEB)/npm/package.json $(WEB)/page/sw.js

$(WEB)/lerpmesh.wasm: $(objects)
	@clang --target=wasm32-wasi --sysroot=$(SYSROOT) -nostartfiles $^ -o $@ \
		-Wl,--no-entry,--stack-first,-z,stack-size=1048576,--strip-all,--gc-sections

$(WEB)/command.wasm: $(filter-out %/wasm/drawing.o %/wasm/graphics.o,$(command))
	@clang --target=wasm32-wasi --sysroot=$(SYSROOT) -nostartfiles $^ -o $@ \
		-Wl,--no-entry,--stack-first,-z,stack-size=4194304,--strip-all,--gc-sections

$(WEB)/objects/%.o: %.c scripts/web.mk
	@mkdir -p $(@D)
	@clang $(FLAGS) $(if $(filter $(hot),$<),-O2,-Oz) $(FLAGS_$(<F)) -c $< -o $@

$(WEB)/npm/package.json: $(WEB)/lerpmesh.wasm $(WEB)/command.wasm $(library) web/package.json web/README.md scripts/web_pack.mjs
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp $(library) web/README.md LICENSE $(WEB)/lerpmesh.wasm $(WEB)/command.wasm $(@D)
	@node scripts/web_pack.mjs package $(WEB)/lerpmesh.wasm $(@D) $(VERSION)

$(WEB)/page/sw.js: $(WEB)/npm/package.json $(page) samples/tick.md2 samples/tick.pcx
	@rm -rf $(@D) && mkdir -p $(@D)/lib
	@cp $(page) samples/tick.md2 samples/tick.pcx $(@D)
	@cp data/org.lerpmesh.Viewer.svg $(@D)/icon.svg
	@cp $(filter-out %/node.js %/command.js %/three.js,$(wildcard web/lib/*.js)) $(WEB)/npm/wasm.js $(@D)/lib
	@node scripts/web_pack.mjs page $(@D) $(VERSION)

-include $(command:.o=.d)
