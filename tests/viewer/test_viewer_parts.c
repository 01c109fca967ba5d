/* Tests the viewer on a display without a screen: skins, weapons, heads, players of three parts. */

#include "archive_maker.h"
#include "image/labels.h"
#include "viewer_support.h"

/* Makes a player's folder: a body, a weapon (in fact a head) and two skins. */
static char *make_player(void) {
    g_autofree char *red = scratch_file("player/red.png");
    copy_sample("samples/tick.md2", "player/tris.md2");
    copy_sample("samples/tick_head.mdc", "player/weapon.md2");
    copy_sample("samples/tick.pcx", "player/tick.pcx");
    write_red(red);
    return scratch_file("player/tris.md2");
}

/* Counts the reddish pixels. */
static unsigned count_red(const screenshot *p) {
    unsigned count = 0;
    for (size_t i = 0; i < (size_t)p->width * p->height; i++) {
        const unsigned char *c = p->pixels + 4 * i;
        count += c[0] > 90 && c[1] < c[0] / 4 && c[2] < c[0] / 4;
    }
    return count;
}

/* Makes a copy of Tick with two skins, appended to its file. */
static char *make_model_with_two_skins(void) {
    static const char skins[2][64] = {"players/tick/tick.pcx", "players/tick/red.png"};
    char *from = source_file("samples/tick.md2"), *to = scratch_file("two_skins/two_skins.md2");
    AT_END(blob_free) blob file = blob_read(from);
    GByteArray *bytes = g_byte_array_new();
    put32(&file, MD2_AT_OFS_SKINS, (uint32_t)file.size);
    put32(&file, MD2_AT_NUM_SKINS, 2);
    put32(&file, MD2_AT_OFS_END, (uint32_t)(file.size + sizeof skins));
    g_byte_array_append(bytes, file.data, (guint)file.size);
    g_byte_array_append(bytes, (const guint8 *)skins, sizeof skins);
    copy_sample("samples/tick.pcx", "two_skins/tick.pcx");
    assert_true(g_file_set_contents(to, (const char *)bytes->data, (gssize)bytes->len, NULL));
    g_byte_array_unref(bytes);
    g_free(from);
    return to;
}

TEST(test_listed_skins) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *model = make_model_with_two_skins(), *red = scratch_file("two_skins/red.png");
    write_red(red);
    open_path(window, model);
    set(window, "play", "false");
    set(window, "skin", "1");
    screenshot shown = take_screenshot(window, "listed-red");
    unsigned many = count_red(&shown);
    g_free(shown.pixels);
    set(window, "skin", "0");
    shown = take_screenshot(window, "listed-first");
    assert_true(many > 10 * (count_red(&shown) + 100));
    g_free(shown.pixels);
}

/* An image larger than any screen is reduced before it is passed to the driver. */
TEST(test_large_image) {
    enum {
        WIDTH = 4100,
        HEIGHT = 3
    };
    g_autofree char *model = source_file("samples/tick.md2"), *skin = scratch_file("large.png");
    document_request request = {.path = model, .skin = skin, .listed = DOCUMENT_ANY_SKIN};
    shared_vfs *vfs = shared_vfs_new();
    uint8_t *pixels = g_malloc0((size_t)WIDTH * HEIGHT * 4);
    lm_buffer png = {0};
    lm_error error;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        pixels[4 * i] = i % WIDTH < 6 ? 200 : 0; /* the first two of the remaining texels */
        pixels[4 * i + 3] = 255;
    }
    assert_true(lm_pixels_write(pixels, WIDTH, HEIGHT, LM_PIXELS_PNG, NULL, &png, NULL));
    assert_true(g_file_set_contents(skin, (const char *)png.data, (gssize)png.size, NULL));
    document *d = document_open(vfs, &request, &error);
    assert_non_null(d);
    const lm_scene_texture *drawn = &d->drawn.textures[0];
    assert_int_equal(document_scene(d)->textures[0].width, WIDTH);
    assert_int_equal(drawn->width, (WIDTH + 2) / 3);
    assert_int_equal(drawn->height, 1);
    assert_int_equal(drawn->pixels[4], 200);
    assert_int_equal(drawn->pixels[8], 0);
    assert_int_equal(drawn->pixels[8 + 3], 255);
    document_unref(d);
    shared_vfs_unref(vfs);
    lm_buffer_free(&png);
    g_free(pixels);
}

