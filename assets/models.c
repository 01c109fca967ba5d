/* The models, or files of any kind, in a folder, an archive, or matching a pattern; and the files
 * of players and weapons, by the conventions of the games. */
#include "core/options.h"
#include "core/text.h"
#include "files/file.h"
#include "sources.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lmi_model_extensions[LM_NUM_MODEL_EXTENSIONS] = {".mdc", ".md3"};

static bool has_model_extension(const char *extension) {
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS; i++)
        if (lmi_same_text(extension, lmi_model_extensions[i]))
            return true;
    return false;
}

const char *lmi_vfs_game_model(lm_vfs *vfs, const char *path, lm_arena *arena) {
    const char *extension = lmi_vfs_extension(vfs, path), *inside, *found = NULL;
    const char *name = lmi_vfs_base_name(vfs, path);
    lm_source source;
    lm_error error;
    if (!has_model_extension(extension))
        return NULL;
    if (!lmi_source_of(vfs, path, arena, &source, &inside, &error)) {
        lmi_ran_out(arena, &error);
        return NULL;
    }
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS && !found; i++) {
        const char *sibling = lmi_arena_printf(arena, "%.*s%s", (int)(extension - name), name,
                                               lmi_model_extensions[i]);
        found = sibling ? lmi_source_sibling(vfs, &source, path, sibling, arena) : NULL;
    }
    return found;
}

/* ---- The files of a folder ------------------------------------------------------------------- */

/* Finds a file in a folder of an archive whose path has `length` bytes. */
static const char *find_member(lm_vfs *vfs, const char *folder, size_t length, const char *name,
                               lm_arena *arena) {
    lm_error error;
    lm_archive *archive = lmi_vfs_archive(vfs, folder, length, &error);
    lmi_arena_out_of_memory(arena, !archive && error.code == LM_CODE_OUT_OF_MEMORY);
    const char *inside = archive ? lmi_join(arena, folder + length + 1, name) : NULL;
    const lm_member *member = inside ? lm_archive_find(archive, inside) : NULL;
    return member && member->code == LM_CODE_OK
               ? lmi_arena_printf(arena, "%.*s:%s", (int)length, folder,
                                  lmi_member_address(archive, member))
               : NULL;
}

/* The names in a folder, listed once. */
typedef struct folder_names {
    lm_listing names;
    lm_names any_case; /* of equal names, the first in byte order */
} folder_names;

static bool list_names(const lm_request *request, void *object, lm_error *error) {
    folder_names *made = object;
    lm_arena *arena = lmi_arena_of(made);
    if (!lmi_vfs_list_names(request->vfs, request->key, arena, &made->names, error))
        return false;
    made->any_case = (lm_names){.arena = arena, .any_case = true};
    for (size_t i = 0; i < made->names.count; i++)
        lmi_names_put(&made->any_case, made->names.names[i].name);
    return !lmi_arena_failed(arena) || lmi_fail_memory(error);
}

/* A folder with players or weapons. */
typedef struct listed_folder {
    lm_vfs *vfs;
    lm_arena *arena;
    const char *path;
    size_t archive;            /* length of the archive's path; 0: none */
    const folder_names *names; /* NULL: it is in an archive, or cannot be read */
} listed_folder;

static listed_folder list_folder(lm_vfs *vfs, const char *path, lm_arena *arena) {
    static const lm_opener opener = {LM_CACHED_NAMES, sizeof(folder_names), list_names, NULL};
    lm_error error = {.code = LM_CODE_OK};
    const size_t archive = lmi_vfs_archive_length(vfs, path);
    const folder_names *names =
        archive > 0 ? NULL : lmi_vfs_open_once(&opener, &(lm_request){vfs, path, NULL}, &error);
    if (archive == 0 && !names)
        lmi_ran_out(arena, &error);
    return (listed_folder){vfs, arena, path, archive, names};
}

/* Returns the path of a file of that name: the exact spelling, else the first in byte order. */
static const char *find_file(const listed_folder *f, const char *name) {
    if (f->archive > 0)
        return find_member(f->vfs, f->path, f->archive, name, f->arena);
    const lm_listing *all = f->names ? &f->names->names : NULL;
    const bool exact =
        all && all->count &&
        bsearch(&name, all->names, all->count, sizeof *all->names, lmi_compare_names);
    const lm_name *found = all && !exact ? lmi_names_find(&f->names->any_case, name) : NULL;
    name = exact ? name : found ? found->text : NULL;
    return name ? lmi_join(f->arena, f->path, name) : NULL;
}

