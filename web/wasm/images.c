/* Decoded images of files and of scenes. */
#include "web.h"

/* Decodes an image file into the result: width and height (uint32 each), then RGBA pixels. */
bool WEB_EXPORT(web_image)(const void *data, size_t size) {
    lm_image *image = lm_image_read(data, size, NULL, &web_error);
    if (!image)
        return false;
    const uint32_t head[2] = {image->width, image->height};
    lm_buffer_append(web_begin(), head, sizeof head);
    lm_buffer_append(&web_result, image->pixels, (size_t)image->width * image->height * 4);
    lm_image_free(image);
    return web_end();
}

/* Writes an image of the scene to the result, in web_image's layout. */
bool WEB_EXPORT(web_texture)(const web_scene *scene, uint32_t texture) {
    const lm_scene *opened = scene->assets->scene;
    if (texture >= opened->num_textures || !opened->textures[texture].pixels)
        return lm_fail_plain(&web_error, LM_CODE_BAD_ARGUMENT, "there is no image %u", texture);
    const lm_scene_texture *found = &opened->textures[texture];
    const uint32_t head[2] = {found->width, found->height};
    lm_buffer_append(web_begin(), head, sizeof head);
    lm_buffer_append(&web_result, found->pixels, (size_t)found->width * found->height * 4);
    return web_end();
}
