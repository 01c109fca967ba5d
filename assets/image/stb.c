/* PNG, JPEG, TGA and inflate through stb_image. No other file depends on it. */
#include "image/decoded_image.h"
#include "packing/deflate.h"

#ifndef LM_HAVE_STB

bool lmi_stb_decode(const lm_image_job *job, const char *format, lm_decoded_image *image) {
    (void)image;
    return lmi_report_fatal(job->reporter, LM_CODE_NOT_BUILT_IN, lmi_location_at("header", 0, 0),
                            "this lerpmesh was built without stb: it reads PCX and BMP, but not %s",
                            format);
}

lm_code lmi_inflate(const uint8_t *packed, size_t packed_size, uint8_t *out, size_t *size) {
    (void)packed, (void)packed_size, (void)out, (void)size;
    return LM_CODE_NOT_BUILT_IN;
}

#else

#include <limits.h>
#include <string.h>

/* stb's allocation functions get no context, so each thread stores the heap of its call here. Set
 * only while lmi_stb_decode runs. */
static _Thread_local lm_heap *current_heap;

/* Each block starts with its size, which the heap needs to free it. */
#define BLOCK_HEADER 16u

static void *stb_alloc(size_t size) {
    if (size > SIZE_MAX - BLOCK_HEADER)
        return NULL;
    uint8_t *block = lmi_heap_alloc(current_heap, size + BLOCK_HEADER, 1);
    if (!block)
        return NULL;
    /* Cleared, because stb leaves the missing pixels of a cut file uninitialised. */
    memset(block, 0, size + BLOCK_HEADER);
    memcpy(block, &size, sizeof size);
    return block + BLOCK_HEADER;
}

static size_t stb_size(const void *pointer) {
    size_t size;
    memcpy(&size, (const uint8_t *)pointer - BLOCK_HEADER, sizeof size);
    return size;
}

static void stb_free(void *pointer) {
    if (pointer)
        lmi_heap_free(current_heap, (uint8_t *)pointer - BLOCK_HEADER,
                      stb_size(pointer) + BLOCK_HEADER);
}

static void *stb_realloc(void *pointer, size_t size) {
    void *grown = stb_alloc(size);
    if (grown && pointer) {
        size_t old = stb_size(pointer);
        memcpy(grown, pointer, old < size ? old : size);
        stb_free(pointer);
    }
    return grown;
}

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#ifndef LM_TGA_ONLY /* browsers decode the others */
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#endif
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_SIMD /* SIMD saturates where plain code wraps: damaged JPEGs would differ */
#define STBI_FAILURE_USERMSG
#define STBI_ASSERT(x) ((void)(x))
#define STBI_MALLOC(size) stb_alloc(size)
#define STBI_REALLOC(pointer, size) stb_realloc(pointer, size)
#define STBI_FREE(pointer) stb_free(pointer)
#include <stb_image.h>

static bool fail_stb(const lm_image_job *job) {
    if (job->heap->failed_size)
        return false;
    return lmi_report_fatal(job->reporter, LM_CODE_BAD_IMAGE, lmi_location_at("data", 0, 0),
                            "cannot decode the image: %s", stbi_failure_reason());
}

static bool decode(const lm_image_job *job, lm_decoded_image *image) {
    int size = (int)job->file.size, width, height, channels;
    if (!stbi_info_from_memory(job->file.data, size, &width, &height, &channels))
        return fail_stb(job);
    if (!lmi_decoded_image_size(job, (uint64_t)width, (uint64_t)height, 0, image))
        return false;
    stbi_uc *pixels = stbi_load_from_memory(job->file.data, size, &width, &height, &channels, 4);
    if (!pixels)
        return fail_stb(job);
    image->had_alpha = channels == 2 || channels == 4;
    bool done = lmi_decoded_image_alloc(job, false, image);
    if (done)
        memcpy(image->pixels, pixels, (size_t)image->width * image->height * 4);
    stbi_image_free(pixels);
    return done;
}

bool lmi_stb_decode(const lm_image_job *job, const char *format, lm_decoded_image *image) {
    if (job->file.size > INT_MAX)
        return lmi_report_fatal(job->reporter, LM_CODE_LIMIT, lmi_location_at("header", 0, 0),
                                "the file has more than %d bytes", INT_MAX);
    if (!lmi_stb_guard(job, format))
        return false;
    current_heap = job->heap;
    bool done = decode(job, image);
    current_heap = NULL;
    return done;
}

#ifndef LM_TGA_ONLY
/* When stb decodes into a given buffer, it allocates nothing and writes nothing after its end. It
 * reads some bytes ahead, and fails (2.27) if the last code of a stream ends less than 16 bits
 * before the end of the bytes. Hence the margin, which PNG's streams have and zip's do not. */
lm_code lmi_inflate(const uint8_t *packed, size_t packed_size, uint8_t *out, size_t *size) {
    if (packed_size > INT_MAX - LM_INFLATE_MARGIN || *size > INT_MAX)
        return LM_CODE_BAD_MEMBER;
    int got = stbi_zlib_decode_noheader_buffer((char *)out, (int)*size, (const char *)packed,
                                               (int)packed_size + LM_INFLATE_MARGIN);
    *size = got < 0 ? 0 : (size_t)got;
    return got < 0 ? LM_CODE_BAD_MEMBER : LM_CODE_OK;
}
#endif

#endif
