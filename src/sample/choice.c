/* Which kernels there are, and which of them this processor can run. */
#include "sample/kernels.h"

#ifdef LM_SIMD_X86
#define AVX512 \
    { lm_sample_avx512, 16 }
#define AVX2 \
    { lm_sample_avx2, 8 }
#define SSE2 \
    { lm_sample_simd128, 4 }

static const lm_sample_kernels all[] = {
    {"avx512", {AVX512, AVX2, SSE2}}, {"avx2", {AVX2, SSE2}}, {"sse2", {SSE2}}, {"scalar", {{0}}}};

static bool supported(size_t i) {
    if (i == 0)
        return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
    return i != 1 || __builtin_cpu_supports("avx2");
}

#elif defined(LM_SIMD_NEON) || defined(LM_SIMD_WASM)
static const lm_sample_kernels all[] = {{"simd128", {{lm_sample_simd128, 4}}}, {"scalar", {{0}}}};

static bool supported(size_t i) {
    (void)i;
    return true;
}

#else
static const lm_sample_kernels all[] = {{"scalar", {{0}}}};

static bool supported(size_t i) {
    (void)i;
    return true;
}
#endif

const lm_sample_kernels *lm_sample_choice(size_t i) {
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (supported(k) && i-- == 0)
            return &all[k];
    return NULL;
}
