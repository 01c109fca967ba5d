/* What encoders are given, and how they answer. */
#ifndef LM_ENCODE_ENCODING_H
#define LM_ENCODE_ENCODING_H

#include "core/report.h"
#include "lerpmesh/encode.h"

/* Where a vertex of the take is in the file; surface LM_NOWHERE: it was left out. */
#define LM_NOWHERE UINT32_MAX
typedef struct lm_encoded_vertex {
    uint32_t surface, vertex;
} lm_encoded_vertex;

typedef struct lm_encoding {
    /* Checked and complete: names are there, every surface has normals and, if it has texture
     * coordinates, st_triangles; what only the model or only its surfaces said of textures, both
     * say. */
    const lm_take *take;
    const bool *begins; /* lm_encode_movements of the take */
    const lm_encode_options *options;
    const lm_format_info *format;
    lm_heap *heap;
    lm_arena arena; /* for what lasts until the file is written */
    /* The encoder fills these: [num_vertices] of each of the take's surfaces. */
    lm_encoded_vertex **vertices;
    uint32_t num_st; /* 0: as many as vertices */
    uint32_t num_base_frames;

    lm_diagnostics notes;
} lm_encoding;

/* Notes what the file does not hold as the take has it, by a sentence; `surface` and `index` are of
 * the take. False if memory ran out. */
bool lm_encode_say(lm_encoding *encoding, lm_code code, uint32_t surface, uint32_t index,
                   const char *sentence, ...) LM_PRINTF(5, 6);

/* Whether each frame lasts as long as Quake and Quake II play frames. */
bool lm_plays_plainly(const lm_clip *clip);
/* Counts the clips that are not played so, or backwards; `first` is the first of them. */
uint32_t lm_count_odd_clips(const lm_take *take, const lm_clip **first);

/* The side of a skin whose size nobody knows: every engine loads it. */
#define LM_USUAL_SKIN 256u

/* What a format has room for, of what takes may have: names of the model and its surfaces, with
 * their flags and shaders' numbers; tags; flags; an eye and when groups begin; skins' pixels; a
 * skin's size. LM_HOLDS_CLIPS: who encodes says himself what is lost of clips. */
enum {
    LM_HOLDS_NAMES = 1,
    LM_HOLDS_TAGS = 2,
    LM_HOLDS_FLAGS = 4,
    LM_HOLDS_EYE = 8,
    LM_HOLDS_PIXELS = 16,
    LM_HOLDS_CLIPS = 32,
    LM_HOLDS_SKIN_SIZE = 64
};
/* Notes triangles that face inward. False if memory ran out. */
bool lm_encode_say_winding(lm_encoding *encoding);
/* Notes whatever else the take has. False if memory ran out. */
bool lm_encode_say_lost(lm_encoding *encoding, unsigned holds);

/* Writes a name into a field of `size` bytes, which it need not fill, with its NUL and zeros behind
 * it. Of one that is too long the middle is left out: its number and, of a path, its last part are
 * kept. Returns whether all of it fitted. */
bool lm_encode_name(uint8_t *field, size_t size, const char *name);
/* The same; notes a name that is too long: of a frame, tag or skin by its `index`, of a surface
 * (`kind` "surface") by `surface`. `whose`: "its name". False if memory ran out. */
bool lm_encode_text(lm_encoding *encoding, uint8_t *field, size_t size, const char *name,
                    const char *kind, const char *whose, uint32_t surface, uint32_t index);

/* Whether two surfaces name the same textures. */
bool lm_same_materials(const lm_take_surface *a, const lm_take_surface *b);

/* [num_frames] whether the frame and the one before it belong to different movements, which begin
 * at the first. NULL if memory ran out. */
bool *lm_encode_movements(const lm_take *take, lm_arena *arena);

/* The take with what it lacks: frames' names of the clips', normals of the triangles, textures. In
 * the encoding's arena. False if memory ran out. */
bool lm_encode_complete(lm_encoding *encoding);

/* Fills in the report's distances by what a file that was written decodes to; those of normals only
 * if they are wanted. False if memory ran out. */
bool lm_encode_measure(const lm_encoding *encoding, const lm_model *model, bool normals,
                       lm_encode_report *report);

#endif
