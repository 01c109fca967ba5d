#include "model_facts.h"

#include "display_text.h"
#include "lerpmesh/check.h"
#include "text.h"

#include <glib.h>

static void add_file(model_facts *facts, const lm_file *file) {
    lm_error error;
    lm_report *report = lm_check_memory(file->data, file->size, NULL, &error);
    facts->size += file->size;
    facts->problems += report ? report->num_errors + report->num_warnings : 0;
    lm_report_free(report);
}

static void add_scene(model_facts *facts, const lm_assets *assets) {
    const lm_scene *scene = assets->scene;
    for (uint32_t i = 0; i < scene->num_parts; i++) {
        const lm_model *model = scene->parts[i].model;
        for (uint32_t k = 0; k < model->num_surfaces; k++)
            facts->triangles += model->surfaces[k].num_triangles;
        add_file(facts, &assets->assets[i].file);
    }
    facts->frames = scene->num_parts > 0 ? scene->parts[0].model->num_frames : 0;
}

model_facts model_facts_read(lm_vfs *vfs, const char *path, bool player) {
    model_facts facts = {0};
    lm_error error;
    lm_file file;
    const lm_assets_options options = {
        .load.normals = LM_NORMALS_AUTO, .related = player, .images = LM_IMAGES_NONE};
    lm_assets *assets = lm_assets_open(vfs, path, &options);
    if (assets && assets->scene) {
        add_scene(&facts, assets);
    } else {
        facts.damage = assets ? display_message(assets->error->code, assets->error->message)
                              : g_strdup(TEXT_OUT_OF_MEMORY);
        if (lm_vfs_read(vfs, path, 0, &file, &error)) {
            add_file(&facts, &file);
            lm_file_free(&file);
        }
    }
    lm_assets_free(assets);
    return facts;
}

void model_facts_clear(model_facts *facts) {
    g_free(facts->damage);
    *facts = (model_facts){0};
}
