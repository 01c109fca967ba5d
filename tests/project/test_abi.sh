#!/usr/bin/env bash
# scripts/abi.sh accepts libraries that are compatible with old programs, and rejects others.
set -euo pipefail
cd "$LERPMESH_SOURCE_DIR"
command -v abidiff >/dev/null || { echo "skipped: abi: there is no abidiff"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# library NAME SONAME SED: makes a library that differs from the first by an edit.
library() {
    mkdir "$folder/$1"
    sed "$3" >"$folder/$1/x.c" <<'END'
#include <stdint.h>
typedef struct lm_x_options {
    int a;
    uint64_t reserved[4];
} lm_x_options;
int lm_f(const lm_x_options *options);
int lm_g(int a);
int lm_f(const lm_x_options *options) { return options->a; }
int lm_g(int a) { return a; }
END
    cc -g -shared -fPIC -Wl,-soname,"$2" "$folder/$1/x.c" -o "$folder/$1/liblerpmesh.so"
}

# compared NAME RESULT: compares the first library with this one.
compared() {
    local result=0
    bash scripts/abi.sh --compare "$folder/first" "$folder/$1" >"$folder/output" || result=$?
    [ $result -eq "$2" ] || { echo "FAILED: $1: $result, not $2" >&2; cat "$folder/output" >&2; exit 1; }
    echo "ok: $1"
}

library first liblerpmesh.so.1 ''
library same liblerpmesh.so.1 ''
library new_option liblerpmesh.so.1 's/uint64_t reserved\[4\]/uint64_t b; uint64_t reserved[3]/'
library new_function liblerpmesh.so.1 '$a int lm_h(void); int lm_h(void) { return 2; }'
library larger_struct liblerpmesh.so.1 's/int a;/int a; int b; int c;/'
library removed_function liblerpmesh.so.1 '/lm_g/d'
library other_argument liblerpmesh.so.1 's/lm_g(int a)/lm_g(short a)/'
library other_soname liblerpmesh.so.2 '/lm_g/d'
compared same 0
compared new_option 0
compared new_function 0
compared larger_struct 1
compared removed_function 1
compared other_argument 1
compared other_soname 0