TEST(test_skins_and_weapon) {
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *body = make_player();
    open_still(window, body);
    screenshot with_weapon = take_screenshot(window, "player");
    set(window, "skin", "1"); /* 0 is the listed skin, then the files follow in order */
    screenshot red = take_screenshot(window, "player-red");
    assert_true(count_red(&red) > 10 * (count_red(&with_weapon) + 100));
    g_free(red.pixels);
    set(window, "skin", "0");
    screenshot again = take_screenshot(window, "player-again");
    assert_true(difference(&with_weapon, &again) < SAME);
    g_free(with_weapon.pixels);
    set(window, "attachments", "false");
    again = expect_change(window, again, "player-without-weapon");
    g_free(again.pixels);
}

/* Writes the head with tags named like a player's. */
static void make_part(const char *tag, const char *name) {
    g_autofree char *from = source_file("samples/tick_head.mdc"), *to = scratch_file(name);
    AT_END(blob_free) blob file = blob_read(from);
    static const char old[] = "tag_mouth";
    uint8_t *at = NULL;
    for (size_t i = 0; i + sizeof old <= file.size && !at; i++)
        at = memcmp(file.data + i, old, sizeof old) == 0 ? file.data + i : NULL;
    if (!at) {
        fail_msg("the head has no tag to rename");
        return;
    }
    memset(at, 0, sizeof old);
    memcpy(at, tag, strlen(tag));
    assert_true(g_file_set_contents(to, (const char *)file.data, (gssize)file.size, NULL));
}

TEST(test_head) {
    static const char skin[] = "h_skull,red.png\nh_jaw,red.png\nh_crest,red.png\n";
    OWNED(ViewerWindow) *window = open_window(760, 540);
    g_autofree char *body = scratch_file("head/body.mdc"), *red = scratch_file("head/red.png");
    g_autofree char *skin_file = scratch_file("head/body_war.skin");
    make_part("tag_head", "head/body.mdc");
    copy_sample("samples/tick_head.mdc", "head/head.mdc");
    copy_sample("samples/tick.pcx", "head/tick.pcx");
    write_red(red);
    assert_true(g_file_set_contents(skin_file, skin, -1, NULL));
    open_path(window, body);
    set(window, "play", "false");
    screenshot both = take_screenshot(window, "head");
    set(window, "skin", "1"); /* 0 is the model's own skin, 1 body_war.skin */
    screenshot war = take_screenshot(window, "head-red");
    assert_true(count_red(&war) > 10 * (count_red(&both) + 100));
    g_free(war.pixels);
    set(window, "attachments", "false");
    g_free(expect_change(window, both, "body-alone").pixels);
}

