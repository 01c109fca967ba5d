/* Tests the window in German: no label of damaged models has English words, except the libraries'
 * sentences. These follow the meanings of their codes. */

#include "display_text.h"
#include "skipping.h"
#include "text.h"
#include "viewer_support.h"

#include <locale.h>

/* Chooses a language of the build's catalogues. Returns false if they were not built. */
static bool use_language(const char *language) {
    g_autofree char *folder = g_build_filename(g_getenv("LERPMESH_BUILD_DIR"), "locale", NULL);
    const bool built = g_file_test(folder, G_FILE_TEST_IS_DIR);
    g_setenv("LANGUAGE", language, TRUE);
    setlocale(LC_ALL, "de_DE.UTF-8"); /* of tests/CMakeLists.txt */
    bindtextdomain(TEXT_DOMAIN, folder);
    bind_textdomain_codeset(TEXT_DOMAIN, "UTF-8");
    textdomain(TEXT_DOMAIN);
    return built;
}

#define USE_LANGUAGE(language)                 \
    do {                                       \
        if (!use_language(language))           \
            SKIP("there are no translations"); \
    } while (0)

/* Returns whether a text contains a word that only English has. */
static bool is_english(const char *text) {
    static const char *const words[] = {" the ",  " has ", " have ",   " is ",     " are ",
                                        " but ",  " of ",  " and ",    " no ",     " not ",
                                        " uses ", " its ", " file ",   " first ",  " model ",
                                        " with ", " ends", " frames ", " cannot ", " there "};
    char *spaced = g_strconcat(" ", text, " ", NULL);
    bool found = false;
    if (!strchr(text, ' ')) /* a name */
        *spaced = '\0';
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        found = found || strstr(spaced, words[i]);
    g_free(spaced);
    return found;
}

/* ---- Codes --------------------------------------------------------------------------------- */

static void expect_message(lm_code code, const char *sentence, const char *expected) {
    g_autofree char *text = display_message(code, sentence);
    assert_string_equal(text, expected);
}

/* Each code has a meaning in each language, which precedes the library's sentence. */
TEST(test_codes) {
    static const char *const languages[] = {"de", "fr"};
    for (size_t i = 0; i < G_N_ELEMENTS(languages); i++) {
        USE_LANGUAGE(languages[i]);
        for (lm_code code = LM_CODE_OK + 1; code < LM_NUM_CODES; code++) {
            if (!display_meaning(code))
                fail_msg("%s: %s has no translation", languages[i], lm_code_name(code));
            assert_false(is_english(display_meaning(code)));
        }
        assert_null(display_meaning(LM_CODE_OK));
    }
    expect_message(LM_CODE_BAD_ARCHIVE, "the archive is\n1",
                   "le répertoire d’un PAK ou PK3 est incohérent : the archive is\\x0a1");
    expect_message(LM_CODE_OK, "sans code", "sans code");
    use_language("xx");
    assert_null(display_meaning(LM_CODE_BAD_ARCHIVE));
    expect_message(LM_CODE_BAD_ARCHIVE, "the archive is damaged", "the archive is damaged");
}

/* ---- The window ---------------------------------------------------------------------------- */

/* A library's sentence may follow the meaning of its code. The note about a texture has no code. */
static void expect_german(const char *text) {
    bool explained = !is_english(text) || g_str_has_prefix(text, "texture \"");
    for (lm_code code = LM_CODE_OK + 1; code < LM_NUM_CODES && !explained; code++) {
        g_autofree char *start = g_strconcat(display_meaning(code), ": ", NULL);
        explained = g_str_has_prefix(text, start);
    }
    if (!explained)
        fail_msg("\"%s\" is English", text);
}

/* The banner's details are a library's sentence, and so are the first lines of a row's detail. */
static void check_label(GtkWidget *label) {
    const char *text = gtk_label_get_text(GTK_LABEL(label)), *end = strrchr(text, '\n');
    if (g_strcmp0(gtk_buildable_get_buildable_id(GTK_BUILDABLE(label)), "banner_details") != 0)
        expect_german(gtk_widget_has_css_class(label, "caption") && end ? end : text);
}

/* The tooltip of a fix is a library's sentence. */
static void check_tooltip(GtkWidget *widget) {
    const char *text = gtk_widget_get_tooltip_text(widget);
    const char *label = GTK_IS_BUTTON(widget) ? gtk_button_get_label(GTK_BUTTON(widget)) : NULL;
    if (text && g_strcmp0(label, TEXT_FIX) != 0)
        expect_german(text);
}

