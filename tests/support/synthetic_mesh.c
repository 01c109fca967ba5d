#include "synthetic_mesh.h"

#include "support.h"

static void make_tag(synthetic_mesh *m, int t, const char *name) {
    m->tags[t] = (lm_mesh_tag){name, m->poses[t]};
    for (int f = 0; f < MESH_FRAMES; f++) {
        const double a = 0.2 * f + t;
        const float c = (float)cos(a), s = (float)sin(a);
        m->poses[t][f] =
            (lm_transform){{(float)f, (float)t, 1.5f}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    }
}

void make_mesh(synthetic_mesh *m) {
    static const uint32_t triangles[MESH_TRIANGLES * 3] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    chance c = chance_from(7);
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < COUNT_OF(m->positions); i++) {
        m->positions[i] = chance_real(&c, -30, 30);
        m->normals[i] = chance_real(&c, -1, 1);
    }
    for (size_t i = 0; i < COUNT_OF(m->st); i++)
        m->st[i] = chance_real(&c, 0, 1);
    memcpy(m->triangles, triangles, sizeof triangles);
    memcpy(m->st_triangles, triangles, sizeof triangles);
    m->st_triangles[9] = MESH_VERTICES;
    m->material = (lm_material){"models/made/made.tga", 0};
    m->surface = (lm_mesh_surface){
        "made",         MESH_VERTICES, m->positions,    m->normals, MESH_VERTICES + 1, m->st,
        MESH_TRIANGLES, m->triangles,  m->st_triangles, 1,          &m->material,      0,
        LM_BODY_UNKNOWN};
    make_tag(m, 0, "tag_head");
    make_tag(m, 1, "tag_weapon");
    m->clips[0] = (lm_clip){.name = "stand", .first = 0, .count = 5, .fps = 10};
    m->clips[1] = (lm_clip){.name = "run", .first = 5, .count = 6, .fps = 10};
    m->skin = "models/made/skin.pcx";
    m->mesh = MESH_OF(MESH_FRAMES, 1, &m->surface, .name = "made", .num_tags = 2, .tags = m->tags,
                      .num_clips = 2, .clips = m->clips, .num_skins = 1, .skins = &m->skin,
                      .skin_width = 256, .skin_height = 128);
}
