"""The rules of base.h about NULL hold in every function of the headers: parameters called options, memory,
allocator, error, report or result may be NULL, and lm_..._free accepts NULL.

The generated program calls each such function with each of these parameters NULL in turn, and with all of them:
once with valid other arguments and once with failing ones. A declaration with a parameter that is not in VALUES
fails the test.

It also calls each function with each struct whose `reserved` is not 0, with each options, memory or buffer whose
allocator lacks functions, and with NULL for each other pointer that the headers do not allow to be NULL. Every
function that can fail must reject it with LM_CODE_BAD_ARGUMENT."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ.get("LERPMESH_SOURCE_DIR", os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
OPTIONAL = {"options", "memory", "allocator", "error", "report", "result"}
APIS = "LM_API|LM_WRITE_API|LM_ASSETS_API|LM_IMPORT_API|LM_CONVERT_API"
# Functions whose `memory` or `report` is required, and one with printf's arguments.
EXCEPT = {"lmi_texture_find", "lm_fail_plain"}
SHOW_ERRORS = {"lm_assets_open"}  # returns diagnostics after an error

# A valid value and one that makes a call fail, by the parameter's declaration.
VALUES = {
    "const void *data": ("bytes", "bytes"), "const void *bytes": ("bytes", "bytes"),
    "const void *text": ('"0 1 0 10 // a"', '"?"'), "size_t size": ("size", "7"),
    "size_t max_size": ("0", "1"), "size_t length": ("3", "1"), "size_t num_paths": ("0", "1"),
    "size_t num_files": ("1", "0"),
    "size_t count": ("0", "1"), "bool flush": ("false", "false"),
    "const char *path": ('"a"', '"no such/file"'), "const char *folder": ('"a"', '"no such/folder"'),
    "const char *name": ('"a"', '""'), "const char *format": ('"pak"', '"none"'),
    "const char *stem": ("NULL", "NULL"), "const char *lump": ('"triangles"', '"none"'),
    "const char *mtl_name": ("NULL", '"a.mtl"'),
    "lm_buffer *out": ("fresh()", "full()"), "lm_buffer *pixels": ("fresh()", "full()"),
    "lm_buffer *bin": ("NULL", "full()"),
    "lm_buffer *sentence": ("NULL", "full()"), "const lm_diagnostic *problem": ("&problem", "&problem"),
    "lm_buffer *glb": ("fresh()", "full()"), "lm_buffer *info": ("fresh()", "fresh()"),
    "const float *rgb": ("floats", "floats"), "lm_float_format format": ("LM_FLOATS_EXR", "(lm_float_format)9"),
    "lm_buffer *mtl": ("NULL", "full()"),
    "lm_clips_format format": ("LM_CLIPS_AUTO", "(lm_clips_format)9"), "const lm_clip *to": ("&clip", "&clip"),
    "const lm_model *model": ("model", "model"), "const lm_mesh *mesh": ("mesh", "&wrong_mesh"),
    "const lm_mesh *a": ("mesh", "&wrong_mesh"), "const lm_mesh *b": ("mesh", "mesh"),
    "const lm_scene *scene": ("&scene", "&scene"), "const lm_clip *clips": ("&clip", "&clip"),
    "uint32_t num_clips": ("1", "1"), "const lm_pose *poses": ("&pose", "&wrong_pose"),
    "const lm_pose *legs": ("&pose", "&wrong_pose"), "const lm_pose *torso": ("&pose", "&pose"),
    "const lm_vec3 *turn": ("NULL", "NULL"), "const lm_transform *bones": ("&identity", "&identity"),
    "uint32_t num_poses": ("1", "1"), "uint32_t triangles": ("1", "1"),
    "const lm_transform *to": ("&identity", "&flat"), "uint32_t num_frames": ("9", "0"),
    "const lm_clip_distance *clip": ("&distance", "&distance"), "uint32_t frame": ("0", "99"),
    "const lm_sample_target *target": ("&target", "&target"), "float weight": ("0", "0"),
    "const lm_packing *packing": ("&packing", "&packing"), "uint32_t first": ("0", "9"),
    "bool of_second": ("false", "false"), "float *distances": ("floats", "floats"),
    "const lm_format_info *format": ('lm_format_by_name("md3")', 'lm_format_by_name("md3")'),
    "lm_edit *edit": ("edit", "edit"), "const lm_edit *edit": ("edit", "edit"),
    "const lm_edit *other": ("edit", "edit"), "lm_edit_list list": ("LM_EDIT_SKINS", "LM_EDIT_TAGS"),
    "uint32_t surface": ("0", "99"), "uint32_t index": ("0", "99"),
    "const uint32_t *indices": ("numbers", "numbers"), "uint32_t count": ("1", "2"),
    "uint32_t *changed": ("NULL", "NULL"), "double *max_error": ("NULL", "NULL"),
    "const lm_edit_transform *transform": ("&transform", "&wrong_transform"),
    "uint32_t *width": ("numbers", "numbers"), "uint32_t *height": ("numbers", "numbers"),
    "uint32_t width": ("1", "1"), "uint32_t height": ("1", "1"),
    "const uint8_t *indices": ("(const uint8_t *)bytes", "(const uint8_t *)bytes"),
    "const uint8_t *rgb": ("(const uint8_t *)bytes", "(const uint8_t *)bytes"),
    "const uint8_t *pixels": ("(const uint8_t *)bytes", "(const uint8_t *)bytes"),
    "lm_palette *palette": ("&palette", "&palette"), "const lm_image *image": ("image", "image"),
    "lm_vfs *vfs": ("vfs", "vfs"), 
    "char *body": ("NULL", "NULL"), "lm_list_kind kind": ("LM_LIST_MODELS", "(lm_list_kind)9"),
    "lm_pixels_format format": ("LM_PIXELS_PNG", "LM_PIXELS_PCX"),
    "const lm_files *files": ("&view", "&view"),
    "const char *const *paths": ("paths", "paths"), "const lm_archive *archive": ("archive", "archive"),
    "const lm_reader *reader": ("&reader", "&reader"), "lm_assets *assets": ("assets", "assets"),
    "const lm_assets *assets": ("assets", "assets"),
    "const lm_file_output *files": ("&output", "&output"),
    "const lm_skin_entry *entries": ("&entry", "&entry"), "uint32_t num_entries": ("1", "1"),
    "const char *const *tags": ("paths", "paths"), "uint32_t num_tags": ("0", "1"),
    "const lm_mesh *mesh": ("mesh", "&wrong_mesh"), "lm_composition *composition": ("composition", "composition"),
    "const struct lm_mesh *mesh": ("mesh", "&wrong_mesh"), "double tolerance": ("0", "-1"),
    "uint32_t *index": ("numbers", "numbers"), "uint32_t clip": ("0", "99"),
    "uint32_t *first": ("numbers", "numbers"), "uint32_t *count": ("numbers", "numbers"),
    "const char *words": ('"0"', '"none"'), "bool *missing": ("&missing", "&missing"),
    "uint32_t label": ("0", "0"), "lm_buffer *triangles": ("fresh()", "full()"), "uint32_t *frame": ("numbers", "numbers"),
    "const lm_palette *palette": ("&palette", "&palette"),
    "const struct lm_skeleton *skeleton": ("skeleton", "&wrong_skeleton"), "float fps": ("10", "-1"),
    "const lm_pose *from": ("&pose", "&wrong_pose"), "const lm_pose *to": ("NULL", "NULL"),
    "const float *weights": ("NULL", "NULL"), "lm_transform *transforms": ("&placed", "&placed"),
    "const lm_convert_source *source": ("&source", "&wrong_source"), "const lm_convert_calls *calls": ("NULL", "NULL"),
    "lm_conversion *made": ("made", "made"), "const lm_convert_target *target": ("NULL", "NULL"),
    "lm_convert_settings *settings": ("settings", "settings"), "const char *value": ('"1"', '"?"'),
    "const char *command": ('"convert"', '"none"'), "bool only_set": ("true", "false"),
    "const char *option_prefix": ("NULL", "NULL"), "uint32_t tag": ("0", "99"), "const lm_pose *pose": ("&pose", "&wrong_pose"),
    "lm_transform *out": ("&placed", "&placed"), "lm_vec3 *min": ("vectors", "vectors"), "lm_vec3 *max": ("vectors", "vectors"),
}

FIXTURE = r"""
#include <lerpmesh/lerpmesh.h>
@INCLUDES@
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char bytes[1 << 16];
static size_t size;
static float floats[1 << 12];
static lm_vec3 vectors[2];
static uint32_t numbers[8];
static const lm_transform identity = LM_TRANSFORM_IDENTITY, flat;
static lm_transform placed;
static const lm_pose pose, wrong_pose = {99, 99, 2};
static lm_edit_transform transform;
static const lm_edit_transform wrong_transform = {.scale = -1};
static const lm_diagnostic problem = {.code = LM_CODE_SKIN_PATH};
static const lm_mesh wrong_mesh;
static const lm_format_info no_format;
static lm_clip_distance distance = {.count = 1};

