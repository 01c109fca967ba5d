/* Galleries: pages of HTML with a picture of each model, and its description. They need no
 * JavaScript, and load the pictures when they come into view. */
#include "describe.h"
#include "lerpmesh/image.h"
#include "render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text ------------------------------------------------------------------------------------ */

static const char *entity_of(char c) {
    return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL;
}

/* Appends text with the characters escaped that HTML gives a meaning. */
static void add_escaped(lm_buffer *html, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const char *entity = entity_of(text[i]);
        if (entity)
            lm_buffer_text(html, entity);
        else
            lm_buffer_append(html, text + i, 1);
    }
}

/* Appends a name, which may come from a file. */
static void add_name(lm_buffer *html, const char *name) {
    lm_buffer text = {0};
    lmi_text_harmless(&text, name);
    html->failed = html->failed || text.failed;
    add_escaped(html, (const char *)text.data, text.size);
    lm_buffer_free(&text);
}

/* Appends a relative path as a URL. */
static void gallery_url(lm_buffer *url, const char *path) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./";
    for (; *path; path++)
        if (strchr(plain, *path))
            lm_buffer_append(url, path, 1);
        else
            lm_buffer_printf(url, "%%%02X", (unsigned char)*path);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static void add_count(lm_buffer *html, uint64_t count, const char *nouns) {
    lm_buffer_printf(html, " · %s", lmi_count_nouns(count, nouns).text);
}

/* Appends format, frames, triangles and clips. Those of a player's parts are counted together,
 * except for the frames, which are the first part's. */
static void add_facts(const lm_scene *scene, lm_buffer *html) {
    uint64_t triangles = 0, clips = 0;
    for (uint32_t p = 0; p < scene->num_parts; p++) {
        const lm_scene_part *part = &scene->parts[p];
        clips += part->num_clips;
        for (uint32_t i = 0; i < part->model->num_surfaces; i++)
            triangles += part->model->surfaces[i].num_triangles;
    }
    lm_buffer_printf(html, "<p>%s", scene->parts[0].model->format);
    add_count(html, scene->parts[0].model->num_frames, "frames");
    add_count(html, triangles, "triangles");
    add_count(html, clips, "clips");
    lm_buffer_text(html, "</p>\n");
}

static void add_problems(const tool_job *job, const lm_assets *assets, lm_buffer *html) {
    uint32_t warnings = 0;
    for (uint32_t p = 0; p < assets->scene->num_parts; p++) {
        const lm_asset *asset = &assets->assets[p];
        warnings += asset->model->num_warnings + (asset->clips ? asset->clips->num_warnings : 0);
    }
    lm_buffer_text(html, "<details><summary>Details");
    if (job->num_missing > 0) {
        add_count(html, job->num_missing, "textures");
        lm_buffer_text(html, " missing");
    }
    if (job->guessed)
        lm_buffer_text(html, " · texture guessed");
    if (warnings > 0)
        add_count(html, warnings, "warnings");
    lm_buffer_text(html, "</summary>\n");
}

/* Passes the model's folder and its part of the page: picture, name, and the text of
 * lmi_describe. */
static void pass(tool_job *job, const render_settings *settings, const lm_assets *assets,
                 const char *picture) {
    const char *path = job->tree ? job->tree : job->path;
    const char *name = lmi_vfs_base_name(job->vfs, path);
    lm_buffer *html = &job->passed, text = {0};
    lm_buffer_append(html, path, name > path ? (size_t)(name - path - 1) : 0);
    lm_buffer_append(html, "", 1);
    lm_buffer_text(html, "<article>\n");
    lm_buffer_text(html, "<img src=\"");
    gallery_url(html, picture + strlen(settings->pictures.path));
    lm_buffer_printf(html, "\" width=\"%u\" height=\"%u\" loading=\"lazy\" alt=\"",
                     settings->drawing.width, settings->drawing.height);
    add_name(html, name);
    lm_buffer_text(html, "\">\n<h3>");
    add_name(html, name);
    lm_buffer_text(html, "</h3>\n");
    add_facts(assets->scene, html);
    add_problems(job, assets, html);
    for (uint32_t p = 0; p < assets->scene->num_parts; p++) {
        lm_buffer_text(&text, p > 0 ? "\n" : "");
        lmi_describe(assets, p, false, &text);
    }
    lm_buffer_text(html, "<pre>");
    add_escaped(html, (const char *)text.data, text.size);
    lm_buffer_text(html, "</pre>\n</details>\n</article>\n");
    lm_buffer_append(html, "", 1);
    (void)lmi_arena_out_of_memory(job->arena, text.failed || html->failed);
    lm_buffer_free(&text);
}

/* ---- The page -------------------------------------------------------------------------------- */

#define GENERATOR "<meta name=\"generator\" content=\"lerpmesh "

