/* Tests the libraries' messages in other languages: all that the check of damaged models yields,
 * and every sentence of the table. */
#include "encoded.h"

#include "languages.h"
#include "message_text.h"
#include "text.h"
#include "viewer_support.h"

/* Returns a translation with its values; NULL: it is malformed. */
static char *fill(const char *translation, const message_piece *values, guint count) {
    GArray *pieces = message_pieces_new();
    const bool done = message_fill(pieces, translation, values, count);
    char *text = message_join(pieces);
    if (done)
        return text;
    assert_string_equal(text, "");
    g_free(text);
    return NULL;
}

static void assert_message(const char *message, const char *expected) {
    char *text = message_text(message);
    assert_string_equal(text, expected);
    g_free(text);
}

/* ---- Sentences of the check ------------------------------------------------------------------ */

static GHashTable *codes; /* of all messages that were tested */

static void check_text(const char *message) {
    char *text = message_text(message);
    if (strcmp(text, message) == 0)
        fail_msg("not translated: %s", message);
    expect_no_english(text);
    g_free(text);
}

static void check_messages(const lm_diagnostic *problems, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        g_hash_table_add(codes, GINT_TO_POINTER(problems[i].code));
        check_text(problems[i].text);
    }
}

static void check_fixes(const blob *file, const lm_report *report) {
    lm_edit *edit = lm_edit_open(file->data, file->size, NULL, NULL);
    for (uint32_t i = 0; edit && i < report->num_problems; i++) {
        lm_buffer sentence = {0};
        if (lm_edit_can_fix(edit, &report->problems[i], &sentence)) {
            char *text = g_strndup((const char *)sentence.data, sentence.size);
            check_text(text);
            g_free(text);
        }
        lm_buffer_free(&sentence);
    }
    lm_edit_free(edit);
}

/* Checks what a conversion of a model to each format loses, or why it is impossible. */
static void check_losses(const lm_model *model) {
    lm_error error;
    lm_mesh *mesh = lm_mesh_from_model(model, NULL, &error);
    for (uint32_t i = 0; mesh && i < lm_format_count(); i++) {
        lm_buffer out = {0};
        lm_encode_report *report = NULL;
        if (!lm_encode(mesh, lm_format_at(i), NULL, &out, &report, &error))
            check_text(error.message);
        else
            check_messages(report->problems, report->num_problems);
        lm_encode_report_free(report);
        lm_buffer_free(&out);
    }
    lm_mesh_free(mesh);
}

static void check_file(const blob *file) {
    lm_error error;
    lm_report *report = lm_check_memory(file->data, file->size, NULL, &error);
    assert_non_null(report);
    check_messages(report->problems, report->num_problems);
    check_fixes(file, report);
    lm_report_free(report);
    lm_model *model = lm_load_memory(file->data, file->size, NULL, &error);
    if (model)
        check_messages(model->warnings, model->num_warnings);
    else
        check_text(error.message);
    lm_model_free(model);
}

static void check_sound(blob file) {
    lm_model *model = load_blob(&file);
    check_file(&file);
    check_losses(model);
    lm_model_free(model);
    blob_free(&file);
}

#define HEADER 256 /* bytes, at least */

/* Checks many files that are beginnings of this one, and it with each word of its header, and each
 * fifth of the rest, replaced. */
static void check_damaged(blob file) {
    static const uint32_t values[] = {0, 1, 77, 5000, 0x7fffffffu, 0xffffffffu, 0x7fc00000u};
    for (size_t size = 0; size < file.size; size += 1 + size / 64) {
        const blob cut = {file.data, size};
        check_file(&cut);
    }
    for (size_t at = 0; at + 4 <= file.size; at += at < HEADER ? 4 : 20)
        for (size_t i = 0; i < COUNT_OF(values); i++) {
            const uint32_t before = get32(&file, at);
            put32(&file, at, values[i]);
            check_file(&file);
            put32(&file, at, before);
        }
    blob_free(&file);
}