/* ---- Players and weapons: their files -------------------------------------------------------- */

/* Adds a piece, whose file has one of the extensions. Returns whether it exists. */
static bool add_piece(const listed_folder *f, lm_pieces *pieces, const char *stem,
                      const char *const extensions[LM_NUM_MODEL_EXTENSIONS], lm_piece piece) {
    for (size_t i = 0; i < LM_NUM_MODEL_EXTENSIONS && extensions[i] && !piece.path; i++) {
        const char *name = lmi_arena_printf(f->arena, "%s%s", stem, extensions[i]);
        piece.path = name && lm_format_by_extension(name) ? find_file(f, name) : NULL;
    }
    if (piece.path || piece.name)
        pieces->list[pieces->count++] = piece;
    return piece.path;
}

static const char *const md2_files[LM_NUM_MODEL_EXTENSIONS] = {".md2"};
static const char *const mds_files[LM_NUM_MODEL_EXTENSIONS] = {".mds"};

/* The folder's path is followed by a slash, "." if it is empty. */
static size_t without_slashes(const char *path, size_t end) {
    while (end > 0 && path[end - 1] == '/')
        end--;
    return end;
}

/* Returns the last part of a folder's path, which has `end` bytes, without slashes after it. */
static const char *name_of_folder(const char *folder, size_t end, size_t *length) {
    end = without_slashes(folder, end);
    size_t begin = end;
    while (begin > 0 && folder[begin - 1] != '/' && folder[begin - 1] != ':')
        begin--;
    *length = end - begin;
    return folder + begin;
}

/* Returns whether a folder's parent has that name. */
static bool is_in(const char *folder, const char *name) {
    size_t length = 0;
    const char *own = name_of_folder(folder, strlen(folder), &length);
    const char *parent = name_of_folder(folder, (size_t)(own - folder), &length);
    return length == strlen(name) && lmi_begins_same(parent, name, length);
}

/* Finds a player. Quake II names nearly all its models tris.md2. The .skin files of a body with
 * bones decide what it wears (parts.c). */
static void find_player(const listed_folder *f, lm_pieces *pieces) {
    *pieces = (lm_pieces){.path = f->path};
    if (add_piece(f, pieces, "body", mds_files, (lm_piece){.idle = "stand_machinegun"})) {
        pieces->is_complete = pieces->is_dressed = true;
    } else if (add_piece(f, pieces, "lower", lmi_model_extensions,
                         (lm_piece){.idle = "LEGS_IDLE"})) {
        pieces->is_complete =
            add_piece(f, pieces, "upper", lmi_model_extensions,
                      (lm_piece){.name = "upper.md3", .tag = "tag_torso", .idle = "TORSO_STAND"});
        add_piece(f, pieces, "head", lmi_model_extensions,
                  (lm_piece){.name = "head.md3", .tag = "tag_head", .parent = 1});
    } else if (add_piece(f, pieces, "tris", md2_files, (lm_piece){0})) {
        pieces->is_complete =
            add_piece(f, pieces, "weapon", md2_files, (lm_piece){0}) || is_in(f->path, "players");
    }
}

/* ---- First-person weapons of Return to Castle Wolfenstein (cg_weapons.c) ----------------------
 */

/* Returns the length of v_NAME at the start of a file's name, which may go on with the name of
 * another model and an extension, and sets the kind of model. 0: no model of a weapon has this
 * name. */
static size_t weapon_length(const char *name, uint32_t *kind) {
    const size_t all = strcspn(name, ".");
    size_t length;
    *kind = lmi_weapon_kind_of(name, all, &length);
    return all > 2 && lmi_begins_same(name, "v_", 2) ? length : 0;
}

/* Adds a model of the weapon v_NAME. Returns whether its file exists. */
static bool add_kind(const listed_folder *f, lm_pieces *pieces, const char *weapon, uint32_t kind,
                     lm_piece piece) {
    const char *stem = lmi_arena_printf(f->arena, "%s%s", weapon, lmi_weapon_kinds[kind].suffix);
    piece.tag = lmi_weapon_kinds[kind].tag;
    return stem && add_piece(f, pieces, stem, lmi_model_extensions, piece);
}

/* Finds the weapon v_NAME. The game counts barrels up to the first missing file, except those of
 * the Mauser. */
