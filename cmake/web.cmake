# The C code of the page and the package, which scripts/web.mk compiles for WebAssembly. This target is never built;
# it only adds the files to compile_commands.json, for clang-tidy and editors.
file(GLOB web_sources CONFIGURE_DEPENDS web/wasm/*.c)
add_library(lerpmesh-web-sources OBJECT EXCLUDE_FROM_ALL ${web_sources})
target_include_directories(lerpmesh-web-sources PRIVATE include assets common convert src write)
target_compile_options(lerpmesh-web-sources PRIVATE -Wno-unknown-attributes)
lerpmesh_flags(lerpmesh-web-sources)
