/* A separate program with the core: reads a file from standard input. It prints, one per line, the
 * size and the sum of each output of the core for it, or the error. All are the same on every
 * machine. */

#include <lerpmesh/lerpmesh.h>

#include <stdio.h>
#include <stdlib.h>

static unsigned char bytes[8 << 20];

/* Prints the size and the FNV-1a sum of an output, and releases the buffer. */
static void print(const char *what, bool done, lm_buffer *out, const lm_error *error) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < out->size; i++)
        sum = (sum ^ out->data[i]) * UINT64_C(0x100000001b3);
    if (done && !out->failed)
        printf("%s: %lu bytes, %016llx\n", what, (unsigned long)out->size, (unsigned long long)sum);
    else
        printf("%s: %s\n", what, done ? "there is no memory" : error->message);
    lm_buffer_free(out);
}

static void check(size_t size) {
    lm_buffer out = {0};
    lm_error error = {0};
    lm_report *report = lm_check_memory(bytes, size, NULL, &error);
    for (uint32_t i = 0; report && i < report->num_problems; i++) {
        const lm_diagnostic *problem = &report->problems[i];
        lm_buffer_printf(&out, "%s %s %lu %s %lu %s\n", lm_code_name(problem->code),
                         lm_severity_name(problem->severity),
                         (unsigned long)problem->location.offset, problem->location.section,
                         (unsigned long)problem->location.index, problem->text);
    }
    print("check", report != NULL, &out, &error);
    lm_report_free(report);
}

static void examine(size_t size) {
    lm_buffer out = {0};
    lm_error error = {0};
    lm_layout *layout = lm_layout_memory(bytes, size, NULL, &error);
    for (uint32_t i = 0; layout && i < layout->num_fields; i++) {
        const lm_field *field = &layout->fields[i];
        lm_buffer_printf(&out, "%lu %s %s %ld %g", (unsigned long)field->offset, field->name,
                         field->text ? field->text : "", (long)field->value, (double)field->real);
    }
    for (uint32_t i = 0; layout && i < layout->num_lumps; i++) {
        const lm_lump *lump = &layout->lumps[i];
        lm_buffer_printf(&out, "\n%s %llu %llu\n", lump->name, (unsigned long long)lump->offset,
                         (unsigned long long)lump->end);
        lm_layout_table(bytes, size, lump->name, &out, NULL);
    }
    print("examine", layout != NULL, &out, &error);
    lm_layout_free(layout);
}

static void export(const lm_model *model) {
    lm_buffer glb = {0}, quantized = {0}, gltf = {0}, bin = {0}, obj = {0}, svg = {0}, pixels = {0};
    lm_error error = {0};
    bool done = lm_gltf_write(LM_SCENE_OF(model), NULL, &glb, NULL, NULL, &error);
    print("glb", done, &glb, &error);
    done = lm_gltf_write(LM_SCENE_OF(model), &(lm_gltf_options){.quantize = true}, &quantized, NULL,
                         NULL, &error);
    print("quantized", done, &quantized, &error);
    done = lm_gltf_write(LM_SCENE_OF(model), &(lm_gltf_options){.bin_uri = "a.bin"}, &gltf, &bin,
                         NULL, &error);
    print("gltf", done, &gltf, &error);
    print("bin", done, &bin, &error);
    done = lm_obj_write(LM_SCENE_OF(model), &(lm_export_options){.frame = 0.5}, NULL, &obj, NULL,
                        &error);
    print("obj", done, &obj, &error);
    done = lm_uv_write(model, NULL, &svg, NULL, &error);
    print("uv", done, &svg, &error);
    done =
        lm_uv_write(model, &(lm_uv_options){.pixels = true, .exact = true}, &pixels, NULL, &error);
    print("uv's pixels", done, &pixels, &error);
}

int main(void) {
    const size_t size = fread(bytes, 1, sizeof bytes, stdin);
    lm_error error = {0};
    lm_model *model = lm_load_memory(bytes, size, &(lm_load_options){.repair = true}, &error);
    check(size);
    examine(size);
    if (model)
        export(model);
    else
        printf("model: %s\n", error.message);
    lm_model_free(model);
    return 0;
}
