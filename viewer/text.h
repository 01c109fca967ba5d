/* The viewer's text. Every string that a user reads is marked by _() where it is used, or is
 * translatable in ui/. Those of several places, with plural forms or with a note for translators
 * are here. po/POTFILES.in lists these files, from which gettext's xgettext makes one catalogue. It
 * also has what the libraries' codes mean. */
#ifndef VIEWER_TEXT_H
#define VIEWER_TEXT_H

#include <glib/gi18n.h>

#define TEXT_DOMAIN "lerpmesh-viewer" /* the catalogue's name */

/* ---- The program ----------------------------------------------------------------------------- */

#define TEXT_PROGRAM _("lerpmesh viewer")
/* Translators: WAYLAND_DISPLAY, DISPLAY and the command stay as they are. */
#define TEXT_NO_DISPLAY                                                                      \
    _("cannot open a display: neither WAYLAND_DISPLAY nor DISPLAY names one that responds. " \
      "`lerpmesh render` needs no display.")
#define TEXT_OPTION_GAME \
    _("Also search this folder or archive for textures; may be given several times")
#define TEXT_OPTION_VERSION _("Print the version")
#define TEXT_DIR _("DIR")
#define TEXT_FILES _("[FILE…]")
/* Translators: %s is a list of formats, "MDL, MD2 and MD3". FILE and ARCHIVE:PATH are arguments. */
#define TEXT_SUMMARY                                       \
    _("Shows %s models, also from PAK and PK3 archives.\n" \
      "FILE is a model, an archive, a folder, or ARCHIVE:PATH.")
/* Translators: %s is a list of formats, "MDL, MD2, MD3". */
#define TEXT_FORMATS _("%s, PAK, PK3, zip")
/* Translators: before the last element of a list */
#define TEXT_AND _(" and ")

/* ---- Facts ----------------------------------------------------------------------------------- */

#define TEXT_SEPARATOR " · " /* between facts: "12 frames · 10 fps · plays once" */
#define TEXT_FRAMES(count) ngettext("%u frame", "%u frames", count)
#define TEXT_TRIANGLES(count) ngettext("%u triangle", "%u triangles", count)
/* Translators: frames per second of a clip */
#define TEXT_FPS _("%g fps")
/* Translators: %s is a part of a player, "Legs". */
#define TEXT_ALL_FRAMES_OF _("All frames: %s")
/* Translators: a character of a game */
#define TEXT_PLAYER _("player")
/* Translators: a weapon of a game, held by its player */
#define TEXT_WEAPON _("weapon")
#define TEXT_PARTS(count) ngettext("%u part", "%u parts", count)
/* Translators: the parts of a character, and the headings and the last row of a table of them */
#define TEXT_LEGS _("Legs")
#define TEXT_TORSO _("Torso")
/* Translators: a part and one of its surfaces, "Legs: l_boots" */
#define TEXT_SURFACE_OF _("%s: %s")
/* a file and a message, or what a code means and the library's sentence */
#define TEXT_MESSAGE_OF TEXT_SURFACE_OF

/* ---- Controls -------------------------------------------------------------------------------- */

#define TEXT_TAGS _("Tags")
#define TEXT_GL_COMMANDS _("GL commands")

/* ---- Information ----------------------------------------------------------------------------- */

/* Translators: titles of groups and tables, and headings of columns */
#define TEXT_INFO_PARTS _("Parts")
#define TEXT_SURFACES _("Surfaces")
#define TEXT_INFO_FRAMES _("Frames")
#define TEXT_COLUMN_NAME _("Name")
/* Translators: the number of a frame */
#define TEXT_FRAME_NUMBER _("No.")
#define TEXT_COLUMN_TRIANGLES _("Triangles")
#define TEXT_COLUMN_VERTICES _("Vertices")
/* Translators: vertices as drawn: those with several texture coordinates are repeated */
#define TEXT_COLUMN_DRAWN _("Drawn")
#define TEXT_COLUMN_MATERIALS _("Materials")
/* Translators: frames per second */
#define TEXT_COLUMN_FPS _("fps")
/* Translators: coordinates, and the smallest and the largest ones */
#define TEXT_COLUMN_X _("x")
#define TEXT_COLUMN_Y _("y")
#define TEXT_COLUMN_Z _("z")
/* Translators: names of values */
#define TEXT_INFO_PATH _("Path")
/* Translators: a format and its version, "MD2, version 8" */
#define TEXT_INFO_VERSION _("%s, version %d")
/* Translators: lengths along x, y and z */
#define TEXT_INFO_UNITS _("%.5g × %.5g × %.5g units")
/* Translators: the smallest and the largest x, y and z */
#define TEXT_INFO_BOX _("%.5g, %.5g, %.5g to %.5g, %.5g, %.5g")
#define TEXT_INFO_STRIPS(count) ngettext("%u strip", "%u strips", count)
#define TEXT_INFO_FANS(count) ngettext("%u fan", "%u fans", count)
#define TEXT_INFO_NOT_FOUND(count) \
    ngettext("not found (%u path tried)", "not found (%u paths tried)", count)
/* Translators: a path and a line */
#define TEXT_INFO_LINE _("%s, line %u")

/* ---- Problems -------------------------------------------------------------------------------- */

