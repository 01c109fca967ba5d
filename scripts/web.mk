# web.mk BUILD=… VERSION=…: the WebAssembly module, the npm package (BUILD/web/npm) and the page
# (BUILD/web/page). `make web` calls it. Debian's clang, lld and wasi-libc; see docs/web.md.
WEB := $(BUILD)/web
SYSROOT ?= /usr

# Files and contexts are JavaScript's (web/wasm/files.c, graphics.c).
sources := $(shell find src assets gl web/wasm -name '*.c' ! -name os_posix.c ! -name os_windows.c ! -name import.c)
objects := $(sources:%.c=$(WEB)/objects/%.o)
# The whole: what the module has but for graphics (render says so), and the command, other programs' models, editing.
# It is fetched when one of these is asked for.
doors := $(wildcard src/formats/*/*_decode.c)
# libc's mathematics, which give the bits that they give everywhere else.
whole := $(filter-out $(doors) %/drawing.c %/graphics.c %/math.c tool/system_%,\
	$(sources) $(wildcard import/*.c tool/*.c web/command/*.c) web/wasm/import.c)
whole_objects := $(whole:%.c=$(WEB)/objects/%.o) $(doors:%.c=$(WEB)/whole/%.o)
# For speed; the rest for size.
hot := src/sample/sample_simd128.c src/sample/look.c src/sample/smooth.c src/model/weld.c \
	src/formats/md2/md2_ranges.c src/formats/md2/md2_read.c src/formats/md2/md2_decode.c
library := $(wildcard web/lib/*)
page := $(wildcard web/page/*)

FLAGS := --target=wasm32-wasi --sysroot=$(SYSROOT) -std=c11 -msimd128 -ffp-contract=off -DLM_NO_CONTRACTION \
	-DLM_SMALL -DLM_HAVE_STB -DSTBI_NO_THREAD_LOCALS -fvisibility=hidden -Iinclude -Isrc -Iassets \
	-isystem /usr/include/stb -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror -MMD -MP
$(WEB)/objects/tool/%.o: FLAGS += -Iweb/command
FLAGS_stb.c := -Wno-unused-function -fwrapv
FLAGS_json.c := -Wno-unused-function
compile = mkdir -p $(@D) && clang $(FLAGS) $(1) $(if $(filter $(hot),$<),-O2,-Oz) $(FLAGS_$(<F)) -c $< -o $@
link = clang --target=wasm32-wasi --sysroot=$(SYSROOT) -nostartfiles $^ -o $@.raw \
	-Wl,--no-entry,--stack-first,-z,stack-size=$(1),--gc-sections,-Map=$@.map && \
	wasm-opt --enable-simd --low-memory-unused --zero-filled-memory $(2) -Oz \
		--strip-debug --strip-producers $@.raw -o $@

all: $(WEB)/npm/package.json $(WEB)/page/sw.js

$(WEB)/lerpmesh.wasm: $(objects)
	@$(call link,1048576,--flatten --rereloop -Oz)

$(WEB)/whole.wasm: $(whole_objects)
	@$(call link,4194304,)

$(WEB)/objects/%.o: %.c scripts/web.mk
	@$(call compile,-DLM_NO_EDITING)

$(WEB)/whole/%.o: %.c scripts/web.mk
	@$(call compile)

$(WEB)/npm/package.json: $(WEB)/lerpmesh.wasm $(WEB)/whole.wasm $(library) web/package.json web/README.md scripts/web_pack.mjs
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp $(library) web/README.md LICENSE $(WEB)/lerpmesh.wasm $(@D)
	@node scripts/web_pack.mjs package $(WEB) $(@D) $(VERSION)

$(WEB)/page/sw.js: $(WEB)/npm/package.json $(page) samples/tick.md2 samples/tick.pcx
	@rm -rf $(@D) && mkdir -p $(@D)/lib
	@cp $(page) samples/tick.md2 samples/tick.pcx $(@D)
	@cp data/org.lerpmesh.Viewer.svg $(@D)/icon.svg
	@cp $(filter-out %/node.js %/command.js %/three.js,$(wildcard web/lib/*.js)) $(WEB)/npm/wasm.js $(@D)/lib
	@node scripts/web_pack.mjs page $(@D) $(VERSION)

-include $(objects:.o=.d) $(whole_objects:.o=.d)