static void find_weapon(const listed_folder *f, const char *weapon, lm_pieces *pieces) {
    *pieces = (lm_pieces){.path = lmi_join(f->arena, f->path, weapon)};
    if (!pieces->path ||
        !add_kind(f, pieces, weapon, LM_WEAPON_HAND, (lm_piece){.idle = "IDLE1"}) ||
        !add_kind(f, pieces, weapon, LM_WEAPON_ITSELF, (lm_piece){0})) {
        pieces->count = 0;
        return;
    }
    pieces->is_weapon = true;
    add_kind(f, pieces, weapon, LM_WEAPON_SCOPE, (lm_piece){.parent = 1});
    bool gap = false;
    for (uint32_t i = 0; i < LM_MAX_BARRELS; i++) {
        const lm_piece barrel = {.barrel = i + 1, .after_gap = gap};
        gap = !add_kind(f, pieces, weapon, LM_WEAPON_BARREL + i, barrel) || gap;
        gap = gap && !lmi_same_text(weapon, "v_mauser");
    }
    pieces->is_complete = true;
}

/* The hands in a folder. */
typedef struct hand_list {
    const listed_folder *f;
    lm_names weapons; /* v_NAME, each once */
} hand_list;

static void add_hand(hand_list *list, const char *name) {
    uint32_t kind;
    const size_t length = weapon_length(name, &kind);
    if (length == 0 || kind != LM_WEAPON_HAND || !lm_format_by_extension(name) ||
        lmi_names_find_part(&list->weapons, name, length))
        return;
    const char *weapon = lmi_arena_text(list->f->arena, name, length);
    if (weapon)
        lmi_names_put(&list->weapons, weapon);
}

static hand_list list_hands(const listed_folder *f) {
    hand_list list = {.f = f, .weapons = {.arena = f->arena, .any_case = true}};
    lm_error error;
    for (size_t i = 0; f->names && i < f->names->names.count; i++)
        add_hand(&list, f->names->names.names[i].name);
    const lm_archive *archive =
        f->archive > 0 ? lmi_vfs_archive(f->vfs, f->path, f->archive, &error) : NULL;
    const char *inside = f->archive > 0 ? f->path + f->archive + 1 : "";
    const size_t length = without_slashes(inside, strlen(inside));
    for (uint32_t i = 0; archive && i < archive->num_members; i++) {
        const char *path = archive->members[i]->path;
        const char *name = path + length + (length > 0);
        if (strlen(path) > length && lmi_begins_same(path, inside, length) &&
            (length == 0 || path[length] == '/') && !strchr(name, '/'))
            add_hand(&list, name);
    }
    return list;
}

#define LISTED_WEAPONS 4

/* Returns the names of the weapons in a list, except one; NULL: there are no others. */
static const char *name_others(const hand_list *hands, const char *weapon) {
    lm_arena *arena = hands->f->arena;
    const char *list = NULL;
    size_t count = 0;
    for (size_t i = 0; i < hands->weapons.count; i++) {
        const char *other = hands->weapons.names[i].text;
        lm_pieces pieces = {0};
        if (!lmi_same_text(other, weapon))
            find_weapon(hands->f, other, &pieces);
        if (pieces.count > 0 && count++ < LISTED_WEAPONS)
            list = list ? lmi_arena_printf(arena, "%s, %s", list, other) : other;
    }
    return list && count > LISTED_WEAPONS
               ? lmi_arena_printf(arena, "%s and %zu more", list, count - LISTED_WEAPONS)
               : list;
}

/* Finds the weapon that a folder shows first: that with its name, else the first. */
static void find_any_weapon(const listed_folder *f, lm_pieces *pieces) {
    const hand_list hands = list_hands(f);
    size_t length;
    const char *folder = name_of_folder(f->path, strlen(f->path), &length);
    for (size_t i = 0; i < 2 * hands.weapons.count && pieces->count == 0; i++) {
        const char *weapon = hands.weapons.names[i % hands.weapons.count].text;
        const bool named =
            strlen(weapon) == length + 2 && lmi_begins_same(weapon + 2, folder, length);
        if (named == (i < hands.weapons.count))
            find_weapon(f, weapon, pieces);
        if (pieces->count > 0)
            pieces->others = name_others(&hands, weapon);
    }
}

const char *lmi_other_weapons(lm_vfs *vfs, const char *folder, const char *weapon,
                              lm_arena *arena) {
    const listed_folder f = list_folder(vfs, folder, arena);
    const hand_list hands = list_hands(&f);
    return name_others(&hands, weapon);
}

