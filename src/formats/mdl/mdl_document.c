/* Documents: reading for those who edit, comparing, writing. */
#include "formats/mdl/mdl_format.h"

static bool read(lm_reading *reading, lm_owned *owned, void *document) {
    lm_mdl *mdl = document;
    return lm_mdl_parse(reading, owned, mdl) &&
           lm_mdl_verify(reading->file, mdl, reading->reporter);
}

static const lm_document_kind kind = {&lm_format_mdl, "MDL", &lm_mdl_header, read};

lm_mdl *lm_mdl_read(const void *data, size_t size, const lm_memory *memory, lm_error *error) {
    return lm_read_document(&kind, data, size, memory, error);
}

void lm_mdl_free(lm_mdl *mdl) {
    if (mdl)
        lm_free_document(mdl->owned);
}

/* ---- Sections, in the order of the file ------------------------------------------------------ */

/* Bytes that a document points to: `size` of them; or none, and a number of 4 bytes instead. */
typedef struct lm_mdl_piece {
    const char *what;
    const uint8_t *data;
    uint64_t size;
    int32_t number;
} lm_mdl_piece;

/* Hands every piece behind the header to `visit`, in order. Stops where that says so. */
typedef bool lm_mdl_visit(void *user, const lm_mdl_piece *piece);

static bool visit_number(int32_t number, lm_mdl_visit *visit, void *user) {
    return visit(user, &(lm_mdl_piece){.size = 4, .number = number});
}

static bool visit_bytes(const char *what, const uint8_t *data, int32_t count, uint64_t element,
                        lm_mdl_visit *visit, void *user) {
    const lm_mdl_piece piece = {what, data, (uint64_t)(count > 0 ? count : 0) * element, 0};
    return piece.size == 0 || visit(user, &piece);
}

static bool visit_skin(const lm_mdl *mdl, const lm_mdl_skin *skin, lm_mdl_visit *visit,
                       void *user) {
    return visit_number(skin->type, visit, user) &&
           (skin->type == 0 || (visit_number(skin->num_pictures, visit, user) &&
                                visit_bytes("times of a skin", skin->times, skin->num_pictures,
                                            LM_MDL_TIME_SIZE, visit, user))) &&
           visit_bytes("pictures", skin->pictures, skin->num_pictures, lm_mdl_picture_size(mdl),
                       visit, user);
}

static bool visit_frame(const lm_mdl *mdl, const lm_mdl_frame *frame, lm_mdl_visit *visit,
                        void *user) {
    return visit_number(frame->type, visit, user) &&
           (frame->type == 0 ||
            (visit_number(frame->num_poses, visit, user) &&
             visit_bytes("bounds of a group", frame->bounds, 1, LM_MDL_BOUNDS_SIZE, visit, user) &&
             visit_bytes("times of a frame", frame->times, frame->num_poses, LM_MDL_TIME_SIZE,
                         visit, user))) &&
           visit_bytes("poses", frame->poses, frame->num_poses, lm_mdl_pose_size(mdl), visit, user);
}

static bool visit_all(const lm_mdl *mdl, lm_mdl_visit *visit, void *user) {
    bool go_on = true;
    for (int32_t i = 0; go_on && i < mdl->num_skins; i++)
        go_on = visit_skin(mdl, &mdl->skins[i], visit, user);
    go_on = go_on && visit_bytes("st", mdl->st, mdl->num_verts, LM_MDL_ST_SIZE, visit, user) &&
            visit_bytes("triangles", mdl->tris, mdl->num_tris, LM_MDL_TRIANGLE_SIZE, visit, user);
    for (int32_t i = 0; go_on && i < mdl->num_frames; i++)
        go_on = visit_frame(mdl, &mdl->frames[i], visit, user);
    if (!go_on || mdl->num_trailing == 0)
        return go_on;
    return visit(user, &(lm_mdl_piece){"trailing bytes", mdl->trailing, mdl->num_trailing, 0});
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool equal_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
    return size == 0 || a == b || (a && b && memcmp(a, b, size) == 0);
}

