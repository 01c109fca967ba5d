#!/bin/sh
# version.sh: prints the version in include/lerpmesh/base.h.
cd "$(dirname "$0")/.." && sed -n 's/^#define LM_VERSION_[MP][A-Z]* \([0-9]*\).*/\1/p' include/lerpmesh/base.h | paste -sd.