/* Returns the folder of a path's last part; NULL: the root of an archive, or there is no memory. */
static const char *folder_of(lm_vfs *vfs, const char *path, lm_arena *arena) {
    const size_t length = (size_t)(lmi_vfs_base_name(vfs, path) - path);
    return length > 0 && path[length - 1] == ':' ? NULL
           : length > 0 ? lmi_arena_text(arena, path, length - (length > 1))
                        : ".";
}

/* Finds the weapon whose files begin with the first `length` bytes of a path's last part. */
static void find_named_weapon(lm_vfs *vfs, const char *path, size_t length, lm_arena *arena,
                              lm_pieces *pieces) {
    const char *folder = folder_of(vfs, path, arena);
    const char *weapon = lmi_arena_text(arena, lmi_vfs_base_name(vfs, path), length);
    *pieces = (lm_pieces){0};
    if (!folder || !weapon)
        return;
    const listed_folder f = list_folder(vfs, folder, arena);
    find_weapon(&f, weapon, pieces);
}

void lmi_pieces_find(lm_vfs *vfs, const char *path, lm_arena *arena, lm_pieces *pieces) {
    uint32_t kind;
    const char *name = lmi_vfs_base_name(vfs, path);
    const size_t length = weapon_length(name, &kind);
    *pieces = (lm_pieces){0};
    if (lmi_vfs_is_file(vfs, path))
        return;
    if (length > 0 && !name[length] && !lmi_vfs_is_folder(vfs, path))
        find_named_weapon(vfs, path, length, arena, pieces);
    if (pieces->count > 0)
        return;
    const listed_folder f = list_folder(vfs, path, arena);
    find_player(&f, pieces);
    if (pieces->count == 0)
        find_any_weapon(&f, pieces);
}

/* Returns whether a path is FOLDER/v_NAME for a weapon. */
static bool names_weapon(lm_vfs *vfs, const char *path, lm_arena *arena) {
    lm_pieces pieces;
    lmi_pieces_find(vfs, path, arena, &pieces);
    return pieces.count > 0;
}

const char *lmi_weapon_of(lm_vfs *vfs, const char *path, bool hand_only, lm_arena *arena) {
    lm_pieces pieces;
    uint32_t kind;
    const char *name = lmi_vfs_base_name(vfs, path);
    const size_t length = weapon_length(name, &kind);
    const bool hand = kind == LM_WEAPON_HAND;
    if (length == 0 || strcmp(path, "-") == 0 || (hand_only && !hand) ||
        !lm_format_by_extension(name) || (!hand && name[length] != '.'))
        return NULL;
    find_named_weapon(vfs, path, length, arena, &pieces);
    return pieces.count > 0 ? pieces.path : NULL;
}

/* ---- Players and weapons: for programs ------------------------------------------------------- */

/* Finds a player or a weapon. Returns an arena to delete, which owns the paths; NULL if there is no
 * memory. */
static lm_arena *find_pieces(lm_vfs *vfs, const char *folder, lm_pieces *pieces) {
    lm_arena *arena = lmi_arena_new(lmi_vfs_memory(vfs));
    *pieces = (lm_pieces){0};
    if (arena)
        lmi_pieces_find(vfs, folder, arena, pieces);
    return arena;
}

bool lm_vfs_find_player(lm_vfs *vfs, const char *folder, char *body, size_t size, lm_error *error) {
    if (!LM_GIVEN(error, vfs, folder))
        return false;
    lm_pieces pieces;
    lm_arena *arena = find_pieces(vfs, folder, &pieces);
    const bool failed = !arena || lmi_arena_failed(arena), found = pieces.count > 0 && !failed;
    if (found && body)
        snprintf(body, size, "%s", pieces.list[0].path);
    if (failed)
        lmi_fail_memory(error);
    else if (!found)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "this folder contains no player or weapon");
    lmi_arena_delete(arena);
    return found;
}

bool lmi_vfs_is_player_folder(lm_vfs *vfs, const char *folder) {
    lm_pieces pieces;
    lm_arena *arena = find_pieces(vfs, folder, &pieces);
    bool is = pieces.is_complete;
    lmi_arena_delete(arena);
    return is;
}

bool lmi_vfs_is_weapon(lm_vfs *vfs, const char *path, bool hand_only, lm_arena *arena) {
    lm_arena *own = lmi_arena_new(lmi_vfs_memory(vfs));
    const bool is = own && lmi_weapon_of(vfs, path, hand_only, own);
    if (arena)
        lmi_arena_out_of_memory(arena, !own || lmi_arena_failed(own));
    lmi_arena_delete(own);
    return is;
}

