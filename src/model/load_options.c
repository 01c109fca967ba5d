#include "model/load_options.h"

#include "core/options.h"

bool lmi_load_options_valid(const lm_load_options *options, lm_error *error) {
    static const lm_option_member table[] = {
        LM_MEMBER(lm_load_options, memory, MEMORY, 0),
        LM_MEMBER(lm_load_options, quirks, FLAGS, LM_QUIRK_MDC_PRINZ),
        LM_MEMBER(lm_load_options, topology, ENUM, LM_TOPOLOGY_GL_COMMANDS),
        LM_MEMBER(lm_load_options, normals, ENUM, LM_NORMALS_AUTO),
        LM_MEMBER(lm_load_options, bytes, ENUM, LM_BYTES_ADOPTED),
        LM_MEMBER(lm_load_options, reserved, RESERVED, 0)};
    return lmi_options_valid(options, "load", table, sizeof table / sizeof *table, error);
}