static void test_small_models(void **state) {
    random_mesh random;
    (void)state;
    USE_LANGUAGE("de");
    g_hash_table_remove_all(codes);
    check_sound(make_md2(&small_md2));
    check_sound(make_md3(&small_md3));
    check_sound(make_mdc(&small_mdc));
    check_sound(make_mdl());
    make_random_mesh(&random, 7);
    made file = make_file(&random.mesh, "md3", NULL);
    check_losses(file.model);
    free_synthetic(&file);
    free_random_mesh(&random);
    assert_true(g_hash_table_contains(codes, GINT_TO_POINTER(LM_CODE_NOT_HELD)));
}

static void test_damaged_models(void **state) {
    (void)state;
    USE_LANGUAGE("de");
    g_hash_table_remove_all(codes);
    check_damaged(make_md2(&small_md2));
    check_damaged(make_md3(&small_md3));
    check_damaged(make_mdc(&small_mdc));
    check_damaged(make_mdl());
    print_message("%u codes\n", g_hash_table_size(codes));
    assert_true(g_hash_table_size(codes) > 20);
}

static guint check_folder(const char *folder) {
    guint count = 0;
    GDir *dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR)) {
            count += check_folder(path);
        } else {
            blob file = blob_read(path);
            check_file(&file);
            blob_free(&file);
            count++;
        }
        g_free(path);
    }
    g_clear_pointer(&dir, g_dir_close);
    return count;
}

static void test_corpus(void **state) {
    (void)state;
    if (!g_getenv("LERPMESH_CORPUS"))
        SKIP("LERPMESH_CORPUS is not set");
    USE_LANGUAGE("de");
    g_hash_table_remove_all(codes);
    assert_true(check_folder(g_getenv("LERPMESH_CORPUS")) > 50);
    print_message("%u codes\n", g_hash_table_size(codes));
    assert_true(g_hash_table_size(codes) > 15);
}

/* Files that cannot be opened, and a scene with missing textures. */
static void test_files(void **state) {
    static const char *const names[] = {"",
                                        "none.md2",
                                        "samples/none.pk3",
                                        "samples/README.md",
                                        "tests/viewer",
                                        "samples/tick.pcx",
                                        "samples/tick.md2:a"};
    lm_vfs *vfs = lm_vfs_new(NULL);
    (void)state;
    USE_LANGUAGE("de");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char *path = g_build_filename(g_getenv("LERPMESH_SOURCE_DIR"), names[i], NULL);
        lm_assets *assets = lm_assets_open(vfs, path, NULL);
        assert_non_null(assets);
        assert_null(assets->scene);
        check_text(assets->error->message);
        check_messages(assets->diagnostics, assets->num_diagnostics);
        lm_assets_free(assets);
        g_free(path);
    }
    lm_vfs_free(vfs);
}

/* ---- All sentences --------------------------------------------------------------------------- */

/* Returns values for the conversions of a form, in order. */
static guint make_values(const char *form, message_piece values[MESSAGE_MAX_VALUES]) {
    guint count = 0;
    for (; *form; form++)
        if (*form == '%' && *++form != '%') {
            values[count].text = *form == 's'   ? g_strdup_printf("Ω%u", count)
                                 : *form == 'c' ? g_strdup("ß")
                                                : g_strdup_printf("%u", count + 7);
            count++;
        }
    return count;
}

/* Each sentence is found again in its message, and becomes its own translation. */
static void check_form(const message_format *format, const char *form, gboolean translated) {
    message_piece values[MESSAGE_MAX_VALUES] = {{0}}, found[MESSAGE_MAX_VALUES];
    const guint count = make_values(form, values);
    char *message = fill(form, values, count);
    const char *sentence =
        format->many ? ngettext(format->one, format->many, format->number + 7) : gettext(form);
    char *expected = fill(sentence, values, count);
    assert_int_equal(message_match(form, message, found), (int)count);
    for (guint i = 0; i < count; i++) {
        assert_string_equal(found[i].text, values[i].text);
        g_free(found[i].text);
        g_free(values[i].text);
    }
    if (translated && (sentence == format->one || sentence == format->many))
        fail_msg("no translation: %s", form);
    assert_message(message, translated ? expected : message);
    g_free(expected);
    g_free(message);
}