/* The page runs no script, even if one came into it. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";

static const char style[] =
    "<style>\n"
    ":root { color-scheme: light dark; }\n"
    "body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; }\n"
    "h2 { margin: 2rem 0 .7rem; overflow-wrap: anywhere; }\n"
    "nav ul { columns: 18rem; padding-left: 1.2rem; overflow-wrap: anywhere; }\n"
    ".models { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(12rem, "
    "1fr)); align-items: start; }\n"
    "article { border: 1px solid #8886; border-radius: 8px; overflow: hidden; padding: 0 0 .6rem; "
    "content-visibility: auto; contain-intrinsic-size: auto 22rem; }\n"
    "article:has(details[open]) { grid-column: 1 / -1; }\n"
    "article > :not(img) { margin: .3rem .7rem; }\n"
    "h3 { font-size: 1rem; overflow-wrap: anywhere; }\n"
    "img { display: block; width: 100%; height: auto; }\n"
    "article:has(details[open]) img { width: auto; max-width: 100%; }\n"
    "p, summary { font-size: .85rem; opacity: .8; }\n"
    "pre { overflow-x: auto; font-size: .8rem; }\n"
    "</style>\n";

static int compare_entries(const void *a, const void *b) {
    const gallery_entry *one = a, *other = b;
    const int folders = strcmp(one->folder, other->folder);
    return folders != 0 ? folders : one->index < other->index ? -1 : 1;
}

/* Returns the number of entries with the folder of the first one. */
static size_t count_alike(const gallery_entry *entries, size_t count) {
    size_t alike = 1;
    while (alike < count && strcmp(entries[alike].folder, entries[0].folder) == 0)
        alike++;
    return alike;
}

static void add_folder_name(lm_buffer *html, const char *folder) {
    add_name(html, folder[0] ? folder : "Models");
}

/* Appends links to the folders, if there are several. */
static void add_contents(const gallery_entry *entries, size_t count, lm_buffer *html) {
    size_t alike, folder = 0;
    if (count_alike(entries, count) == count)
        return;
    lm_buffer_text(html, "<nav>\n<details>\n<summary>Folders</summary>\n<ul>\n");
    for (size_t i = 0; i < count; i += alike) {
        alike = count_alike(entries + i, count - i);
        lm_buffer_printf(html, "<li><a href=\"#folder-%zu\">", ++folder);
        add_folder_name(html, entries[i].folder);
        lm_buffer_printf(html, "</a> (%zu)</li>\n", alike);
    }
    lm_buffer_text(html, "</ul>\n</details>\n</nav>\n");
}

/* Returns the numbers of players, weapons and other models as a text. */
static lm_counted count_entries(const render_gallery *gallery) {
    const size_t num_models = gallery->count - gallery->num_players - gallery->num_weapons;
    const size_t numbers[] = {gallery->num_players, gallery->num_weapons, num_models};
    const lm_counted counts[] = {lmi_count_nouns(numbers[0], "players"),
                                 lmi_count_nouns(numbers[1], "weapons"),
                                 lmi_count_nouns(numbers[2], "models")};
    const char *listed[3] = {counts[2].text, "", ""};
    lm_counted all;
    size_t count = 0;
    for (size_t i = 0; i < 3; i++)
        if (numbers[i] > 0)
            listed[count++] = counts[i].text;
    snprintf(all.text, sizeof all.text, "%.36s%s%.36s%s%.36s", listed[0],
             count > 2   ? ", "
             : count > 1 ? " and "
                         : "",
             listed[1], count > 2 ? " and " : "", listed[2]);
    return all;
}

/* Appends the page: the entries by folder, after sorting them; and messages, in lines, about the
 * models that could not be shown. */
static void gallery_write(const render_gallery *gallery, const char *messages, lm_buffer *html) {
    const lm_counted title = count_entries(gallery);
    gallery_entry *const entries = gallery->entries;
    const size_t count = gallery->count;
    qsort(entries, count, sizeof *entries, compare_entries);
    lm_buffer_text(html, head);
    lm_buffer_printf(html, GENERATOR "%s\">\n<title>%s</title>\n", lm_version(), title.text);
    lm_buffer_text(html, style);
    lm_buffer_printf(html, "</head>\n<body>\n<h1>%s</h1>\n", title.text);
    add_contents(entries, count, html);
    size_t alike, folder = 0;
    for (size_t i = 0; i < count; i += alike) {
        alike = count_alike(entries + i, count - i);
        lm_buffer_printf(html, "<section>\n<h2 id=\"folder-%zu\">", ++folder);
        add_folder_name(html, entries[i].folder);
        lm_buffer_text(html, "</h2>\n<div class=\"models\">\n");
        for (size_t k = i; k < i + alike; k++)
            lm_buffer_text(html, entries[k].html);
        lm_buffer_text(html, "</div>\n</section>\n");
    }
    if (messages[0]) {
        lm_buffer_text(html, "<section>\n<h2>Not shown</h2>\n<pre>");
        add_escaped(html, messages, strlen(messages));
        lm_buffer_text(html, "</pre>\n</section>\n");
    }
    lm_buffer_text(html, "</body>\n</html>\n");
}