static bool equal_skins(const lm_mdl *mdl, const lm_mdl_skin *a, const lm_mdl_skin *b) {
    const size_t count = (size_t)a->num_pictures;
    return a->type == b->type && a->num_pictures == b->num_pictures &&
           (a->type == 0 || equal_bytes(a->times, b->times, count * LM_MDL_TIME_SIZE)) &&
           equal_bytes(a->pictures, b->pictures, count * lm_mdl_picture_size(mdl));
}

static bool equal_frames(const lm_mdl *mdl, const lm_mdl_frame *a, const lm_mdl_frame *b) {
    const size_t count = (size_t)a->num_poses;
    return a->type == b->type && a->num_poses == b->num_poses &&
           (a->type == 0 || (equal_bytes(a->bounds, b->bounds, LM_MDL_BOUNDS_SIZE) &&
                             equal_bytes(a->times, b->times, count * LM_MDL_TIME_SIZE))) &&
           equal_bytes(a->poses, b->poses, count * lm_mdl_pose_size(mdl));
}

static bool equal_headers(const lm_mdl *a, const lm_mdl *b) {
    for (size_t i = 0; i < lm_mdl_header.fields.count; i++) {
        const lm_header_field *field = &lm_mdl_header.fields.list[i];
        if (field->member != LM_NOT_SHOWN &&
            lm_number(a, field->member) != lm_number(b, field->member))
            return false;
    }
    return true;
}

bool lm_mdl_equal(const lm_mdl *a, const lm_mdl *b) {
    if (!equal_headers(a, b) || a->num_trailing != b->num_trailing ||
        !equal_bytes(a->st, b->st, (size_t)a->num_verts * LM_MDL_ST_SIZE) ||
        !equal_bytes(a->tris, b->tris, (size_t)a->num_tris * LM_MDL_TRIANGLE_SIZE))
        return false;
    for (int32_t i = 0; i < a->num_skins; i++)
        if (!equal_skins(a, &a->skins[i], &b->skins[i]))
            return false;
    for (int32_t i = 0; i < a->num_frames; i++)
        if (!equal_frames(a, &a->frames[i], &b->frames[i]))
            return false;
    return equal_bytes(a->trailing, b->trailing, a->num_trailing);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* What is written, measured first. */
typedef struct lm_mdl_sizing {
    uint64_t size;
    lm_error *error;
} lm_mdl_sizing;

static bool measure(void *user, const lm_mdl_piece *piece) {
    lm_mdl_sizing *sizing = user;
    sizing->size += piece->size;
    if (piece->what && !piece->data)
        return lm_fail_plain(sizing->error, LM_CODE_BAD_ARGUMENT,
                             "mdl: there should be %s, but the pointer is NULL", piece->what);
    return sizing->size <= INT32_MAX ||
           lm_fail_plain(sizing->error, LM_CODE_LIMIT, "mdl: the file would pass 2 GB");
}

static bool put_piece(void *user, const lm_mdl_piece *piece) {
    uint8_t number[4];
    lm_put_s32(number, piece->number);
    lm_buffer_append(user, piece->what ? piece->data : number, (size_t)piece->size);
    return true;
}

static bool sound(const lm_mdl *mdl, lm_error *error) {
    lm_mdl_sizing sizing = {LM_MDL_HEADER_SIZE, error};
    if (!lm_counts_sound(&lm_mdl_header, mdl) || mdl->skinwidth < 0 || mdl->skinheight < 0)
        return lm_fail_plain(error, LM_CODE_BAD_COUNT, "mdl: a count is negative");
    if ((mdl->num_skins > 0 && !mdl->skins) || (mdl->num_frames > 0 && !mdl->frames))
        return lm_fail_plain(error, LM_CODE_BAD_ARGUMENT,
                             "mdl: there should be skins and frames, but the pointer is NULL");
    return visit_all(mdl, measure, &sizing);
}

bool lm_mdl_write(const lm_mdl *mdl, lm_buffer *out, lm_error *error) {
    const size_t start = out->size;
    if (!sound(mdl, error))
        return false;
    lm_put_header(&lm_mdl_header, mdl, out);
    visit_all(mdl, put_piece, out);
    return lm_end_document(&kind, start, out, error);
}
