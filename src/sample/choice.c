/* The available kernels, and those that this processor can run. */
#include "sample/kernels.h"

#ifdef LM_SIMD_X86
#define AVX512 {lm_sample_avx512, 16}
#define AVX2 {lm_sample_avx2, 8}
#define SSE2 {lm_sample_simd128, 4}

static const lm_sample_kernels all[] = {
    {"avx512", LM_HAS_AVX2 | LM_HAS_AVX512, {AVX512, AVX2, SSE2}},
    {"avx2", LM_HAS_AVX2, {AVX2, SSE2}},
    {"sse2", 0, {SSE2}},
    {"scalar", 0, {{0}}}};

static unsigned features(void) {
    bool wide = __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw");
    return (__builtin_cpu_supports("avx2") ? LM_HAS_AVX2 : 0u) | (wide ? LM_HAS_AVX512 : 0u);
}

#elif defined(LM_SIMD_NEON) || defined(LM_SIMD_WASM)
static const lm_sample_kernels all[] = {{"simd128", 0, {{lm_sample_simd128, 4}}},
                                        {"scalar", 0, {{0}}}};

static unsigned features(void) {
    return 0;
}

#else
static const lm_sample_kernels all[] = {{"scalar", 0, {{0}}}};

static unsigned features(void) {
    return 0;
}
#endif

const lm_sample_kernels *lm_sample_choice_of(unsigned has, size_t i) {
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if ((all[k].needs & ~has) == 0 && i-- == 0)
            return &all[k];
    return NULL;
}

const lm_sample_kernels *lm_sample_choice(size_t i) {
    return lm_sample_choice_of(features(), i);
}
