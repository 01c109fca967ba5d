#include "sample/kernels.h"

_Alignas(64) const float lm_rows_162[256][4] = {
#include "math/normals_162.inc"
};

_Alignas(64) const float lm_rows_256[256][4] = {
#include "math/normals_256.inc"
};

_Alignas(64) const float lm_rows_rho[256][4] = {
#include "math/rows_rho.inc"
};

_Alignas(64) const float lm_rows_sigma[256][4] = {
#include "math/rows_sigma.inc"
};
