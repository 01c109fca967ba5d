/* Other programs' models: of the whole module, which is fetched when it is asked for. */
#include "web.h"

#include "lerpmesh/encode.h"
#include "lerpmesh/import.h"

/* A glTF, .glb or .gltf without other files, as a model file. `fps` 0: as its keys are. */
bool WEB_EXPORT(web_from_gltf)(const void *data, size_t size, const char *format, float fps) {
    const lm_import_options options = {.fps = fps};
    const lm_format_info *info = lm_format_by_name(format);
    if (!info)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "no format is called %s", format);
    lm_import *import = lm_import_gltf(data, size, &options, &web_error);
    const bool ok = import && lm_encode(import->take, info, NULL, web_begin(), NULL, &web_error);
    lm_import_free(import);
    return ok;
}
