/* Loads files by their first bytes. */
#include "lerpmesh/load.h"

#include "core/options.h"
#include "core/text.h"
#include "formats/describe.h"
#include "formats/format.h"
#include "model/load_options.h"
#include "model/lookalike.h"
#include "sample/smooth.h"

#include <string.h>

#define X(name) extern const lm_format lmi_format_##name;
#include "formats.inc"
static const lm_format *const formats[] = {
#define X(name) &lmi_format_##name,
#include "formats.inc"
};

#define NUM_FORMATS (sizeof formats / sizeof formats[0])

const lm_format_info *lm_format_at(uint32_t index) {
    return index < NUM_FORMATS ? &formats[index]->info : NULL;
}

static const lm_format *find_name(const char *name) {
    for (size_t i = 0; name && i < NUM_FORMATS; i++)
        if (strcmp(formats[i]->info.name, name) == 0)
            return formats[i];
    return NULL;
}

const lm_format_info *lm_format_by_name(const char *name) {
    const lm_format *format = find_name(name);
    return format ? &format->info : NULL;
}

const lm_format_info *lm_format_by_extension(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; dot && i < NUM_FORMATS; i++)
        if (lmi_compare_letters(dot + 1, formats[i]->info.extension) == 0)
            return &formats[i]->info;
    return NULL;
}

/* Gets limit `index` of a header. If it has fewer limits, subtracts their number from `index` and
 * returns false. */
static bool find_limit(const lm_header *header, bool of_surface, uint32_t *index,
                       lm_format_limit *limit) {
    if (*index < header->limits.count) {
        const lm_header_limit *found = &header->limits.list[*index];
        *limit = (lm_format_limit){found->element_name, found->engine, found->max, of_surface};
        return true;
    }
    *index -= (uint32_t)header->limits.count;
    return false;
}

bool lm_format_limits(const lm_format_info *info, uint32_t index, lm_format_limit *limit) {
    const lm_format *format = info && limit ? find_name(info->name) : NULL;
    const lm_header *header = format ? format->header : NULL;
    if (!header)
        return false;
    bool found = find_limit(header, false, &index, limit);
    for (size_t i = 0; !found && i < header->lumps.count; i++)
        if (header->lumps.list[i].chain)
            found = find_limit(header->lumps.list[i].chain, true, &index, limit);
    return found;
}

/* Other programs' models that are easily mistaken for supported ones. `version` is the 16-bit
 * number after the ident; -1: any. */
typedef struct lm_lookalike {
    char ident[5];
    int version;
    const char *description; /* an article and the name */
} lm_lookalike;

static const lm_lookalike lookalikes[] = {
    {"IDP2", 14, "an MD2 of Anachronox, which differs from Quake II's"},
    {"IDP2", 15, "an MD2 of Anachronox, which differs from Quake II's"},
    {"IDPX", -1, "an MDX model of Kingpin"},
    {"DKMD", -1, "a DKM model of Daikatana"},
    {"MDMW", -1, "an MDM model of Enemy Territory (skeletal)"},
    {"MDXW", -1, "the bones (MDX) of an MDM model of Enemy Territory"},
    {"IDSP", -1, "a Quake sprite"},
    {"IDS2", -1, "a Quake II sprite"},
    {"IDST", -1, "an MDL model of Half-Life (skeletal)"},
    {"IDSQ", -1, "sequences of an MDL model of Half-Life (skeletal)"},
    {"MDL3", -1, "an MDL model of 3D GameStudio"},
    {"MDL5", -1, "an MDL model of 3D GameStudio"},
    {"MDL7", -1, "an MDL model of 3D GameStudio"},
    {"RIFF", -1, "a RIFF file"},
    {"PACK", -1, "a PAK archive"},
    {"PK\3\4", -1, "a zip or PK3 archive"},
    {"glTF", -1, "a binary glTF"},
    {"INTE", -1, "an IQM model (Inter-Quake), which is skeletal"},
};

static const lm_lookalike *find_lookalike(lm_bytes file) {
    if (file.size < 6)
        return NULL;
    for (size_t i = 0; i < sizeof lookalikes / sizeof *lookalikes; i++) {
        const lm_lookalike *lookalike = &lookalikes[i];
        if (memcmp(file.data, lookalike->ident, 4) == 0 &&
            (lookalike->version < 0 || lmi_get_u16(file.data + 4) == lookalike->version))
            return lookalike;
    }
    return NULL;
}

