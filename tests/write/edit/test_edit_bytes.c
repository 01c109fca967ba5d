/* Tests that an edit changes exactly its subject, in any order of lumps; every other byte stays. */
#include "edits.h"

/* In any order of lumps, an edit has the same effect and keeps the bytes between them. */
TEST(test_other_bytes_stay) {
    static const size_t gaps[] = {0, 1, 6};
    for (int format = 0; format < NUM_FORMATS; format++)
        for (size_t i = 0; i < num_edit_cases; i++) {
            if (!case_applies(&edit_cases[i], format))
                continue;
            AT_END(blob_free)
            blob file = make_small(format), made = run_edit_case(&edit_cases[i], &file);
            for (size_t order = 0; order < 14; order++)
                for (size_t g = 0; g < COUNT_OF(gaps); g++) {
                    AT_END(blob_free) blob laid = lay_out(format, &file, order, gaps[g]);
                    AT_END(blob_free) blob expected = lay_out(format, &made, order, gaps[g]);
                    AT_END(blob_free) blob found = run_edit_case(&edit_cases[i], &laid);
                    assert_same_bytes(edit_cases[i].name, &found, &expected);
                }
        }
}

/* If one of several overlapping lumps changes, they are separated. */
TEST(test_shared_bytes_are_separated) {
    AT_END(blob_free) blob file = make_md2(&small_md2);
    const size_t skins = get32(&file, MD2_AT_OFS_SKINS);
    put32(&file, MD2_AT_OFS_ST, (uint32_t)skins); /* both have the same bytes: nine pairs */
    OWNED(lm_edit) *edit = open_edit(&file);
    AT_END(blob_free) blob same = write_edit(edit);
    assert_same_bytes("shared lumps", &same, &file);
    assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "b", NULL));
    AT_END(blob_free) blob made = write_edit(edit);
    assert_memory_equal(made.data + get32(&made, MD2_AT_OFS_ST), file.data + skins, 36);
    assert_memory_equal(made.data + get32(&made, MD2_AT_OFS_SKINS), "b\0\0", 3);
}

TEST(test_real_files_are_unchanged) {
    each_model(write_unchanged);
}

/* In a real file a new path changes only its own field, and the same path changes nothing. */
static void change_a_path(const char *path, const blob *file) {
    OWNED(lm_edit) *edit = open_edit(file);
    lm_error error;
    char name[LM_EDIT_NAME_SIZE];
    if (lm_edit_name(edit, LM_EDIT_SKINS, 0, 0, name)) {
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, name, &error));
        blob same = write_edit(edit);
        assert_same_bytes(path, &same, file);
        blob_free(&same);
        assert_true(lm_edit_rename(edit, LM_EDIT_SKINS, 0, 0, "~~", &error));
        AT_END(blob_free) blob made = write_edit(edit);
        size_t first = 0, last = file->size;
        assert_int_equal(made.size, file->size);
        while (made.data[first] == file->data[first])
            first++;
        while (made.data[last - 1] == file->data[last - 1])
            last--;
        assert_true(last - first <= 64);
        assert_memory_equal(made.data + first, "~~", 3);
    }
}

TEST(test_a_path_touches_its_field) {
    each_model(change_a_path);
}

/* Changes that a program makes in the document itself are written too. */
TEST(test_the_document_may_be_changed) {
    AT_END(blob_free) blob plain = make_md3(&small_md3), file = lay_out(MD3, &plain, 3, 5);
    OWNED(lm_edit) *edit = open_edit(&file);
    lm_md3 *md3 = lm_edit_document(edit);
    md3->flags = 0x11223344;
    AT_END(blob_free) blob made = write_edit(edit);
    assert_int_equal(get32(&made, MD3_AT_FLAGS), 0x11223344);
    put32(&made, MD3_AT_FLAGS, get32(&file, MD3_AT_FLAGS));
    assert_same_bytes("flags", &made, &file);
    lm_md3_surface surfaces[3] = {md3->surfaces[0], md3->surfaces[1], md3->surfaces[0]};
    for (int32_t count = 1; count <= 3; count += 2) {
        md3->surfaces = surfaces;
        md3->num_surfaces = count;
        AT_END(blob_free) blob other = write_edit(edit);
        OWNED(lm_md3) *again = lm_md3_read(other.data, other.size, NULL, NULL);
        assert_true(lm_md3_equal(again, md3));
    }
}

TEST(test_full_output_buffer) {
    for (int format = 0; format < NUM_FORMATS; format++) {
        AT_END(blob_free) blob file = make_small(format);
        OWNED(lm_edit) *edit = open_edit(&file);
        lm_error error = {0};
        AT_END(lm_buffer_free) lm_buffer out = {.max_size = file.size + 2};
        lm_buffer_text(&out, "abc");
        assert_false(lm_edit_write(edit, &out, &error));
        assert_int_equal(error.code, LM_CODE_LIMIT);
        assert_int_equal(out.size, 3);
        assert_false(out.failed);
        out.max_size++;
        assert_true(lm_edit_write(edit, &out, &error));
        assert_memory_equal(out.data + 3, file.data, file.size);
    }
}
