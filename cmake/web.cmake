# The C of the page and the package, which scripts/web.mk compiles for WebAssembly: here only so that
# compile_commands.json has it, for clang-tidy and editors. Nobody builds it.
file(GLOB web_sources CONFIGURE_DEPENDS web/wasm/*.c web/command/*.c bench/web/load.c)
add_library(lerpmesh-web-sources OBJECT EXCLUDE_FROM_ALL ${web_sources})
target_include_directories(lerpmesh-web-sources PRIVATE include assets common src write)
target_compile_options(lerpmesh-web-sources PRIVATE -Wno-unknown-attributes)
lerpmesh_flags(lerpmesh-web-sources)