const char *lmi_lookalike_name(const void *data, size_t size) {
    const lm_lookalike *lookalike = find_lookalike((lm_bytes){data, size});
    return lookalike ? strchr(lookalike->description, ' ') + 1 : NULL;
}

const lm_format *lmi_find_format(lm_bytes file) {
    const lm_lookalike *lookalike = find_lookalike(file);
    for (size_t i = 0; i < NUM_FORMATS && file.size >= 4; i++)
        if ((memcmp(file.data, formats[i]->info.ident, 4) == 0 &&
             !(lookalike && lookalike->version >= 0)) ||
            (formats[i]->info.variant_ident &&
             memcmp(file.data, formats[i]->info.variant_ident, 4) == 0))
            return formats[i];
    return NULL;
}

bool lmi_fail_unknown(lm_bytes file, lm_error *error) {
    const lm_lookalike *lookalike = find_lookalike(file);
    if (file.size == 0)
        return lm_fail_plain(error, LM_CODE_UNKNOWN_FORMAT, "file: the file is empty");
    return lmi_fail(error, LM_CODE_UNKNOWN_FORMAT, "file", "header", 0, "this is %s",
                    lookalike ? lookalike->description : "not a supported model format");
}

const char *lm_format_of(const void *data, size_t size) {
    const lm_format *format = lmi_find_format((lm_bytes){data, data ? size : 0});
    return format ? format->info.name : NULL;
}

void *lmi_parse(const lm_format *format, lm_reading *reading) {
    void *document = lmi_arena_zeros(reading->arena, 1, format->header->struct_size);
    return document && format->parse(reading, document) ? document : NULL;
}

lm_model *lmi_decode(const lm_format *format, const lm_reading *reading, const void *document,
                     const lm_load_options *options, lm_heap *heap, lm_load_reporter *reporter) {
    lm_reading decoding = *reading;
    lm_model *model = lmi_object(heap, sizeof *model);
    bool done = false;
    decoding.reporter = &reporter->base;
    if (model) {
        model->name = "";
        model->format = format->info.name;
        model->features = format->info.features;
        done = format->decode(&decoding, document, options, model);
        if (done)
            model->num_warnings =
                lmi_warnings_copy(lmi_arena_of(model), reporter, &model->warnings);
    }
    return lmi_object_end(model, done);
}

lm_model *lm_load_memory(const void *data, size_t size, const lm_load_options *options,
                         lm_error *error) {
    if (!lmi_bytes_valid(data, size, __func__, error))
        return NULL;
    static const lm_load_options defaults;
    lm_bytes file = {data, size};
    lm_heap heap;
    lm_load_reporter reporter;
    const lm_format *format = lmi_find_format(file);
    options = options ? options : &defaults;
    if (!lmi_load_options_valid(options, error))
        return NULL;
    if (!format) {
        lmi_fail_unknown(file, error);
        return NULL;
    }
    lmi_heap_begin(&heap, &options->memory, size, format->info.name, error);
    heap.borrow = options->bytes != LM_BYTES_COPIED;
    lmi_load_reporter_init(&reporter, &heap.call, options->repair && !options->strict);
    reporter.base.errors =
        (options->strict ? LM_HARMLESS_DAMAGE : 0) |
        (options->topology == LM_TOPOLOGY_GL_COMMANDS ? LM_CODE_BIT(GL_COMMANDS) : 0);
    lm_arena scratch = {.heap = &heap};
    lm_reading reading = {file, &scratch, &reporter.base, 0};
    const void *document = lmi_parse(format, &reading);
    lm_model *model =
        document ? lmi_decode(format, &reading, document, options, &heap, &reporter) : NULL;
    lmi_arena_free(&scratch);
    if (model && options->normals != LM_NORMALS_STORED)
        model = lmi_object_end(model, lmi_smooth_model(model, options->normals, &heap));
    if (model && options->bytes == LM_BYTES_ADOPTED) {
        void *adopted; /* the caller gives it away */
        memcpy(&adopted, &data, sizeof adopted);
        lmi_object_keep(model, adopted, size);
    }
    return model ? model : lmi_heap_diagnose(&heap);
}

uint32_t lm_model_count(const lm_model *model, lm_model_list list) {
    const uint32_t counts[] = {model->num_frames, model->num_surfaces, model->num_tags,
                               model->num_clips, model->num_skins};
    return (unsigned)list < sizeof counts / sizeof *counts ? counts[list] : 0;
}

void lm_model_free(lm_model *model) {
    lmi_object_free(model);
}