/* ---- Writing -------------------------------------------------------------------------------- */

/* Returns whether there are files in the folder of the pictures. */
static bool has_files(const render_settings *settings) {
    const tool_output *pictures = &settings->pictures;
    const tool_args *args = pictures->args;
    const char *folder = lmi_arena_printf(args->arena, "%s%s", pictures->path, pictures->numbered);
    lm_path_list *list = folder && lmi_vfs_is_folder(args->vfs, folder)
                             ? lm_vfs_list(args->vfs, folder, LM_LIST_FILES, NULL)
                             : NULL;
    const bool any = list && list->num_paths > 0 && !list->paths[list->num_paths - 1].problem;
    lm_path_list_free(list);
    return any;
}

/* Returns whether a file is a gallery's page. */
static bool is_gallery(const char *path) {
    lm_buffer page = {0};
    const bool read = lm_file_read(path, 0, &page, NULL);
    lm_buffer_append(&page, "", 1);
    const bool is_one = read && !page.failed && strstr((const char *)page.data, GENERATOR);
    lm_buffer_free(&page);
    return is_one;
}

bool render_gallery_begin(render_settings *settings) {
    tool_job job = page_begin(settings);
    const char *path;
    const bool named = tool_output_path(&job, &settings->output, &path);
    if (named && !settings->output.force && has_files(settings) && !is_gallery(path))
        tool_fail_code(&job, LM_CODE_IO,
                       "the folder %s has files of its own: --force replaces those that are named "
                       "like the pictures",
                       settings->pictures.numbered);
    settings->pictures.force = true;
    return page_end(&job) == TOOL_DONE;
}

void render_gallery_add(tool_job *job, const render_settings *settings, studio *s,
                        const studio_subject *subject, const lm_assets *assets) {
    lm_error error;
    lm_buffer png = {0};
    const studio_options *drawing = &settings->drawing;
    const char *path = NULL;
    sheet_page page = {.cell_width = drawing->width, .cell_height = drawing->height};
    if (!sheet_add_thumbnail(drawing, s, subject, "", "", &page, &error) ||
        !lm_pixels_write(page.cells[0].pixels, drawing->width, drawing->height, LM_PIXELS_PNG, NULL,
                         &png, &error))
        tool_fail_error(job, &error);
    else if (tool_output_path(job, &settings->pictures, &path) && tool_output_put(job, path, &png))
        pass(job, settings, assets, path);
    if (job->json && job->status == TOOL_DONE)
        render_write_json(job, settings, path, path ? 1 : 0);
    lm_buffer_free(&png);
    sheet_free(&page);
}

void render_gallery_take(render_gallery *gallery, tool_job *job) {
    lm_arena *arena = gallery->settings->output.args->arena;
    if (job->status != TOOL_DONE) {
        lm_buffer_append(&gallery->messages, job->log.data, job->log.size);
        return;
    }
    const char *passed = (const char *)job->passed.data;
    const char *copy = passed ? lmi_arena_text(arena, passed, job->passed.size) : NULL;
    if (job->passed.failed || !copy ||
        !lmi_arena_grow(arena, &gallery->entries, &gallery->capacity, gallery->count + 1,
                        sizeof *gallery->entries)) {
        tool_fail_memory(job);
        return;
    }
    gallery->entries[gallery->count++] = (gallery_entry){copy, copy + strlen(copy) + 1, job->index};
    char body[LM_PATH_SIZE];
    if (lm_vfs_find_player(job->vfs, job->path, body, sizeof body, NULL))
        (*(lmi_vfs_is_weapon(job->vfs, body, true, NULL) ? &gallery->num_weapons
                                                         : &gallery->num_players))++;
}

int render_gallery_write(render_gallery *gallery) {
    tool_job job = page_begin(gallery->settings);
    lm_buffer html = {0}, *messages = &gallery->messages;
    lm_buffer_append(messages, "", 1);
    if (!messages->failed)
        gallery_write(gallery, (const char *)messages->data, &html);
    if (messages->failed || html.failed)
        tool_fail_memory(&job);
    else if (page_put(&job, gallery->settings, &html))
        tool_note(&job, "wrote a page of %s, with pictures in %s", count_entries(gallery).text,
                  gallery->settings->pictures.numbered);
    lm_buffer_free(&html);
    return page_end(&job);
}

void render_gallery_free(render_gallery *gallery) {
    lm_buffer_free(&gallery->messages);
}