/* Lower, upper and head give the same image from a folder and from an archive. */
TEST(test_three_part_player) {
    static const char *const names[] = {"lower.mdc", "upper.mdc", "head.mdc", "tick.pcx"};
    OWNED(ViewerWindow) *window = open_window(760, 540);
    packed_file packed[4];
    blob files[4];
    make_part("tag_torso", "three/lower.mdc");
    make_part("tag_head", "three/upper.mdc");
    copy_sample("samples/tick_head.mdc", "three/head.mdc");
    copy_sample("samples/tick.pcx", "three/tick.pcx");
    g_autofree char *folder = scratch_file("three"), *path = scratch_file("three.pk3");
    for (size_t i = 0; i < 4; i++) {
        g_autofree char *file = g_build_filename(folder, names[i], NULL);
        char *member = g_strdup_printf("players/tick/%s", names[i]);
        files[i] = blob_read(file);
        packed[i] = (packed_file){.name = member, .data = files[i].data, .size = files[i].size};
    }
    AT_END(blob_free) blob archive = make_pk3(packed, 4);
    assert_true(g_file_set_contents(path, (const char *)archive.data, (gssize)archive.size, NULL));
    open_path(window, folder);
    expect_title(window, "three");
    set(window, "play", "false");
    set(window, "seek", "0.0");
    screenshot three = take_screenshot(window, "three");
    g_autofree char *lower = g_strdup_printf("%s:players/tick/lower.mdc", path);
    open_path(window, lower);
    set(window, "seek", "0.0");
    screenshot packed_three = take_screenshot(window, "three-packed");
    assert_true(difference(&three, &packed_three) < SAME);
    g_free(packed_three.pixels);
    char *player = g_strdup_printf("%s:players/tick", path);
    open_path(window, player);
    expect_title(window, "tick");
    set(window, "seek", "0.0");
    packed_three = take_screenshot(window, "three-packed-folder");
    assert_true(difference(&three, &packed_three) < SAME);
    g_free(packed_three.pixels), g_free(player);
    set(window, "attachments", "false");
    g_free(expect_change(window, three, "legs-alone").pixels);
    for (size_t i = 0; i < 4; i++) {
        g_free((char *)packed[i].name);
        blob_free(&files[i]);
    }
}

/* ---- Panels of a player ---------------------------------------------------------------------- */

/* Counts and clips cover legs, torso and head. */
TEST(test_parts_of_document) {
    static const char *const names[] = {"Legs", "Torso", "Head"};
    OWNED(document) *player = open_document("samples/models/players/tick");
    document_sums sums = {0}, all = document_count(player, LM_NO_PART);
    uint32_t part, surface;
    assert_string_equal(player->title, "tick");
    assert_int_equal(document_scene(player)->num_parts, 3);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t frames = document_scene(player)->parts[i].model->num_frames;
        const lm_model *model = document_scene(player)->parts[i].model;
        assert_string_equal(player->part_names[i], names[i]);
        assert_non_null(player->reports[i]);
        for (uint32_t k = 0; k < model->num_surfaces; k++) {
            assert_true(document_surface(player, sums.surfaces + k, &part, &surface));
            assert_int_equal(part, i);
            assert_int_equal(surface, k);
            sums.triangles += model->surfaces[k].num_triangles;
        }
        sums.surfaces += model->num_surfaces;
        const document_clip *clip = &player->clips[document_all_frames(player, i)];
        assert_true(clip->all_frames);
        assert_int_equal(clip->part, frames > 1 ? i : 0);
    }
    assert_int_equal(all.surfaces, sums.surfaces);
    assert_int_equal(all.triangles, sums.triangles);
    assert_false(document_surface(player, all.surfaces, &part, &surface));
}

/* The UV map of each surface of each part can be chosen, and problems are under their part. */
TEST(test_panels_of_player) {
    OWNED(ViewerWindow) *window = open_sample("samples/models/players/tick");
    GtkDropDown *down = GTK_DROP_DOWN(widget(window, "uv_surface"));
    OWNED(document) *player = open_document("samples/models/players/tick");
    guint count = document_count(player, LM_NO_PART).surfaces;
    expect_title(window, "tick");
    assert_string_equal(gtk_label_get_text(GTK_LABEL(widget(window, "title"))), "tick");
    assert_non_null(strstr(gtk_label_get_text(GTK_LABEL(widget(window, "subtitle"))), "3 parts"));
    assert_int_equal(g_list_model_get_n_items(gtk_drop_down_get_model(down)), count);
    set(window, "uv", "true");
    AT_END(drop_screenshot) screenshot first = take_window_screenshot(window, "uv-legs");
    gtk_drop_down_set_selected(down, count - 1);
    settle(window);
    AT_END(drop_screenshot) screenshot last = take_window_screenshot(window, "uv-head");
    assert_true(difference(&first, &last) > 0.02);
    set(window, "page", "'problems'");
    for (guint i = 0; i < player->problems.rows->len; i++) {
        g_autofree char *action = g_strdup_printf("win.problem(uint32 %u)", i);
        act(window, action);
    }
    assert_false(error_is_shown(window));
    assert_int_equal(g_array_index(player->problems.rows, problem_row, 0).kind, PROBLEM_PART);
}