#define TEXT_ERRORS(count) ngettext("%u error", "%u errors", count)
#define TEXT_WARNINGS(count) ngettext("%u warning", "%u warnings", count)
#define TEXT_NOTES(count) ngettext("%u note", "%u notes", count)
#define TEXT_NO_PROBLEMS _("No problems found")
/* Translators: the title of the page with the problems, and their number */
#define TEXT_PROBLEMS_COUNT _("Problems (%u)")
/* Translators: below a thumbnail */
#define TEXT_PROBLEMS_FOUND(count) ngettext("%u problem", "%u problems", count)
#define TEXT_DAMAGED _("damaged")
/* Translators: %s is an error message of OpenGL. */
#define TEXT_NO_THUMBNAILS _("There are no thumbnails: %s")

/* Translators: a file's name and its folder, in the menu of recent files */
#define TEXT_RECENT_FILE _("%s – %s")
#define TEXT_ELLIPSIS "…"

/* ---- Messages -------------------------------------------------------------------------------- */

/* Translators: %s is a folder or an archive. */
#define TEXT_NO_MODELS _("\"%s\" contains no models that can be read")
/* Translators: the file's name, the frames that are undamaged, all frames */
#define TEXT_CUT_OFF(count)                                    \
    ngettext("\"%s\" is cut off: %u of %u frame can be shown", \
             "\"%s\" is cut off: %u of %u frames can be shown", count)
#define TEXT_TEXTURE_NOT_FOUND(count)                    \
    ngettext("Texture \"%s\" not found (%u path tried)", \
             "Texture \"%s\" not found (%u paths tried)", count)
#define TEXT_TEXTURES_NOT_FOUND(count) \
    ngettext("%u texture not found", "%u textures not found", count)
/* Translators: of the models of a folder or an archive */
#define TEXT_UNREADABLE(count)                                    \
    ngettext("%u model cannot be read; it is marked in the list", \
             "%u models cannot be read; they are marked in the list", count)
#define TEXT_MODEL_COUNT(count) ngettext("%u model", "%u models", count)
/* Translators: those that match a search, and all */
#define TEXT_MODELS_SHOWN(count) ngettext("%u of %u model", "%u of %u models", count)
#define TEXT_OUT_OF_MEMORY _("out of memory")
#define TEXT_NO_IMAGE _("No model is drawn yet")
/* Translators: joints, and the error in units of the model */
#define TEXT_SKELETON(joints)                                                                     \
    ngettext("Skeleton of %u joint; error %.3g units", "Skeleton of %u joints; error %.3g units", \
             joints)
#define TEXT_NO_SKELETON _("No skeleton: %s")
#define TEXT_SKELETON_WARNING _("Skeleton: %s")
/* Translators: %s is the path of the new file. */
#define TEXT_SAVED _("Saved %s")

/* ---- File dialogs ---------------------------------------------------------------------------- */

#define TEXT_OPEN _("_Open")
#define TEXT_CANCEL _("_Cancel")
/* Translators: a model that moves with the frames of another one, instead of at a tag */
#define TEXT_NO_TAG _("None: the same frames")
/* Translators: %s is a file name. */
#define TEXT_REMOVE_MODEL _("Remove %s")

/* ---- Exports --------------------------------------------------------------------------------- */

/* Translators: the size of a file ("302 kB"), and the largest error in units of the model */
#define TEXT_MODEL_ERROR _("%s, largest error %.3g units")
#define TEXT_STOPPED _("Stopped; nothing was written")

/* ---- Edits ----------------------------------------------------------------------------------- */

/* Translators: the title of a model with unsaved changes */
#define TEXT_EDITED _("• %s")
#define TEXT_FIX _("Fix")
/* Translators: %s is a path, or a name */
#define TEXT_NAME_OF_SKIN _("Skin: %s")
#define TEXT_CLIP_NOT_EDITABLE _("Select a clip with a name of its own to edit it.")
/* Translators: %s is the name of a clip. Its frames have different durations. */
#define TEXT_CLIP_HAS_TIMES \
    _("The clip %s has a time for each frame, which a clips file cannot store.")
#define TEXT_NOT_EDITABLE _("Another model is opening. Edit it when it is shown.")
#define TEXT_SAVE_COPY_TITLE _("Save copy")
#define TEXT_SAVE _("_Save")
#define TEXT_SAVE_COPY _("_Save copy…")
#define TEXT_DISCARD _("_Discard")
#define TEXT_UNSAVED _("Save a copy with the changes?")
#define TEXT_REPLACE_QUESTION _("Replace the original file?")
#define TEXT_REPLACE _("_Replace")
#define TEXT_COPY_IS_ORIGINAL _("That is the original file. Choose another name for the copy.")
#define TEXT_ORIGINAL_CHANGED \
    _("Another program has changed the original file. Save a copy instead.")
/* Translators: %s is the name of a file, "animation.cfg". */
#define TEXT_COPY_REPLACES _("The copy would replace the original %s. Choose another folder.")

/* ---- Names for screen readers ---------------------------------------------------------------- */

#define TEXT_MODEL_VIEW _("Model")
#define TEXT_CLIPS _("Clips")
#define TEXT_SKINS _("Skins")
#define TEXT_MODELS _("Models")
#define TEXT_PROBLEMS _("Problems")

#endif
