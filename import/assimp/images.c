/* Reads the images of materials, embedded or in separate files. */
#include "assimp.h"

#include <stdio.h>
#include <string.h>

#define NO_LAYERS NULL, NULL, NULL, NULL, NULL, NULL

/* Finds the path of a material's colour texture: diffuse, or base colour in physically based
 * materials. */
static bool find_path(const lm_im_assimp *a, const struct aiMaterial *material,
                      struct aiString *path) {
    static const enum aiTextureType kinds[] = {aiTextureType_DIFFUSE, aiTextureType_BASE_COLOR};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (a->library->aiGetMaterialTexture(material, kinds[i], 0, path, NO_LAYERS) ==
                aiReturn_SUCCESS &&
            path->length > 0)
            return true;
    return false;
}

static bool is_transparent(const lm_im_assimp *a, const struct aiMaterial *material) {
    struct aiString ignored;
    return a->library->aiGetMaterialTexture(material, aiTextureType_OPACITY, 0, &ignored,
                                            NO_LAYERS) == aiReturn_SUCCESS;
}

bool lmi_im_assimp_images(lm_im_assimp *a) {
    const uint32_t count = a->scene->mNumMaterials;
    if (!a->im->options->images || count == 0)
        return true;
    a->materials = lmi_arena_zeros(a->im->arena, count, sizeof *a->materials);
    a->images = lmi_arena_zeros(a->im->arena, count, sizeof *a->images);
    if (!a->materials || !a->images)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct aiString text = {.length = 0};
        uint32_t at = 0;
        a->materials[i] = IM_NONE;
        if (!find_path(a, a->scene->mMaterials[i], &text))
            continue;
        const char *path = lmi_im_assimp_text(a->im, &text);
        if (!path)
            return false;
        while (at < a->num_images && strcmp(a->images[at].name, path) != 0)
            at++;
        a->num_images += at == a->num_images;
        a->images[at].name = path;
        a->images[at].transparent |= is_transparent(a, a->scene->mMaterials[i]);
        a->materials[i] = at;
    }
    return true;
}

/* ---- Embedded images ------------------------------------------------------------------------- */

static const char *last_part(const char *path) {
    const char *name = path + strlen(path);
    while (name > path && !strchr("/\\:", name[-1]))
        name--;
    return name;
}

/* Finds an embedded image: "*3" is the fourth; FBX files use the name of its original file. Returns
 * NULL if the image is not embedded. */
static const struct aiTexture *find_embedded(const struct aiScene *scene, const char *path) {
    for (unsigned i = 0; i < scene->mNumTextures; i++) {
        const struct aiTexture *texture = scene->mTextures[i];
        char number[16];
        snprintf(number, sizeof number, "*%u", i);
        if (texture && texture->pcData &&
            (strcmp(path, number) == 0 ||
             (texture->mFilename.length > 0 &&
              strcmp(last_part(path), last_part(texture->mFilename.data)) == 0)))
            return texture;
    }
    return NULL;
}

/* Copies texels and puts a TGA header in front: Assimp's rows are BGRA from the top, as in a
 * TGA. */
static bool copy_texels(importing *im, const struct aiTexture *texture, lm_import_image *out) {
    const uint32_t w = texture->mWidth, h = texture->mHeight;
    const uint64_t texels = (uint64_t)w * h * 4;
    const uint8_t header[18] = {
        [2] = 2,           [12] = (uint8_t)w,        [13] = (uint8_t)(w >> 8),
        [14] = (uint8_t)h, [15] = (uint8_t)(h >> 8), [16] = 32,
        [17] = 0x28};
    if (w > UINT16_MAX || h > UINT16_MAX)
        return true;
    uint8_t *bytes = lmi_arena_zeros(im->arena, sizeof header + texels, 1);
    if (!bytes)
        return false;
    memcpy(bytes, header, sizeof header);
    memcpy(bytes + sizeof header, texture->pcData, (size_t)texels);
    out->data = bytes;
    out->size = sizeof header + (size_t)texels;
    return true;
}

/* Copies an embedded image, because Assimp's scene is released before the import is used. */
static bool copy_embedded(importing *im, const struct aiTexture *texture, lm_import_image *out) {
    if (texture->mHeight > 0)
        return copy_texels(im, texture, out);
    out->size = texture->mWidth;
    out->data = out->size > 0 ? lmi_arena_bytes(im->arena, texture->pcData, out->size, 1) : NULL;
    return out->size == 0 || out->data;
}

/* ---- Separate files -------------------------------------------------------------------------- */

/* Reads an image by its path in the file, else by its bare file name: paths come from the author's
 * machine. */
static bool read_sidecar(importing *im, const char *path, lm_import_image *out) {
    char *plain = lmi_copy_text(im->arena, path);
    if (!plain)
        return false;
    for (char *c = plain; *c; c++)
        *c = *c == '\\' ? '/' : *c;
    const char *from = strncmp(plain, "file://", 7) == 0 ? plain + 7 : plain;
    while (strncmp(from, "./", 2) == 0)
        from += 2;
    const char *name = last_part(from);
    return lmi_im_read_image(im, "textures", from, out) &&
           (out->data || name == from || lmi_im_read_image(im, "textures", name, out));
}

static bool fill(importing *im, const void *user, uint32_t index, bool surface_images,
                 lm_import_image *out) {
    const lm_im_assimp *a = user;
    const char *path = a->images[index].name;
    const struct aiTexture *embedded = find_embedded(a->scene, path);
    *out = a->images[index];
    if (embedded && *path == '*')
        out->name =
            embedded->mFilename.length > 0 ? lmi_im_assimp_text(im, &embedded->mFilename) : "";
    return out->name && (!surface_images || (embedded ? copy_embedded(im, embedded, out)
                                                      : read_sidecar(im, path, out)));
}

bool lmi_im_assimp_read_images(lm_im_assimp *a) {
    return lmi_im_fill_images(a->im, a->num_images, fill, a);
}