/* Legs and torso play clips apart: the torso changes, the legs stay. */
TEST(test_torso_clip) {
    document *player = open_document("samples/models/players/tick");
    const lm_scene *scene = document_scene(player);
    lm_pose together[LM_MAX_PARTS], apart[LM_MAX_PARTS];
    lm_playback play = {.speed = 1, .seconds = 0.1};
    uint32_t run = 0;
    assert_int_equal(document_torso(player), 1);
    while (strcmp(player->clips[run].name, "LEGS_RUN") != 0)
        run++;
    document_pose(player, run, NULL, &play, together);
    document_pose(player, run, "TORSO_ATTACK", &play, apart);
    const lm_clip *attack = lm_scene_find_clip(scene, 1, "TORSO_ATTACK");
    assert_int_equal(together[0].frame_a, apart[0].frame_a);
    assert_int_equal(together[0].frame_b, apart[0].frame_b);
    assert_float_equal(together[0].t, apart[0].t, 0);
    assert_in_range(apart[1].frame_a, attack->first, attack->first + attack->count - 1);
    assert_false(together[1].frame_a == apart[1].frame_a);
    document_unref(player);
    OWNED(ViewerWindow) *window = open_sample("samples/models/players/tick");
    GtkDropDown *down = GTK_DROP_DOWN(widget(window, "torso"));
    set(window, "seek", "0.0");
    screenshot before = take_screenshot(window, "torso-with-legs");
    set(window, "torso", "7");
    before = expect_change(window, before, "torso-apart");
    assert_int_equal(gtk_drop_down_get_selected(down), 7);
    set(window, "torso", "1000"); /* does not exist */
    gtk_drop_down_set_selected(down, 0);
    settle(window);
    g_free(expect_change(window, before, "torso-with-legs-again").pixels);
    assert_true(gtk_widget_get_visible(GTK_WIDGET(down)));
    close_window(window);
    window = open_sample("samples/tick.md2");
    assert_false(gtk_widget_get_visible(widget(window, "torso")));
}

/* ---- Labels -------------------------------------------------------------------------------- */

/* Returns whether a pixel has about a colour. */
static bool is_color(const unsigned char *c, const unsigned char rgb[3]) {
    for (int i = 0; i < 3; i++)
        if (abs(c[i] - rgb[i]) > 14)
            return false;
    return true;
}

static unsigned count_color(const screenshot *p, const unsigned char rgb[3], bool at_border) {
    unsigned count = 0;
    for (unsigned y = 0; y < p->height; y++)
        for (unsigned x = 0; x < p->width; x++) {
            bool border = x == 0 || y == 0 || x + 1 == p->width || y + 1 == p->height;
            if (border || !at_border)
                count += is_color(p->pixels + 4 * ((size_t)y * p->width + x), rgb);
        }
    return count;
}

/* Tags inside the body are in front of it, with three axes in their colours and a name in white. */
TEST(test_tags_are_seen) {
    static const unsigned char colors[4][3] = {
        {240, 75, 75}, {80, 205, 80}, {110, 145, 255}, {255, 255, 255}};
    OWNED(ViewerWindow) *window = open_sample("samples/models/players/tick");
    set(window, "seek", "0.0");
    set(window, "shadow", "false");
    AT_END(drop_screenshot) screenshot without = take_screenshot(window, "player-without-tags");
    set(window, "tags", "true");
    AT_END(drop_screenshot) screenshot with = take_screenshot(window, "player-tags");
    for (unsigned i = 0; i < 4; i++)
        assert_in_range(count_color(&with, colors[i], false),
                        count_color(&without, colors[i], false) + 60, 100000);
}