/* Buffers with free space, and one without. */
static lm_buffer buffers[256];
static size_t num_buffers;

static lm_buffer *fresh(void) {
    lm_buffer *buffer = &buffers[num_buffers++ % 256];
    lm_buffer_free(buffer);
    memset(buffer, 0, sizeof *buffer);
    return buffer;
}

static lm_buffer *full(void) {
    lm_buffer *buffer = fresh();
    buffer->max_size = 1;
    return buffer;
}

static void *half(void *user, size_t count) {
    (void)user, (void)count;
    abort();
}

static lm_buffer *broken(void) {
    lm_buffer *buffer = fresh();
    buffer->allocator.alloc = half;
    return buffer;
}

static bool read_nothing(void *user, uint64_t offset, void *out, size_t count) {
    (void)user, (void)offset;
    memset(out, 0, count);
    return true;
}

static lm_error error;
static const lm_error no_error;
static bool failed;
static unsigned num_accepted;

static void expect(bool done, bool only_code, const char *what, const char *word) {
    const bool named = strstr(error.message, word) || strstr(error.message, "invalid");
    if (done && (only_code || (error.code == LM_CODE_BAD_ARGUMENT && named)))
        return;
    fprintf(stderr, "%s: %s\n", what, error.code == LM_CODE_OK ? "accepted" : error.message);
    num_accepted++;
}