uint32_t lmi_weapon_files(lm_vfs *vfs, const char *path, lm_arena *arena, const char ***files) {
    lm_pieces pieces = {0};
    uint32_t kind;
    const char *name = lmi_vfs_base_name(vfs, path);
    const size_t length = strcmp(path, "-") == 0 ? 0 : weapon_length(name, &kind);
    if (length > 0 && !name[length] && !lmi_vfs_is_file(vfs, path) && !lmi_vfs_is_folder(vfs, path))
        find_named_weapon(vfs, path, length, arena, &pieces);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): the elements are pointers
    *files = lmi_arena_alloc(arena, pieces.count + (size_t)1, sizeof **files);
    for (uint32_t i = 0; *files && i < pieces.count; i++)
        (*files)[i] = pieces.list[i].path;
    return *files ? pieces.count : 0;
}

bool lmi_weapon_tag(lm_vfs *vfs, const char *path, const char *body, char *out, size_t size) {
    uint32_t kind, other;
    const char *name = lmi_vfs_base_name(vfs, path);
    const char *own = body ? lmi_vfs_base_name(vfs, body) : name;
    const size_t length = weapon_length(name, &kind);
    const bool same =
        length > 0 && weapon_length(own, &other) == length && lmi_begins_same(name, own, length) &&
        (!body || (name - path == own - body && strncmp(path, body, (size_t)(name - path)) == 0));
    if (!same || kind == LM_WEAPON_HAND || !lm_format_by_extension(name))
        return false;
    const bool by_weapon = kind == LM_WEAPON_SCOPE || kind == LM_WEAPON_FLASH;
    const uint32_t holder = by_weapon ? LM_WEAPON_ITSELF : LM_WEAPON_HAND;
    snprintf(out, size, "%.*s%s:%s", (int)length, name, lmi_weapon_kinds[holder].suffix,
             lmi_weapon_kinds[kind].tag);
    return true;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

typedef struct listing {
    lm_path_list list; /* first: the caller's view of this struct */
    lm_vfs *vfs;
    lm_arena *arena;
    bool all;     /* all files, not only models */
    bool scripts; /* compositions instead of models */
    lm_listed_path *paths;
    size_t capacity;
    uint32_t num_problems; /* which come first */
    size_t tree;           /* offset in each path of the part below the requested one */
} listing;

/* Adds a path from the arena, or NULL if there was no memory. */
static void add(listing *l, const char *path, const char *tree) {
    if (path && lmi_arena_grow(l->arena, &l->paths, &l->capacity, l->list.num_paths + (size_t)1,
                               sizeof *l->paths))
        l->paths[l->list.num_paths++] = (lm_listed_path){.path = path, .tree = tree};
}

/* Adds a path that cannot be listed, in front of the sound paths. */
static void add_problem(listing *l, const char *path, const lm_error *error) {
    lm_error *own = lmi_arena_alloc(l->arena, 1, sizeof *own);
    uint32_t last = l->list.num_paths;
    add(l, lmi_copy_text(l->arena, path), NULL);
    if (lmi_arena_failed(l->arena))
        return;
    *own = *error;
    lm_listed_path problem = l->paths[last];
    problem.problem = own;
    l->paths[last] = l->paths[l->num_problems];
    l->paths[l->num_problems++] = problem;
}

static void add_sentence(listing *l, const char *path, const char *sentence) {
    lm_error error;
    lm_fail_plain(&error, LM_CODE_IO, "%s", sentence);
    add_problem(l, path, &error);
}

/* Makes the problem that was added last a warning. */
static void mark_skipped(listing *l) {
    if (!lmi_arena_failed(l->arena))
        l->paths[l->num_problems - 1].skipped = true;
}

/* Reports "this WHAT contains no models (.md2, ...)". */
static void add_empty(listing *l, const char *path, const char *what) {
    lm_buffer sentence = {.allocator = *lmi_vfs_memory(l->vfs)};
    lm_buffer_printf(&sentence, "this %s contains no %s", what, l->all ? "files" : "models");
    for (uint32_t i = 0; !l->all && lm_format_at(i); i++)
        lm_buffer_printf(&sentence, "%s.%s", i > 0 ? ", " : " (", lm_format_at(i)->extension);
    lm_buffer_append(&sentence, l->all ? "" : ")", l->all ? 1 : 2);
    if (!lmi_arena_out_of_memory(l->arena, sentence.failed))
        add_sentence(l, path, (const char *)sentence.data);
    lm_buffer_free(&sentence);
}

/* ---- Folders ------------------------------------------------------------------------------- */

/* Reports a path that leads to neither a file nor a folder. `wanted`: a file of this name would be
 * listed. What cannot be examined may be a folder with such files. */
static void add_nothing(listing *l, const char *path, lm_path_kind kind, bool wanted) {
    const char *reason = strerror(errno);
    if (kind == LM_PATH_NOTHING && !lmi_os_is_link(path))
        add_sentence(l, path, reason);
    else if (wanted)
        add_sentence(l, path,
                     kind == LM_PATH_NOTHING ? "this link leads nowhere"
                                             : "this is a pipe, socket or device");
}

/* Does not follow links to folders, so there are no cycles. The length of a path bounds the
 * depth. */
// NOLINTNEXTLINE(misc-no-recursion)
static void walk(listing *l, const char *folder) {
    lm_error error;
    lm_listing names;
    if (!lmi_vfs_list_names(l->vfs, folder, l->arena, &names, &error)) {
        add_problem(l, folder, &error);
        return;
    }
    for (size_t i = 0; i < names.count && !lmi_arena_failed(l->arena); i++) {
        const char *name = names.names[i].name;
        const char *path = *name == '.' ? NULL : lmi_join(l->arena, folder, name);
        const bool wanted = l->all || lm_format_by_extension(name);
        if (!path)
            continue;
        errno = ENOENT; /* a view sets none */
        const lm_path_kind kind = lmi_vfs_kind(l->vfs, path);
        if (kind == LM_PATH_FOLDER && lmi_vfs_is_real_folder(l->vfs, path)) {
            walk(l, path);
        } else if (kind == LM_PATH_FOLDER) {
            add_sentence(l, path, "this link leads to a folder, and is not followed");
            mark_skipped(l);
        } else if (kind != LM_PATH_FILE) {
            add_nothing(l, path, kind, wanted);
        } else if (wanted) {
            add(l, path, path + l->tree);
        }
    }
}

/* Sorts all paths together: "a.md2" before "a/b.md2". */
static void add_folder(listing *l, const char *folder) {
    size_t length = strlen(folder);
    l->tree = length + (length > 0 && folder[length - 1] != '/');
    walk(l, folder);
    uint32_t sound = l->list.num_paths - l->num_problems;
    if (sound > 0)
        qsort(l->paths + l->num_problems, sound, sizeof *l->paths, lmi_compare_names);
    if (l->list.num_paths == 0)
        add_empty(l, folder, "folder");
}

/* ---- Scripts --------------------------------------------------------------------------------- */

/* Reports the last compositions of a script, which are not listed. */
static void add_unlisted(listing *l, const char *script, size_t count) {
    lm_error error;
    lm_fail_plain(&error, LM_CODE_LIMIT,
                  "%s out: those before name %d models, the most for one list; name %s",
                  lmi_count_words(count, "composition{ is|s are} left").text, LM_MAX_COMPOSED,
                  count == 1 ? "it" : "those that you need");
    add_problem(l, script, &error);
}

/* Adds the compositions of a script; a slash may end its path. `tree`: the offset in their paths of
 * the part below the listed one. */
static void add_compositions(listing *l, const char *script, size_t tree) {
    const size_t length = lmi_ufo_length(l->vfs, script);
    lm_error error;
    const lm_ufo_script *all =
        length > 0 ? lmi_ufo_script_of(l->vfs, script, length, &error) : NULL;
    if (length > 0 && !all)
        add_problem(l, script, &error);
    uint32_t left = LM_MAX_COMPOSED;
    for (size_t i = 0; all && i < all->num_entries && !lmi_arena_failed(l->arena); i++) {
        const uint32_t count = lmi_ufo_count(all, &all->entries[i]);
        if (count > left) {
            add_unlisted(l, script, all->num_entries - i);
            return;
        }
        left -= count;
        const char *path =
            lmi_arena_printf(l->arena, "%.*s/%s", (int)length, script, all->entries[i].name);
        add(l, path, path ? path + tree : NULL);
    }
}

/* ---- Archives ------------------------------------------------------------------------------ */

/* Returns whether a member is wanted: it is below a folder ("" is the root), or matches a
 * pattern. */
static bool is_wanted(const listing *l, const char *path, const char *folder, const char *pattern) {
    size_t length = strlen(folder);
    if (!l->all &&
        !(l->scripts ? lmi_ends_in(path, LM_UFO_EXTENSION) : lm_format_by_extension(path) != NULL))
        return false;
    if (pattern)
        return lmi_path_match(pattern, path);
    return length == 0 || (lmi_begins_same(path, folder, length) && path[length] == '/');
}

/* Returns whether a member is reported instead of listed: by its name, it cannot be read. */
static bool is_misnamed(const lm_member *member) {
    return member->code == LM_CODE_LIMIT || member->code == LM_CODE_BAD_ARCHIVE;
}

/* Adds the members below a folder or matching a pattern, first those with problems. Returns
 * whether there are any. */
static bool add_members(listing *l, const char *archive_path, const lm_archive *archive,
                        const char *folder, const char *pattern) {
    const uint32_t before = l->list.num_paths, count = archive->num_members;
    const size_t root = strlen(archive_path) + 1;
    const size_t below = root + strlen(folder) + (*folder != '\0');
    for (uint64_t i = 0; i < 2 * (uint64_t)count && !lmi_arena_failed(l->arena); i++) {
        const lm_member *member = archive->members[i % count];
        if (is_misnamed(member) != (i < count) || !is_wanted(l, member->path, folder, pattern))
            continue;
        const char *address = lmi_member_address(archive, member);
        const size_t tree = address == member->path ? below : root; /* a name may begin elsewhere */
        const char *path = lmi_arena_printf(l->arena, "%s:%s", archive_path, address);
        lm_error error;
        if (path && is_misnamed(member)) {
            lm_fail_plain(&error, member->code, "%s", member->problem);
            add_problem(l, path, &error);
            if (lmi_member_is_hidden(archive, member))
                mark_skipped(l);
        } else if (path && l->scripts) {
            add_compositions(l, path, tree);
        } else {
            add(l, path, path ? path + tree : NULL);
        }
    }
    return l->list.num_paths > before;
}

static void add_archive(listing *l, const char *path, size_t length) {
    lm_error error;
    lm_archive *archive = lmi_vfs_archive(l->vfs, path, length, &error);
    const char *inside = path[length] ? path + length + 1 : "";
    const char *pattern = lmi_path_is_pattern(inside) ? inside : NULL;
    const char *archive_path = lmi_arena_text(l->arena, path, length);
    size_t end = pattern ? 0 : strlen(inside);
    while (end > 0 && inside[end - 1] == '/')
        end--;
    const char *folder = lmi_arena_text(l->arena, inside, end);
    if (!archive_path || !folder)
        return;
    if (!archive)
        add_problem(l, archive_path, &error);
    else if (*inside && lm_archive_find(archive, inside))
        add(l, lmi_copy_text(l->arena, path), NULL);
    else if (add_members(l, archive_path, archive, folder, pattern) ||
             ((l->scripts = !l->all) && add_members(l, archive_path, archive, folder, pattern)))
        return;
    else if (!l->all && names_weapon(l->vfs, path, l->arena))
        add(l, lmi_copy_text(l->arena, path), NULL);
    else if (pattern)
        add_sentence(l, path,
                     l->all ? "no file in the archive matches this pattern"
                            : "no model in the archive matches this pattern");
    else if (*inside)
        add_sentence(l, path,
                     l->all ? "the archive has no such file or folder"
                            : "the archive has no such file, and no such folder with models");
    else
        add_empty(l, path, "archive");
}

/* ---- Players and weapons --------------------------------------------------------------------- */

/* Returns whether a file has the name of a player's file, with or without `_1` or `_2`. */
static bool is_player_file(const char *name) {
    static const char *const parts[] = {"lower", "upper", "head", "tris", "weapon", "body"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const size_t length = strlen(parts[i]);
        if (!lmi_begins_same(name, parts[i], length))
            continue;
        const char *end = name + length;
        return *end == '.' || (*end == '_' && (end[1] == '1' || end[1] == '2') && end[2] == '.');
    }
    return false;
}

/* The folder whose files are marked: the files of a folder are consecutive, so each is read once,
 * and so are the files of a weapon. */
typedef struct marking {
    listed_folder folder; /* path NULL: none yet */
    lm_pieces player, weapon;
    const char *weapon_name; /* v_NAME; NULL: none yet */
} marking;

static bool enter_folder(marking *m, listing *l, const char *path, size_t length) {
    if (m->folder.path && strlen(m->folder.path) == length &&
        strncmp(m->folder.path, path, length) == 0)
        return true;
    const char *folder = lmi_arena_text(l->arena, path, length);
    *m = (marking){0};
    if (!folder)
        return false;
    m->folder = list_folder(l->vfs, folder, l->arena);
    find_player(&m->folder, &m->player);
    return true;
}

/* Marks a file if it is one of the pieces' files. */
static void mark(lm_listed_path *listed, const lm_pieces *pieces) {
    const bool is_complete = pieces->count > 0 && pieces->is_complete;
    if (is_complete && strcmp(pieces->list[0].path, listed->path) == 0)
        listed->player = pieces->path;
    else
        listed->of_player = is_complete;
}

/* Marks the models in folders below those of players with bones, which wear them. */
static void mark_worn(listing *l, const lm_names *dressed) {
    for (uint32_t i = l->num_problems; i < l->list.num_paths && dressed->count > 0; i++) {
        const char *path = l->paths[i].path, *end = lmi_vfs_base_name(l->vfs, path);
        for (const char *at = path; at + 1 < end && !l->paths[i].of_player; at++)
            l->paths[i].of_player =
                *at == '/' && lmi_names_find_part(dressed, path, (size_t)(at - path));
    }
}

static void mark_all(listing *l) {
    marking m = {0};
    lm_names dressed = {.arena = l->arena};
    for (uint32_t i = l->num_problems; i < l->list.num_paths && !lmi_arena_failed(l->arena); i++) {
        lm_listed_path *listed = &l->paths[i];
        const char *name = lmi_vfs_base_name(l->vfs, listed->path);
        const size_t length = (size_t)(name - listed->path);
        uint32_t kind;
        const bool of_player = is_player_file(name);
        const size_t weapon = of_player ? 0 : weapon_length(name, &kind);
        if (length == 0 || (!of_player && weapon == 0) ||
            !enter_folder(&m, l, listed->path, length - 1))
            continue;
        if (weapon > 0 && (!m.weapon_name || strlen(m.weapon_name) != weapon ||
                           !lmi_begins_same(m.weapon_name, name, weapon))) {
            m.weapon_name = lmi_arena_text(l->arena, name, weapon);
            if (m.weapon_name)
                find_weapon(&m.folder, m.weapon_name, &m.weapon);
        }
        mark(listed, weapon > 0 ? &m.weapon : &m.player);
        if (listed->player && m.player.is_dressed && weapon == 0)
            lmi_names_put(&dressed, m.folder.path);
    }
    mark_worn(l, &dressed);
}

/* ---- Listing --------------------------------------------------------------------------------- */

lm_path_list *lm_vfs_list(lm_vfs *vfs, const char *path, lm_list_kind kind, lm_error *error) {
    if (!LM_GIVEN(error, vfs, path))
        return NULL;
    const bool all = kind == LM_LIST_FILES;
    listing *l = kind > LM_LIST_FILES ? NULL : lmi_object_new(lmi_vfs_memory(vfs), sizeof *l);
    if (kind > LM_LIST_FILES)
        lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "there are no lists of kind %u", (unsigned)kind);
    else if (!l)
        lmi_fail_memory(error);
    if (!l)
        return NULL;
    l->vfs = vfs;
    l->arena = lmi_arena_of(l);
    l->all = all;
    bool standard = strcmp(path, "-") == 0;
    size_t length = standard ? 0 : lmi_vfs_archive_length(vfs, path);
    const size_t script = standard || all ? 0 : lmi_ufo_length(vfs, path);
    if (script > 0) {
        /* Add the composition that a path names in a script, or all of them. `length`: of the
         * script's path. */
        if (path[script] && path[script + 1])
            add(l, lmi_copy_text(l->arena, path), NULL);
        else
            add_compositions(l, path, script + 1);
        if (l->list.num_paths == 0)
            add_sentence(l, path, "this script has neither a menu_model nor members of a team");
    } else if (length > 0)
        add_archive(l, path, length);
    else if (!standard && lmi_vfs_is_folder(vfs, path))
        add_folder(l, path);
    else if (!standard && lmi_vfs_is_archive(vfs, path))
        add_archive(l, path, strlen(path));
    else
        add(l, lmi_copy_text(l->arena, path), NULL);
    if (!all && !(length > 0 && lmi_path_is_pattern(path + length))) /* may not match a body */
        mark_all(l);
    l->list.paths = l->paths;
    l = lmi_object_end(l, true);
    if (!l)
        lmi_fail_memory(error);
    return l ? &l->list : NULL;
}

void lm_path_list_free(lm_path_list *list) {
    lmi_object_free(list);
}
