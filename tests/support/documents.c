#include "documents.h"

static blob make_small_md2(void) {
    return make_md2(&small_md2);
}

static blob make_small_mdc(void) {
    return make_mdc(&small_mdc);
}

static blob make_small_md3(void) {
    return make_md3(&small_md3);
}

static blob make_small_mdl(void) {
    return make_mdl();
}

#define DOCUMENTS(name, format)                                                          \
    static void *read_##name(const void *data, size_t size, lm_error *error) {           \
        return lm_##name##_read(data, size, NULL, error);                                \
    }                                                                                    \
    static void free_##name(void *document) {                                            \
        lm_##name##_free(document);                                                      \
    }                                                                                    \
    static bool write_##name(const void *document, lm_buffer *out, lm_error *error) {    \
        return lm_##name##_write(document, out, error);                                  \
    }                                                                                    \
    static bool equal_##name(const void *a, const void *b) {                             \
        return lm_##name##_equal(a, b);                                                  \
    }                                                                                    \
    const document_kind name##_documents = {"." #name,   format,      make_small_##name, \
                                            read_##name, free_##name, write_##name,      \
                                            equal_##name}

DOCUMENTS(md2, MD2);
DOCUMENTS(mdc, MDC);
DOCUMENTS(md3, MD3);
DOCUMENTS(mdl, MDL);
const document_kind *const documents[] = {&md2_documents, &md3_documents, &mdc_documents,
                                          &mdl_documents};

void *read_document(const document_kind *kind, const blob *file) {
    lm_error error;
    void *document = kind->read(file->data, file->size, &error);
    assert_done(document, error);
    return document;
}

blob write_document(const document_kind *kind, const void *document) {
    lm_error error;
    lm_buffer out = {0};
    assert_done(kind->write(document, &out, &error), error);
    return blob_from_buffer(&out);
}

/* ---- Round trips --------------------------------------------------------------------------- */

void assert_round_trip(const document_kind *kind, const char *what, const blob *file) {
    void *document = read_document(kind, file);
    AT_END(blob_free) blob written = write_document(kind, document);
    if (written.size != file->size || memcmp(written.data, file->data, file->size) != 0)
        fail_msg("%s does not come out as it went in", what);
    kind->free(document);
}

void assert_corpus_round_trips(const document_kind *kind) {
    AT_END(free_list) file_list list = list_models(kind->extension);
    for (size_t i = 0; i < list.count; i++) {
        AT_END(blob_free) blob file = blob_read(list.paths[i]);
        assert_round_trip(kind, list.paths[i], &file);
    }
}

void assert_equal_documents(const document_kind *kind, const blob *a, const blob *b) {
    void *left = read_document(kind, a), *right = read_document(kind, b);
    assert_true(kind->equal(left, right));
    AT_END(blob_free) blob written = write_document(kind, right);
    void *again = read_document(kind, &written);
    assert_true(kind->equal(left, again));
    kind->free(left);
    kind->free(right);
    kind->free(again);
}

void assert_trailing_bytes_are_kept(const document_kind *kind, const blob *file) {
    static const size_t more[] = {1, 3, 128};
    void *plain = read_document(kind, file);
    for (size_t i = 0; i < COUNT_OF(more); i++) {
        AT_END(blob_free) blob longer = {malloc(file->size + more[i]), file->size + more[i]};
        assert_non_null(longer.data);
        memcpy(longer.data, file->data, file->size);
        memset(longer.data + file->size, 0xAB, more[i]);
        void *document = read_document(kind, &longer);
        assert_false(kind->equal(plain, document));
        assert_round_trip(kind, "trailing bytes", &longer);
        kind->free(document);
    }
    kind->free(plain);
}

void assert_write_appends_and_obeys_limits(const document_kind *kind, const blob *file) {
    lm_error error;
    void *document = read_document(kind, file);
    lm_buffer out = {0};
    lm_buffer_text(&out, "abc");
    assert_true(kind->write(document, &out, NULL));
    assert_int_equal(out.size, 3 + file->size);
    assert_memory_equal(out.data + 3, file->data, file->size);
    lm_buffer_free(&out);
    lm_buffer small = {.max_size = file->size - 1};
    assert_false(kind->write(document, &small, &error));
    assert_error_valid(&error);
    lm_buffer_free(&small);
    lm_buffer enough = {.max_size = file->size};
    assert_true(kind->write(document, &enough, &error));
    lm_buffer_free(&enough);
    kind->free(document);
}

/* ---- Other layouts ------------------------------------------------------------------------- */

void assert_layout_does_not_matter(const document_kind *kind, const blob *file) {
    static const size_t gaps[] = {0, 1, 2, 3, 7, 100};
    for (size_t order = 0; order < 16; order++)
        for (size_t g = 0; g < COUNT_OF(gaps); g++) {
            AT_END(blob_free) blob other = rearrange(kind->format, file, order, gaps[g]);
            assert_equal_documents(kind, file, &other);
            if (gaps[g] == 0)
                assert_round_trip(kind, "another order", &other);
        }
}

void assert_equal_compares_every_byte(const document_kind *kind, const blob *file) {
    AT_END(blob_free) blob other = blob_copy(file->data, file->size);
    void *document = read_document(kind, file);
    size_t seen = 0;
    for (size_t at = 8; at < file->size; at++) {
        if (is_layout(kind->format, file, at))
            continue;
        other.data[at] ^= 1;
        void *changed = kind->read(other.data, other.size, NULL);
        if (changed && kind->equal(document, changed))
            fail_msg("byte %zu makes no difference", at);
        seen += changed != NULL;
        kind->free(changed);
        other.data[at] ^= 1;
    }
    assert_true(seen > file->size / 2);
    kind->free(document);
}