static void check_all_forms(const char *language, gboolean translated) {
    use_language(language);
    assert_true(message_format_count() > 400);
    for (guint i = 0; i < message_format_count(); i++) {
        const message_format *format = message_format_at(i);
        check_form(format, format->one, translated);
        if (format->many)
            check_form(format, format->many, translated);
    }
}

static void test_all_sentences(void **state) {
    (void)state;
    USE_LANGUAGE("de");
    check_all_forms("de", TRUE);
    check_all_forms("fr", TRUE);
    check_all_forms("xx", FALSE);
}

/* ---- Single messages ------------------------------------------------------------------------- */

static void test_messages(void **state) {
    (void)state;
    USE_LANGUAGE("de");
    assert_message("md2: triangle 17 uses vertex 900, but the model has 342 (byte 0x1a2c)",
                   "md2: Dreieck 17 benutzt Vertex 900, aber das Modell hat 342 (Byte 0x1a2c)");
    assert_message("md3: surface 1: 1 vertex is used by no triangle; the first is 4 (byte 0x0)",
                   "md3: Oberfläche 1: 1 Vertex wird von keinem Dreieck benutzt; der erste ist 4 "
                   "(Byte 0x0)");
    /* a name that is also a word, and one that repeats the sentence */
    assert_message("clip 3, \"frame\", plays backwards, but the game plays all frames forward",
                   "Clip 3, „frame“, läuft rückwärts, aber das Spiel spielt alle Frames vorwärts");
    assert_message(
        "surface 2 extends beyond the bounds of 1 frame, so engines may cull it; the first "
        "is frame 3",
        "Oberfläche 2 ragt über den Begrenzungsrahmen von 1 Frame hinaus, daher blenden "
        "Engines sie vielleicht aus; der erste ist Frame 3");
    assert_message("md2: skin path 0 has no folder (byte 0x44)",
                   "md2: Pfad 0 (Skin) nennt keinen Ordner (Byte 0x44)");
    assert_message("surface 0: all stored normals are the same; computed normals are used instead",
                   "Oberfläche 0: Alle gespeicherten Normalen sind gleich; stattdessen werden "
                   "berechnete Normalen benutzt");
    assert_message("texture \"the file\" not found (2 paths tried)",
                   "Textur \"the file\" nicht gefunden (2 Pfade versucht)");
    assert_message("", "");
    assert_message("quake: Something else", "quake: Something else");
    assert_message("line\n\x1b[1m", "line\\x0a\\x1b[1m");
}

/* A name made of a sentence's words does not take long, and gets some text. */
static void test_long_names(void **state) {
    GString *message = g_string_new(NULL);
    (void)state;
    use_language("de");
    for (int i = 0; i < 2000; i++)
        g_string_append(message, i % 3 ? "surface 1: line 2: " : "skin a=b: \" 7 has ");
    char *text = message_text(message->str);
    assert_true(strlen(text) > 0);
    g_free(text);
    g_string_free(message, TRUE);
}

/* Messages made of pieces of formats, for the sanitizers. */
static void test_random_messages(void **state) {
    chance random = chance_from(1);
    (void)state;
    use_language("de");
    for (int i = 0; i < 500; i++) {
        GString *message = g_string_new(NULL);
        for (uint32_t k = chance_below(&random, 6); k-- > 0;) {
            const char *form =
                message_format_at(chance_below(&random, message_format_count()))->one;
            const uint32_t start = chance_below(&random, (uint32_t)strlen(form));
            g_string_append_len(message, form + start,
                                chance_below(&random, (uint32_t)strlen(form) - start + 1));
        }
        char *text = message_text(message->str);
        assert_true(g_utf8_validate(text, -1, NULL));
        g_free(text);
        g_string_free(message, TRUE);
    }
}

