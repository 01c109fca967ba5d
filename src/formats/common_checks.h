/* Checks for oddities that several formats share. */
#ifndef LM_FORMATS_COMMON_CHECKS_H
#define LM_FORMATS_COMMON_CHECKS_H

#include "clips/clip_names.h"
#include "core/report.h"
#include "model/weld.h"

/* Reports names with bytes after their NUL and names without a NUL. `location` is that of the first
 * field; the fields are `names->stride` apart. */
void lmi_check_name_fields(const lm_name_fields *names, lm_location location,
                           lm_reporter *reporter);
/* Reports frame names that have no number, end in three digits, or repeat. */
void lmi_check_frame_names(const lm_name_fields *names, lm_location location, lm_arena *arena,
                           lm_reporter *reporter);
/* Reports reasons why games may not find a texture's path. */
void lmi_check_path(const uint8_t *field, size_t size, lm_location location, lm_reporter *reporter);
/* Reports vertices that no triangle uses, and vertices with several attributes. The weld's corners
 * are put but not yet joined. */
void lmi_check_use(lm_weld *weld, lm_location vertices, size_t vertex_size, lm_location triangles,
                   lm_arena *arena, lm_reporter *reporter);

#endif