int main(void) {
    static const float positions[9] = {0, 0, 0, 8, 0, 0, 0, 8, 1};
    static const uint32_t corners[3] = {0, 1, 2};
    static const char *const paths[] = {"a"};
    lm_material named = {.name = "a"};
    lm_mesh_surface surface = {.name = "a", .num_vertices = 3, .positions = positions, .normals = positions,
                               .num_triangles = 1,
                               .triangles = corners, .num_materials = 1, .materials = &named};
    lm_mesh_tag tag = {.name = "tag_a", .poses = &identity};
    lm_clip clip = {.name = "a", .count = 1, .fps = 10};
    lm_mesh own = {.num_frames = 1, .num_surfaces = 1, .surfaces = &surface, .num_tags = 1, .tags = &tag,
                   .num_clips = 1, .clips = &clip};
    const lm_mesh *mesh = &own;
    lm_buffer file_bytes = {0};
    if (!lm_encode(mesh, lm_format_by_name("md3"), NULL, &file_bytes, NULL, NULL))
        return 2;
    size = file_bytes.size;
    memcpy(bytes, file_bytes.data, size);
    lm_model *model = lm_load_memory(bytes, size, NULL, NULL);
    static const uint8_t pixel[4];
    lm_shader shader = {0};
    lm_scene_texture texture = {.name = "a", .mime = "image/png", .data = pixel, .size = 4, .uri = "a.png"};
    lm_scene_material material = {.name = "a", .shader = &shader};
    lm_material_set skin = {.name = "a", .materials = &material};
    lm_scene_part part = {.model = model, .num_skins = 1, .skins = &skin, .num_clips = 1, .clips = &clip};
    lm_scene scene = {.num_parts = 1, .parts = &part, .num_textures = 1, .textures = &texture};
    lm_sample_target target = {0};
    lm_packing packing = {0};
    (void)target, (void)packing;
    lm_edit *edit = lm_edit_open(bytes, size, NULL, NULL);
    lm_palette palette = {.num_colors = 256};
    static const uint8_t image_bytes[] = {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3}; /* a TGA */
    lm_image *image = lm_image_read(image_bytes, sizeof image_bytes, NULL, NULL);
    lm_vfs *vfs = lm_vfs_new(NULL, NULL);
    lm_reader reader = {.size = 4, .read_at = read_nothing};
    lm_archive *archive = lm_archive_open("a.pak", &(lm_reader){.user = "PACK\14\0\0\0\0\0\0\0", .size = 12}, NULL, NULL);
    lm_assets *assets = lm_assets_open(vfs, "no such/model.md3", NULL, NULL);
    lm_files view = *archive->files;
    lm_attachment attachment = {.path = "a.md3"};
    lm_given_file file = {.path = "a"};
    lm_gltf_packer packer = {0};
    (void)attachment, (void)file, (void)packer;
    lm_file_output output = {.path = "no such/folder/a", .data = bytes, .size = 1};
    const lm_skin_entry entry = {.surface = "a", .path = "a.tga"};
    lm_composition *composition = lm_compose_mesh(mesh, NULL, NULL);
    bool missing;
    (void)entry, (void)missing;
    lm_skeleton *skeleton = lm_skeleton_fit(mesh, NULL, NULL);
    static const lm_skeleton wrong_skeleton;
    (void)wrong_skeleton;
    if (!skeleton || !composition || !model || !edit || !image || !vfs || !archive || !assets)
        return 3;
    (void)paths;
"""
# With the library of conversions.
CONVERT_FIXTURE = r"""
    lm_import_tag import_tag = {.name = "a", .node = "a"};
    (void)import_tag;
    lm_convert_source source = {.vfs = vfs, .path = "a.md3", .mesh = mesh};
    const lm_convert_source wrong_source = {.vfs = vfs, .path = "b.md3"};
    const lm_convert_options to_md3 = {.format = "md3", .path = "made.md3"};
    lm_convert_settings *settings = lm_convert_settings_new(vfs, NULL, NULL);
    lm_conversion *made = lm_convert(&source, &to_md3, NULL, NULL);
    if (!made || !settings)
        return 4;
"""


def declarations():
    """Returns (keyword, result, name, parameters) of each function."""
    for path in sorted(glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h"))):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", file.read(), flags=re.S)
        text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)
        for keyword, rest in re.findall(rf"\b({APIS})\b([^;]*);", text):
            result, name, parameters = re.match(r"(.*?)\b(\w+) ?\((.*?)\)(?: LM_PRINTF.*)?$",
                                                " ".join(rest.split())).groups()
            yield keyword, result.strip(), name, [] if parameters == "void" else parameters.split(", ")


def name_of(parameter):
    return re.search(r"(\w*)(?:\[.*\]|\.*)?$", parameter).group(1)


def value(parameter, sound):
    """Returns the argument for a parameter that is not NULL."""
    name = name_of(parameter)
    if name in OPTIONAL:
        kind = parameter.removeprefix("const ")[:-len(name)].replace("*", "", 1).strip()
        return f"({kind}[1]){{{{0}}}}" if "*" not in kind else f"({kind}[1]){{NULL}}"
    if parameter not in VALUES:
        sys.exit(f"VALUES does not know '{parameter}'")
    return VALUES[parameter][0 if sound else 1]


def freeing(result):
    """Returns the function that releases a result, "" if there is nothing to release."""
    kind = re.match(r"(lm_\w+) \*$", result)
    special = {"lm_model": "lm_model_free", "lm_mesh": "lm_mesh_free", "lm_md2": "lm_md2_free",
               "lm_skin_file": "lm_skin_file_free"}
    return special.get(kind.group(1), kind.group(1) + "_free") if kind else ""


def calls(result, name, parameters):
    """Returns calls with each optional parameter NULL, and with all of them."""
    optional = [p for p in parameters if name_of(p) in OPTIONAL]
    for sound in (True, False):
        for missing in [[p] for p in optional] + [optional]:
            values = ", ".join("NULL" if p in missing else value(p, sound) for p in parameters)
            call = f"{name}({values})"
            release = freeing(result)
            yield f"    puts(\"{name}\"), fflush(stdout);"
            yield f"    {release}({call});" if release else f"    (void){call};"


# The fixture's structs that a call reads if it takes a struct of this type.
PLACES = {
    "lm_mesh": ["own", "surface", "named", "tag", "clip"],
    "lm_scene": ["scene", "part", "skin", "material", "shader", "texture", "clip"],
    "lm_clip": ["clip"], "lm_sample_target": ["target"], "lm_packing": ["packing"], "lm_reader": ["reader"],
    "lm_files": ["view"], "lm_file_output": ["output"], "lm_convert_source": ["source"],
    "lm_edit_transform": ["transform"],
}
# The same for options: how they get the struct, "%s" being the options.
NESTED = {
    "lm_assets_options": [("", "%s.load"), ("%s.num_files = 1, %s.files = &file", "file"),
                          ("%s.num_attachments = 1, %s.attachments = &attachment", "attachment")],
    "lm_gltf_options": [("", "%s.common"), ("%s.packer = &packer", "packer")],
    "lm_import_options": [("%s.num_tags = 1, %s.tags = &import_tag", "import_tag")],
    "lm_export_options": [("%s.num_clips = 1, %s.clips = &clip", "clip")],
    "lm_uv_options": [("%s.skin = &texture", "texture")],
    "lm_vat_options": [("%s.num_textures = 1, %s.textures = &texture", "texture"),
                       ("%s.num_textures = 1, %s.textures = &texture, %s.materials = &material", "material")],
    "lm_compose_options": [("%s.num_textures = 1, %s.textures = &texture", "texture"),
                           ("%s.num_textures = 1, %s.textures = &texture, %s.num_skins = 1, %s.skins = &skin", "skin")],
}
# The first requires a scene that has passed lm_scene_check. The others reject the fixture's MD3 before.
CHECKED = {"lm_scene_evaluate", "lm_md2_read", "lm_mdc_read", "lm_mdl_read", "lm_mds_read"}


# Pointers that the comments of their functions allow to be NULL.
MAY_BE_NULL = {
    "lm_vfs_find_player": {"body"}, "lm_assets_make_portable": {"stem"}, "lm_archive_open": {"reader"},
    "lm_compose_images": {"path", "folder"}, "lm_convert_set": {"value"}, "lm_convert_set_words": {"words"},
    "lm_convert_settings_new": {"vfs", "option_prefix"}, "lm_convert": {"calls"}, "lm_convert_write": {"target"},
    "lm_edit_set": {"edit", "value", "missing"}, "lm_edit_put_frames": {"changed"}, "lm_edit_reencode": {"max_error"},
    "lm_gltf_write": {"bin"}, "lm_obj_write": {"mtl_name", "mtl"}, "lm_pixels_write": {"palette"},
    "lm_encode_iqm": {"skeleton"},
    "lm_mesh_resample": {"skeleton"}, "lm_mesh_transform": {"to"}, "lm_scene_evaluate": {"to", "weights"}, "lm_sample_bones": {"turn"},
}


def members(kind):
    """Returns the number of elements of `reserved` in a struct, and whether it has a member `memory`."""
    for path in glob.glob(os.path.join(ROOT, "include", "lerpmesh", "*.h")):
        with open(path, encoding="utf-8") as file:
            if body := re.search(rf"^typedef struct {kind} \{{\n(.*?)^\}} {kind};", file.read(), re.M | re.S):
                reserved = re.search(r"uint64_t reserved\[(\d)\];", body.group(1))
                return int(reserved.group(1)) if reserved else 0, "lm_memory memory;" in body.group(1)
    return 0, False


def rejected(result, name, parameters):
    """Returns calls with structs that have values in `reserved` or half an allocator, which must fail."""
    if name in CHECKED or not ("lm_error *error" in parameters or result == "lm_code"):
        return
    for parameter in parameters:
        kind = (re.match(r"const (?:struct )?(lm_\w+) \*\w+$", parameter) or [None, ""])[1]
        own = name_of(parameter) in OPTIONAL
        reserved, memory = members(kind)
        places = [("", place) for place in PLACES.get(kind, [])]
        if own and kind:
            places = ([("", "%s")] if reserved else []) + NESTED.get(kind, [])
        changes = [(setup, f"{place}.reserved[sizeof {place}.reserved / 8 - 1] = 1", "reserved") for setup, place in places]
        if kind == "lm_memory" or memory:
            changes.append(("", f"%s{'.memory' if memory else ''}.allocator.alloc = half", "allocator"))
        for setup, change, word in changes:
            values = ", ".join("&error" if p == "lm_error *error" else "&option" if own and p == parameter
                               else value(p, True) for p in parameters)
            failed = f"({name}({values})) {'!= LM_CODE_OK' if result == 'lm_code' else '== 0'}"
            what, setup = change.replace("%s", kind), setup.replace("%s", "option")
            change = change.replace("%s", "option")
            undo = change.replace(" = 1", " = 0")
            yield (f"    {{ {kind + ' option = {0};' if own else ''} {setup}; {change}; error = no_error; "
                   f"failed = {failed}; {undo if word == 'reserved' else ''}; "
                   f"expect({'true' if name in SHOW_ERRORS else 'failed'}, {str(result == 'lm_code').lower()}, "
                   f"\"{name}: {what}\", \"{word}\"); }}")


def required(result, name, parameters):
    """Returns calls with NULL for each pointer that may not be NULL, with a format of zeros, and with each
    buffer with half an allocator."""
    if name in EXCEPT or not ("lm_error *error" in parameters or result == "lm_code"):
        return
    for parameter in parameters:
        what = name_of(parameter)
        others = ["broken()"] if parameter.startswith("lm_buffer *") else []
        others += ["&no_format"] if parameter.startswith("const lm_format_info *") else []
        may_be_null = what in OPTIONAL | MAY_BE_NULL.get(name, set()) or "*" not in parameter
        for wrong in (["NULL"] if not may_be_null else []) + others:
            if wrong == "NULL" and any(count in parameters for count in ("uint32_t num_tags", "size_t num_paths")) and (
                    what in ("tags", "paths")):
                continue  # the fixture's are empty
            values = ", ".join("&error" if p == "lm_error *error" else wrong if p == parameter else value(p, True)
                               for p in parameters)
            failed = f"({name}({values})) {'!= LM_CODE_OK' if result == 'lm_code' else '== 0'}"
            yield (f"    error = no_error; puts(\"{name}\"), fflush(stdout); failed = {failed}; "
                   f"expect(failed, {str(result == 'lm_code').lower()}, \"{name}: {what} is {wrong}\", "
                   f"\"{'allocator' if wrong == 'broken()' else ''}\");")


def main():
    environment = os.environ
    imports = "LERPMESH_IMPORT_STATIC_LIBRARY" in environment  # and conversions
    lines, functions, freed, structs, pointers = [], 0, 0, 0, 0
    for keyword, result, name, parameters in declarations():
        if keyword in ("LM_IMPORT_API", "LM_CONVERT_API") and not imports:
            continue
        if name.endswith("_free") and len(parameters) == 1:
            lines.append(f"    {name}(NULL);")
            freed += 1
        elif name not in EXCEPT and not name.endswith("_free") and OPTIONAL & set(map(name_of, parameters)):
            lines += calls(result, name, parameters)
            functions += 1
        more = list(rejected(result, name, parameters))
        must = list(required(result, name, parameters))
        lines += more + must
        structs += len(more)
        pointers += len(must)
    if functions < 50 or freed < 15 or structs < 120 or pointers < 150:
        sys.exit(f"only {functions} functions, {freed} that free, {structs} structs and {pointers} pointers were found")
    includes = ["assets"] + (["import", "convert"] if imports else [])
    text = FIXTURE.replace("@INCLUDES@", "\n".join(f"#include <lerpmesh/{name}.h>" for name in includes))
    text += CONVERT_FIXTURE if imports else ""
    text += "\n".join(lines) + "\n    return num_accepted ? 1 : 0;\n}\n"
    libraries = [environment[f"LERPMESH_{part}STATIC_LIBRARY"]
                 for part in (["CONVERT_", "IMPORT_"] if imports else []) + ["ASSETS_", "WRITE_", ""]]
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "null.c"), os.path.join(folder, "null")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([environment.get("CC") or shutil.which("cc"), "-std=c11", "-O1", "-w", "-I",
                        os.path.join(ROOT, "include"), source, "-o", program, *libraries, "-lm", "-ldl",
                        "-lpthread"], check=True)
        done = subprocess.run([program], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"exit {done.returncode} in {(done.stdout.split() or ['the fixture'])[-1]}: {done.stderr[-2000:]}")
    print(f"{pointers} calls reject NULL and buffers with half an allocator")
    print(f"{structs} calls reject values in `reserved` and incomplete allocators")
    print(f"{functions} functions accept NULL for optional parameters, {freed} free functions accept it")


main()
