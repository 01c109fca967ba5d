/* The sizes of the public structs, for other languages that mirror them. */
#include "lerpmesh/check.h"
#include "lerpmesh/md2.h"
#include "lerpmesh/md3.h"
#include "lerpmesh/mdc.h"
#include "lerpmesh/mdl.h"
#include "lerpmesh/mds.h"
#include "lerpmesh/scene.h"

#include <string.h>

#define SIZE(name) {#name, sizeof(name)}

static const struct {
    const char *name;
    size_t size;
} rows[] = {SIZE(lm_error),
            SIZE(lm_location),
            SIZE(lm_diagnostic),
            SIZE(lm_allocator),
            SIZE(lm_memory),
            SIZE(lm_buffer),
            SIZE(lm_vec2),
            SIZE(lm_vec3),
            SIZE(lm_transform),
            SIZE(lm_frame),
            SIZE(lm_material),
            SIZE(lm_surface),
            SIZE(lm_bone),
            SIZE(lm_bones),
            SIZE(lm_weight),
            SIZE(lm_weights),
            SIZE(lm_tag),
            SIZE(lm_pose),
            SIZE(lm_clip),
            SIZE(lm_gl_vertex),
            SIZE(lm_gl_primitive),
            SIZE(lm_gl_commands),
            SIZE(lm_embedded_skin),
            SIZE(lm_model),
            SIZE(lm_format_info),
            SIZE(lm_format_limit),
            SIZE(lm_load_options),
            SIZE(lm_report),
            SIZE(lm_check_options),
            SIZE(lm_diagnostic_triangle),
            SIZE(lm_field),
            SIZE(lm_lump),
            SIZE(lm_span),
            SIZE(lm_layout),
            SIZE(lm_clips),
            SIZE(lm_clips_options),
            SIZE(lm_sample_target),
            SIZE(lm_packed_frame),
            SIZE(lm_packing),
            SIZE(lm_stage_state),
            SIZE(lm_shader_summary),
            SIZE(lm_wave),
            SIZE(lm_tc_mod),
            SIZE(lm_tc_step),
            SIZE(lm_stage),
            SIZE(lm_deform),
            SIZE(lm_shader),
            SIZE(lm_scene_texture),
            SIZE(lm_scene_material),
            SIZE(lm_material_set),
            SIZE(lm_scene_part),
            SIZE(lm_scene),
            SIZE(lm_playback),
            SIZE(lm_md2),
            SIZE(lm_md3_surface),
            SIZE(lm_md3),
            SIZE(lm_mdc_surface),
            SIZE(lm_mdc),
            SIZE(lm_mds_surface),
            SIZE(lm_mds),
            SIZE(lm_mdl_skin),
            SIZE(lm_mdl_frame),
            SIZE(lm_mdl)};

size_t lm_struct_size(const char *name) {
    for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].size;
    return 0;
}
