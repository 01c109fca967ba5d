/* meshoptimizer, which is loaded on first use. */
#ifndef IMPORT_MESHOPT_LIBRARY_H
#define IMPORT_MESHOPT_LIBRARY_H

#include <meshoptimizer.h>

#define LM_IM_MESHOPT_FUNCTIONS(X)      \
    X(meshopt_decodeVertexBuffer)       \
    X(meshopt_decodeIndexBuffer)        \
    X(meshopt_decodeIndexSequence)      \
    X(meshopt_decodeFilterOct)          \
    X(meshopt_decodeFilterQuat)         \
    X(meshopt_decodeFilterExp)          \
    X(meshopt_encodeVertexBuffer)       \
    X(meshopt_encodeVertexBufferBound)  \
    X(meshopt_encodeVertexVersion)      \
    X(meshopt_encodeIndexSequence)      \
    X(meshopt_encodeIndexSequenceBound) \
    X(meshopt_encodeIndexVersion)

typedef struct lm_im_meshopt {
#define MEMBER(name) __typeof__(name) *name; // NOLINT(bugprone-macro-parentheses)
    LM_IM_MESHOPT_FUNCTIONS(MEMBER)
#undef MEMBER
} lm_im_meshopt;

/* Returns the library's functions; NULL if it is not installed. Safe in any thread. */
const lm_im_meshopt *lm_im_meshopt_open(void);

#endif
