/* Oddities that formats share. */
#ifndef LM_FORMATS_ODDITIES_H
#define LM_FORMATS_ODDITIES_H

#include "clips/clip_names.h"
#include "core/report.h"
#include "model/weld.h"

/* Reports names with bytes behind their NUL and names without one. `location` is the first field's;
 * fields are `names->stride` apart. */
void lm_check_name_fields(const lm_name_fields *names, lm_location location, lm_reporter *reporter);
/* Reports frame names without a number, with three digits, and repeated ones. */
void lm_check_frame_names(const lm_name_fields *names, lm_location location, lm_arena *arena,
                          lm_reporter *reporter);
/* Reports what makes a texture's path hard to find. */
void lm_check_path(const uint8_t *field, size_t size, lm_location location, lm_reporter *reporter);
/* Reports vertices that no triangle uses, and those with several attributes, of a weld whose
 * corners were put but not yet joined. */
void lm_check_use(lm_weld *weld, lm_location vertices, size_t vertex_size, lm_location triangles,
                  lm_arena *arena, lm_reporter *reporter);

#endif
