# web.mk BUILD=… VERSION=…: builds the WebAssembly modules, the npm package (BUILD/web/npm) and the page
# (BUILD/web/page) with Debian's clang, lld and wasi-libc. `make web` calls it. See docs/internals/web.md.
WEB := $(BUILD)/web
SYSROOT ?= /usr

# JavaScript provides files, contexts and the command's system calls (web/wasm/files.c, drawing.c, more.c).
# The order decides the bytes of the modules, so it must not be the file system's.
sources := $(foreach folder,src write assets gl common convert web,$(sort $(shell \
	find $(folder) -name '*.c' ! -path 'common/image/*' ! -name os_posix.c ! -name os_windows.c))) \
	$(wildcard import/*.c) $(filter-out tool/system_%,$(wildcard tool/*.c))
sources := $(filter-out web/wasm/core.c,$(sources))
# The module of lerpmesh/core: the core library, and the images that browsers do not decode.
core := $(filter-out src/core/numbers.c,$(filter src/%,$(sources))) common/describe_model.c \
	$(addprefix assets/image/,bmp.c image.c pcx.c stb_guard.c) \
	$(addprefix web/wasm/,core.c instances.c poses.c result.c)
# The second module has everything that only these need: checking, writing, editing, import, the command.
second := $(filter import/% convert/% tool/% write/% \
	%_check.c %_table.c src/check.c src/locate.c %/more.c web/wasm/convert.c web/wasm/instances.c web/wasm/skeleton.c common/skeletons.c,$(sources))
# The only functions of the second module that the first may refer to. Their callers fetch the second module before.
formats := $(notdir $(wildcard src/formats/md?))
doors := $(foreach format,$(formats),$(addprefix lmi_$(format)_,check table))
first_objects := $(patsubst %.c,$(WEB)/objects/%.o,$(filter-out $(second),$(sources)))
second_objects := $(second:%.c=$(WEB)/objects/%.o)
# Compiled for speed; all others for size.
hot := src/core/crc.c src/sample/sample_simd128.c src/sample/smooth.c src/model/weld.c \
	src/formats/ranges.c src/formats/md2/md2_read.c src/formats/md2/md2_decode.c
library := $(wildcard web/lib/*)
page := $(wildcard web/page/*)

# Uses features of every browser that has SIMD.
FLAGS := --target=wasm32-wasi --sysroot=$(SYSROOT) -std=c11 -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint \
	-D_Thread_local= -ffp-contract=off -DLM_NO_CONTRACTION -DLM_SMALL -DLM_HAVE_STB -DSTBI_NO_THREAD_LOCALS \
	-fvisibility=hidden -Iinclude -Isrc -Iwrite -Iassets -Icommon -Iconvert -isystem /usr/include/stb \
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Werror -MMD -MP
FEATURES := $(addprefix --enable-,simd bulk-memory sign-ext nontrapping-float-to-int mutable-globals)
$(WEB)/objects/tool/%.o: FLAGS += -Iweb/command
$(WEB)/objects/convert/%.o: FLAGS += -DLM_CONVERT_HAVE_IMPORT
# These use JavaScript's mathematics (result.c). All others use libc's, whose results have the same bits on every platform.
$(WEB)/objects/gl/%.o $(WEB)/objects/common/%.o: FLAGS += $(foreach name,sin cos tan acos sinf expf log2f pow hypot hypotf,-D$(name)=js_$(name))
FLAGS_stb.c := -Wno-unused-function -fwrapv
FLAGS_json.c := -Wno-unused-function
# Only its tables could be made in vectors, and they are small.
FLAGS_crc.c := -fno-vectorize -fno-slp-vectorize -fno-unroll-loops
# -O0: identical strings must not be merged, because each belongs to one module.
link = clang --target=wasm32-wasi --sysroot=$(SYSROOT) -nostartfiles $^ -o $@ \
	-Wl,-O0,--no-entry,--stack-first,-z,stack-size=4194304,--gc-sections,--no-check-features,--strip-all,-Map=$(@:.raw=.map)
shrink = wasm-opt $(FEATURES) --low-memory-unused --zero-filled-memory --flatten --rereloop -Oz -Oz \
	--strip-debug --strip-producers --strip-target-features $< -o $@

all: $(WEB)/npm/package.json $(WEB)/page/sw.js

# Links the first module alone, only for its map of needed functions and constants.
$(WEB)/first.raw: $(first_objects)
	@printf '%s\n' $(doors) >$(WEB)/doors.txt
	@$(link),--allow-undefined-file=$(WEB)/doors.txt

$(WEB)/all.raw: $(first_objects) $(second_objects)
	@$(link)

$(WEB)/first.split $(WEB)/second.split &: $(WEB)/first.raw $(WEB)/all.raw scripts/web_split.mjs
	@node scripts/web_split.mjs $(WEB)/all $(WEB)/first $(WEB)/first.split $(WEB)/second.split $(FEATURES)

# Its printf has no floating point: no sentence that the core can write needs it.
$(WEB)/core.raw: $(core:%.c=$(WEB)/objects/%.o) $(WEB)/objects/stb_tga.o
	@$(link) -lc-printscan-no-floating-point

$(WEB)/objects/stb_tga.o: assets/image/stb.c scripts/web.mk
	@mkdir -p $(@D) && clang $(FLAGS) -DLM_TGA_ONLY -Oz $(FLAGS_stb.c) -c $< -o $@

$(WEB)/core.wasm: $(WEB)/core.raw
	@$(shrink)

$(WEB)/lerpmesh.wasm: $(WEB)/first.split
	@$(shrink)

$(WEB)/more.wasm: $(WEB)/second.split
	@$(shrink)

$(WEB)/objects/%.o: %.c scripts/web.mk
	@mkdir -p $(@D) && clang $(FLAGS) $(if $(filter $(hot),$<),-O2,-Oz) $(FLAGS_$(<F)) -c $< -o $@

$(WEB)/npm/package.json: $(WEB)/lerpmesh.wasm $(WEB)/more.wasm $(WEB)/core.wasm $(library) web/package.json web/README.md scripts/web_pack.mjs
	@rm -rf $(@D) && mkdir -p $(@D)
	@cp $(library) web/README.md LICENSE $(WEB)/lerpmesh.wasm $(WEB)/more.wasm $(WEB)/core.wasm $(@D)
	@node scripts/web_pack.mjs package $(WEB) $(@D) $(VERSION)

# mediabunny, which writes the containers of videos.
$(WEB)/modules/node_modules/.package-lock.json: web/page/package.json web/page/package-lock.json
	@mkdir -p $(WEB)/modules && cp $^ $(WEB)/modules
	@cd $(WEB)/modules && npm ci --silent --no-audit --no-fund
	@touch $@

$(WEB)/page/sw.js: $(WEB)/npm/package.json $(WEB)/modules/node_modules/.package-lock.json $(page) $(shell find samples web/thumbnails -type f)
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd web/page && NODE_PATH=$(abspath $(WEB)/modules/node_modules) esbuild app.js worker.js style.css panels.css --bundle --splitting --format=esm --minify --target=es2022 \
		--external:./wasm.js --external:./more.js --log-level=warning --outdir=$(abspath $(@D))
	@cp $(filter-out %.js %.css %.json,$(page)) web/page/sw.js $(WEB)/npm/wasm.js $(WEB)/npm/more.js $(@D)
	@cp data/org.lerpmesh.Viewer.svg $(@D)/icon.svg
	@cp $(WEB)/modules/node_modules/mediabunny/LICENSE $(@D)/mediabunny-license.txt
	@node scripts/web_pack.mjs html $(@D)
	@node scripts/web_pack.mjs page $(@D) $(VERSION)

-include $(first_objects:.o=.d) $(second_objects:.o=.d) $(core:%.c=$(WEB)/objects/%.d)