static void test_translations(void **state) {
    static const message_piece values[] = {{(char *)"A", FALSE}, {(char *)"B%s", FALSE}};
    static const struct fill_case {
        const char *translation, *expected;
    } cases[] = {{"%s, %u", "A, B%s"},
                 {"%2$u %1$s %1$s", "B%s A A"},
                 {"100%% %s", "100% A"},
                 {"none", "none"},
                 {"%s %s %s", NULL},
                 {"%3$s", NULL},
                 {"%0$s", NULL},
                 {"%1s", NULL},
                 {"%1", NULL},
                 {"%", NULL},
                 {"%n", NULL},
                 {"%.3f", NULL},
                 {"%99999999999$s", NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *text = fill(cases[i].translation, values, 2);
        if (cases[i].expected)
            assert_string_equal(text, cases[i].expected);
        else
            assert_null(text);
        g_free(text);
    }
}

static void test_matches(void **state) {
    static const struct match_case {
        const char *form, *message;
        int count;
        const char *first;
    } cases[] = {{"a %u b", "a 12 b", 1, "12"},   {"a %u b", "a -12 b", 1, "-12"},
                 {"a %u b", "a x b", -1, NULL},   {"a %g", "a 1.5e+07", 1, "1.5e+07"},
                 {"a %g", "a -inf", 1, "-inf"},   {"0x%x", "0x1f", 1, "1f"},
                 {"%s: %s.", "a: b: c.", 2, "a"}, {"%s", "", 1, ""},
                 {"%c_", "l_", 1, "l"},           {"%c_", "_", -1, NULL},
                 {"50%%", "50%", 0, NULL},        {"a", "ab", -1, NULL},
                 {"ab", "a", -1, NULL},           {"%s%s%s%s%s%s%s%s%s%s%s", "a", -1, NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        message_piece values[MESSAGE_MAX_VALUES];
        const int count = message_match(cases[i].form, cases[i].message, values);
        assert_int_equal(count, cases[i].count);
        if (count > 0)
            assert_string_equal(values[0].text, cases[i].first);
        for (int k = 0; k < count; k++)
            g_free(values[k].text);
    }
}

/* Translations with other values than their sentences are not used. */
static void test_damaged_catalogue(void **state) {
    static const char po[] =
        "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
        "msgid \"triangle %u uses vertex %u, but the model has %u\"\nmsgstr \"%u %u %u %n\"\n"
        "msgid \"the model has no frames\"\nmsgstr \"100 %\"\n"
        "msgid \"the model has no triangles\"\nmsgstr \"%s\"\n"
        "msgid \"the model has no GL commands\"\nmsgstr \"gut\"\n";
    char *folder = scratch_file("locale"),
         *messages = g_build_filename(folder, "de/LC_MESSAGES", NULL),
         *source = g_build_filename(folder, "de.po", NULL),
         *catalogue = g_build_filename(messages, TEXT_DOMAIN ".mo", NULL);
    char *words[] = {(char *)"msgfmt", (char *)"-o", catalogue, source, NULL};
    (void)state;
    assert_int_equal(g_mkdir_with_parents(messages, 0700), 0);
    assert_true(g_file_set_contents(source, po, -1, NULL));
    if (!g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL))
        SKIP("msgfmt is not installed");
    use_language("de");
    bindtextdomain(TEXT_DOMAIN, folder);
    assert_message("md2: triangle 1 uses vertex 2, but the model has 3",
                   "md2: triangle 1 uses vertex 2, but the model has 3");
    assert_message("the model has no frames", "the model has no frames");
    assert_message("the model has no triangles", "the model has no triangles");
    assert_message("md2: the model has no GL commands", "md2: gut");
    g_free(catalogue), g_free(source), g_free(messages), g_free(folder);
}

/* Without a catalogue, messages stay English. */
static void test_no_catalogue(void **state) {
    (void)state;
    use_language("de");
    bindtextdomain(TEXT_DOMAIN, "/nowhere");
    assert_message("md2: the model has no frames (byte 0x28)",
                   "md2: the model has no frames (byte 0x28)");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small_models),
                                       cmocka_unit_test(test_damaged_models),
                                       cmocka_unit_test(test_files),
                                       cmocka_unit_test(test_corpus),
                                       cmocka_unit_test(test_all_sentences),
                                       cmocka_unit_test(test_messages),
                                       cmocka_unit_test(test_long_names),
                                       cmocka_unit_test(test_random_messages),
                                       cmocka_unit_test(test_translations),
                                       cmocka_unit_test(test_matches),
                                       cmocka_unit_test(test_damaged_catalogue),
                                       cmocka_unit_test(test_no_catalogue)};
    codes = g_hash_table_new(NULL, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    g_hash_table_unref(codes);
    return failed;
}
