#include "describe.h"
#include "lerpmesh/load.h"
#include "options.h"

/* The names of features, as text and as JSON keys. */
static const struct feature {
    lm_feature flag;
    const char *words, *key;
} features[] = {
    {LM_FEATURE_SURFACES, "surfaces", "surfaces"},
    {LM_FEATURE_TAGS, "tags", "tags"},
    {LM_FEATURE_SKINS, "skins", "skins"},
    {LM_FEATURE_GL_COMMANDS, "GL commands", "gl_commands"},
    {LM_FEATURE_BASE_FRAMES, "base frames", "base_frames"},
    {LM_FEATURE_EMBEDDED_SKINS, "embedded skins", "embedded_skins"},
    {LM_FEATURE_BONES, "bones", "bones"},
};

static void print_formats(lm_buffer *out) {
    static const char *const headings[] = {"name",  "game",    "extension",
                                           "ident", "version", "features"};
    lm_text_table table;
    lmi_text_table_begin(&table, "llllrl", headings);
    for (uint32_t i = 0; lm_format_at(i); i++) {
        const lm_format_info *info = lm_format_at(i);
        lm_buffer has = {0};
        for (size_t a = 0; a < TOOL_COUNT_OF(features); a++)
            if (info->features & features[a].flag)
                lm_buffer_printf(&has, "%s%s", has.size ? ", " : "", features[a].words);
        lm_buffer_append(&has, "", 1);
        lmi_text_cell(&table, info->name);
        lmi_text_cell(&table, info->game);
        lmi_text_cell_printf(&table, ".%s", info->extension);
        lmi_text_cell(&table, info->ident);
        lmi_text_cell_printf(&table, "%d", (int)info->version);
        lmi_text_cell(&table, has.failed ? "" : (const char *)has.data);
        if (info->variant_ident) {
            lmi_text_cell(&table, "");
            lmi_text_cell(&table, info->variant_game);
            lmi_text_cell(&table, "");
            lmi_text_cell(&table, info->variant_ident);
            lmi_text_cell_printf(&table, "%d", (int)info->variant_version);
            lmi_text_cell(&table, "read only");
        }
        lm_buffer_free(&has);
    }
    lmi_text_table_print(&table, "", out);
}

static void write_format(const lm_format_info *info, lm_buffer *out) {
    lm_json json = {.out = out};
    lmi_json_open(&json, NULL, '{');
    lmi_json_string(&json, "name", info->name);
    lmi_json_string(&json, "game", info->game);
    lmi_json_string(&json, "extension", info->extension);
    lmi_json_string(&json, "mime", info->mime);
    lmi_json_string(&json, "ident", info->ident);
    lmi_json_integer(&json, "version", info->version);
    if (info->variant_ident) {
        lmi_json_open(&json, "variant", '{');
        lmi_json_string(&json, "game", info->variant_game);
        lmi_json_string(&json, "ident", info->variant_ident);
        lmi_json_integer(&json, "version", info->variant_version);
        lmi_json_close(&json);
    }
    lmi_json_open(&json, "has", '[');
    for (size_t a = 0; a < TOOL_COUNT_OF(features); a++)
        if (info->features & features[a].flag)
            lmi_json_string(&json, NULL, features[a].key);
    lmi_json_close(&json);
    lmi_json_close(&json);
    lm_buffer_text(out, "\n");
}

static int run_formats(const tool_args *args) {
    lm_buffer out = {0};
    if (args->num_inputs > 0 && !tool_usage(args, "this command takes no files"))
        return TOOL_USAGE;
    if (tool_has(args, LM_OPTION_JSON))
        for (uint32_t i = 0; lm_format_at(i); i++)
            write_format(lm_format_at(i), &out);
    else
        print_formats(&out);
    return tool_print(&out);
}

const tool_command tool_formats = {
    .name = "formats",
    .usage = "[--json]",
    .summary = "list the formats and their features",
    .about =
        "Lists the formats: the game, the file extension, the first four bytes and the version\n"
        "after them, and the features of its models.",
    .usual = {LM_OPTION_JSON},
    .examples = "  lerpmesh formats\n"
                "  lerpmesh formats --json | jq -r .mime\n",
    .run = run_formats,
};
