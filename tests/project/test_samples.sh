#!/usr/bin/env bash
# The samples have the bytes of samples/SHA256SUMS, which lists all of them, and no errors and no warnings, as
# samples/README.md states.
set -euo pipefail
export LC_ALL=C
cd "${LERPMESH_SOURCE_DIR:?}/samples"
sha256sum --check --strict --quiet SHA256SUMS
diff <(cut -c 67- SHA256SUMS | sort) <(find . -type f ! -name README.md ! -name SHA256SUMS -printf '%P\n' | sort)
"${LERPMESH_BINARY:?the command is not built}" check . |
    diff - <(find . -name '*.m??' -printf '%p: 0 errors, 0 warnings\n' | sort)