/* Returns the number of labels. */
// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
static guint check_labels(GtkWidget *root) {
    guint count = GTK_IS_LABEL(root) ? 1 : 0;
    if (count)
        check_label(root);
    check_tooltip(root);
    for (GtkWidget *child = gtk_widget_get_first_child(root); child;
         child = gtk_widget_get_next_sibling(child))
        count += check_labels(child);
    return count;
}

/* Opens a file, with repairs if it needs them, and checks a page of the side panel. */
static void check_path(ViewerWindow *window, const char *path, const char *page) {
    open_path(window, path);
    if (error_is_shown(window))
        expect_german(error_text(window));
    if (is_enabled(window, "win.open-repaired"))
        act(window, "win.open-repaired");
    set(window, "page", page);
    assert_true(check_labels(GTK_WIDGET(window)) > 20);
}

TEST(test_damaged_files) {
    static const gsize sizes[] = {0, 60, 2000, 30000};
    g_autofree char *tick = source_file("samples/tick.md2"), *bytes = NULL,
                    *none = source_file("none.md2"), *page = source_file("README.md"),
                    *folder = source_file("tests/viewer");
    USE_LANGUAGE("de");
    OWNED(ViewerWindow) *window = open_window(640, 480);
    assert_true(g_file_get_contents(tick, &bytes, NULL, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_autofree char *cut = scratch_file("german/cut.md2");
        assert_true(g_file_set_contents(cut, bytes, (gssize)sizes[i], NULL));
        check_path(window, cut, "'info'");
        check_path(window, cut, "'problems'");
    }
    check_path(window, none, "'problems'");
    check_path(window, page, "'problems'");
    check_path(window, folder, "'problems'");
}

/* ---- Small windows --------------------------------------------------------------------------- */

// NOLINTNEXTLINE(misc-no-recursion): as deep as widgets are nested
static bool fits_across(GtkWidget *widget) {
    GtkScrolledWindow *scrolled =
        GTK_IS_SCROLLED_WINDOW(widget) ? GTK_SCROLLED_WINDOW(widget) : NULL;
    GtkAdjustment *across = scrolled ? gtk_scrolled_window_get_hadjustment(scrolled) : NULL;
    bool fits = !across || !gtk_widget_get_mapped(widget) ||
                gtk_adjustment_get_upper(across) <= gtk_adjustment_get_page_size(across);
    for (GtkWidget *child = gtk_widget_get_first_child(widget); child && fits;
         child = gtk_widget_get_next_sibling(child))
        fits = fits_across(child);
    return fits;
}

/* At 640 x 480, the tabs end before both edges of the panel, and no page scrolls sideways, in any
 * language and with a number of problems. */
TEST(test_small_window) {
    static const char *const languages[] = {"fr", "de", "en"}, *const names[] = {
                                                                   "samples/models/players/tick",
                                                                   "samples/tick_head.mdc"};
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR | G_LOG_LEVEL_WARNING);
    for (size_t i = 0; i < G_N_ELEMENTS(languages) * G_N_ELEMENTS(names); i++) {
        const char *language = languages[i / G_N_ELEMENTS(names)];
        USE_LANGUAGE(language);
        OWNED(ViewerWindow) *window = open_window(640, 480);
        g_autofree char *path = source_file(names[i % G_N_ELEMENTS(names)]),
                        *title = g_strdup_printf(TEXT_PROBLEMS_COUNT, 10u),
                        *name = g_strdup_printf("window-small-%s-%zu", language, i);
        open_path(window, path);
        set(window, "sidebar", "true");
        set(window, "page", "'info'");
        GtkStack *pages = GTK_STACK(widget(window, "pages"));
        gtk_stack_page_set_title(gtk_stack_get_page(pages, widget(window, "problem_page")), title);
        g_free(take_window_screenshot(window, name).pixels);
        GtkWidget *panel = widget(window, "sidebar"), *tabs = gtk_widget_get_first_child(panel);
        graphene_rect_t bounds;
        assert_true(gtk_widget_compute_bounds(tabs, panel, &bounds));
        assert_true(bounds.origin.x >= 6 &&
                    bounds.origin.x + bounds.size.width <= (float)gtk_widget_get_width(panel) - 6);
        assert_in_range(gtk_widget_get_width(panel), 320, 360);
        assert_true(fits_across(panel));
    }
    g_log_set_always_fatal(G_LOG_LEVEL_ERROR);
    use_language("de");
}

TEST_GROUP(start_viewer, end_viewer)

int main(void) {
    use_language("de"); /* before GTK reads it */
    return run_test_list();
}