/* Returns the share of the rows of an image from the first one with a colour to the last. */
static double height_of_color(const screenshot *p, const unsigned char rgb[3]) {
    unsigned first = p->height, last = 0;
    for (unsigned i = 0; i < p->width * p->height; i++)
        if (is_color(p->pixels + 4 * (size_t)i, rgb)) {
            first = MIN(first, i / p->width);
            last = MAX(last, i / p->width);
        }
    return last > first ? (double)(last - first) / p->height : 0;
}

/* The whole box and the letters of the axes are in view, in a small window too. */
TEST(test_box_is_whole) {
    static const unsigned char orange[3] = {230, 170, 60};
    static const char *const names[] = {"samples/tick.md2", "samples/tick_head.mdc",
                                        "samples/models/players/tick"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        OWNED(ViewerWindow) *window = open_sample(names[i]);
        set(window, "box", "true");
        g_autofree char *name = g_strdup_printf("box-%zu", i);
        screenshot p = take_screenshot(window, name);
        assert_in_range(count_color(&p, orange, false), 200, 100000);
        assert_int_equal(count_color(&p, orange, true), 0);
        assert_true(height_of_color(&p, orange) > 0.6);
        set(window, "axes", "true");
        g_free(expect_change(window, p, "box-axes").pixels);
    }
}

/* Plays until the clock stops, at most `seconds`. Returns its time. */
static double play_out(lm_playback *clock, double seconds) {
    clock->playing = true;
    for (double at = 0; at < seconds && clock->playing; at += 0.05)
        lm_playback_advance(clock, 0.05);
    return clock->seconds;
}

/* The torso repeats or ends by its own length: the clock ends with the clip that ends last. */
TEST(test_clock_of_torso) {
    OWNED(document) *player = open_document("samples/models/players/tick");
    const lm_clip *attack = lm_scene_find_clip(document_scene(player), 1, "TORSO_ATTACK");
    lm_clip *legs = &player->clips[0].clip, *torso = (lm_clip *)attack;
    *legs = (lm_clip){.count = 2, .fps = 10};
    *torso = (lm_clip){.name = attack->name, .first = attack->first, .count = 6, .fps = 10};
    lm_playback play = {.speed = 1, .clip = legs}, clock = document_clock(player, 0, NULL, &play);
    assert_true(play_out(&clock, 9) < 0.3);
    clock = document_clock(player, 0, "TORSO_ATTACK", &play);
    const double end = play_out(&clock, 9);
    assert_true(end > 0.4 && end < 0.7);
    torso->loop_frames = 6;
    clock = document_clock(player, 0, "TORSO_ATTACK", &play);
    assert_true(play_out(&clock, 9) > 8);
    play.mode = LM_PLAY_ONCE;
    clock = document_clock(player, 0, "TORSO_ATTACK", &play);
    assert_true(play_out(&clock, 9) < 0.7);
    play.mode = LM_PLAY_AS_CLIP;
    torso->loop_frames = 0;
    legs->loop_frames = 2;
    clock = document_clock(player, 0, "TORSO_ATTACK", &play);
    assert_true(play_out(&clock, 9) > 8);
}

/* The torso goes on after the legs' clip, and keeps its clip in a reload. */
TEST(test_torso_goes_on) {
    OWNED(ViewerWindow) *window = open_sample("samples/models/players/tick");
    GtkDropDown *down = GTK_DROP_DOWN(widget(window, "torso"));
    set(window, "mode", "'once'");
    set(window, "torso", "7");
    act(window, "win.reload");
    assert_int_equal(gtk_drop_down_get_selected(down), 7);
    set(window, "skin", "1");
    assert_int_equal(gtk_drop_down_get_selected(down), 7);
    open_path(window, "/nowhere");
    assert_true(error_is_shown(window));
    assert_int_equal(gtk_drop_down_get_selected(down), 7);
    g_autofree char *other = source_file("samples/tick.md2"),
                    *player = source_file("samples/models/players/tick");
    open_path(window, other);
    open_path(window, player);
    assert_int_equal(gtk_drop_down_get_selected(down), 0);
}

TEST_GROUP(start_viewer, end_viewer)
