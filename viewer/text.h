/* The viewer's text. Every string that a user reads is here, or marked translatable in ui/.
 * po/POTFILES.in lists these files, from which gettext's xgettext makes one catalogue. It also has
 * what the libraries' codes mean. */
#ifndef VIEWER_TEXT_H
#define VIEWER_TEXT_H

#include <glib/gi18n.h>

#define TEXT_DOMAIN "lerpmesh-viewer" /* the catalogue's name */

/* ---- The program ----------------------------------------------------------------------------- */

#define TEXT_PROGRAM _("lerpmesh viewer")
#define TEXT_ABOUT _("Shows the keyframe meshes of id Software's games")
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
#define TEXT_PLAYS_ONCE _("plays once")
#define TEXT_PLAYS_BACKWARDS _("plays backwards")
#define TEXT_ALL_FRAMES _("All frames")
/* Translators: %s is a part of a player, "Legs". */
#define TEXT_ALL_FRAMES_OF _("All frames: %s")
/* Translators: a character of a game */
#define TEXT_PLAYER _("player")
#define TEXT_PARTS(count) ngettext("%u part", "%u parts", count)
#define TEXT_WITH_LEGS _("As the legs")
/* Translators: the parts of a character, and the headings and the last row of a table of them */
#define TEXT_LEGS _("Legs")
#define TEXT_TORSO _("Torso")
#define TEXT_HEAD _("Head")
#define TEXT_WEAPON _("Weapon")
#define TEXT_TOTAL _("Total")
/* Translators: a part and one of its surfaces, "Legs: l_boots" */
#define TEXT_SURFACE_OF _("%s: %s")
/* a file and a message, or what a code means and the library's sentence */
#define TEXT_MESSAGE_OF TEXT_SURFACE_OF

/* ---- Controls -------------------------------------------------------------------------------- */

#define TEXT_PLAYBACK _("Playback")
#define TEXT_MODE _("When it ends")
#define TEXT_SPEED _("Speed")
#define TEXT_SURFACE _("Surface")
#define TEXT_SHADING _("Shading")
#define TEXT_SHOW _("Show")
#define TEXT_BACKWARDS _("Backwards")
#define TEXT_INTERPOLATE _("Interpolate")
#define TEXT_INTERPOLATE_TIP _("Blend between frames")
#define TEXT_EDGES _("Edges")
#define TEXT_TWO_SIDED _("Double-sided")
#define TEXT_GRID _("Grid")
#define TEXT_AXES _("Axes")
#define TEXT_TAGS _("Tags")
#define TEXT_BOX _("Bounding box")
#define TEXT_SHADOW _("Shadow")
#define TEXT_SKELETON_SHOWN _("Skeleton")
#define TEXT_SKELETON_TIP _("Find a skeleton and show it; glTF is then exported with it")
#define TEXT_UV_MAP _("UV map")
#define TEXT_ATTACHMENTS _("Attachments")
#define TEXT_ATTACHMENTS_TIP _("Show the weapon and the head from the model's folder")
#define TEXT_GL_COMMANDS _("GL commands")
#define TEXT_GL_COMMANDS_TIP _("Draw an MD2's strips and fans instead of its triangles")

/* ---- Information ----------------------------------------------------------------------------- */

/* Translators: titles of groups and tables, and headings of columns */
#define TEXT_INFO_PARTS _("Parts")
#define TEXT_INFO_PART _("Part")
#define TEXT_INFO_FILE _("File")
#define TEXT_SURFACES _("Surfaces")
#define TEXT_INFO_SKINS _("Skins of the file")
#define TEXT_INFO_TEXTURES _("Textures")
#define TEXT_INFO_FRAMES _("Frames")
#define TEXT_INFO_DIAGNOSTICS _("Diagnostics")
#define TEXT_INFO_WARNINGS _("Warnings")
#define TEXT_INFO_CLIPS_WARNINGS _("Warnings about the clips file")
#define TEXT_COLUMN_NAME _("Name")
/* Translators: the number of a frame */
#define TEXT_FRAME_NUMBER _("No.")
#define TEXT_COLUMN_TRIANGLES _("Triangles")
#define TEXT_COLUMN_VERTICES _("Vertices")
/* Translators: vertices as drawn: those with several texture coordinates are repeated */
#define TEXT_COLUMN_DRAWN _("Drawn")
#define TEXT_COLUMN_BASE_FRAMES _("Base frames")
#define TEXT_COLUMN_COMPRESSED _("Compressed")
#define TEXT_COLUMN_MATERIALS _("Materials")
#define TEXT_COLUMN_FIRST _("First")
/* Translators: frames per second */
#define TEXT_COLUMN_FPS _("fps")
#define TEXT_COLUMN_SECONDS _("Seconds")
#define TEXT_COLUMN_IMAGE _("Image")
#define TEXT_COLUMN_SCRIPT _("Script")
/* Translators: coordinates, and the smallest and the largest ones */
#define TEXT_COLUMN_X _("x")
#define TEXT_COLUMN_Y _("y")
#define TEXT_COLUMN_Z _("z")
#define TEXT_COLUMN_MIN_X _("Min x")
#define TEXT_COLUMN_MAX_X _("Max x")
/* Translators: names of values */
#define TEXT_INFO_PATH _("Path")
#define TEXT_INFO_FORMAT _("Format")
#define TEXT_INFO_SIZE _("Size")
#define TEXT_INFO_GAME _("Game")
#define TEXT_INFO_EXTENT _("Extent")
#define TEXT_INFO_BOUNDS _("Bounds")
#define TEXT_INFO_SKIN_SIZE _("Skin size")
#define TEXT_INFO_CLIPS_FILE _("Clips from")
#define TEXT_INFO_TAGS_FILE _("Tags from")
#define TEXT_INFO_SKIN_FILE _("Skin from")
#define TEXT_INFO_SMOOTHING _("Smoothing from")
/* Translators: a format and its version, "MD2, version 8" */
#define TEXT_INFO_VERSION _("%s, version %d")
/* Translators: lengths along x, y and z */
#define TEXT_INFO_UNITS _("%.5g × %.5g × %.5g units")
/* Translators: the smallest and the largest x, y and z */
#define TEXT_INFO_BOX _("%.5g, %.5g, %.5g to %.5g, %.5g, %.5g")
#define TEXT_INFO_PIXELS _("%u × %u pixels")
#define TEXT_INFO_STRIPS(count) ngettext("%u strip", "%u strips", count)
#define TEXT_INFO_FANS(count) ngettext("%u fan", "%u fans", count)
#define TEXT_INFO_NOT_FOUND(count) \
    ngettext("not found (%u path tried)", "not found (%u paths tried)", count)
#define TEXT_INFO_NOT_DRAWN _("not drawn")
#define TEXT_INFO_EMBEDDED _("in the file")
/* Translators: a path and a line */
#define TEXT_INFO_LINE _("%s, line %u")

/* ---- Problems -------------------------------------------------------------------------------- */

#define TEXT_ERRORS(count) ngettext("%u error", "%u errors", count)
#define TEXT_WARNINGS(count) ngettext("%u warning", "%u warnings", count)
#define TEXT_NOTES(count) ngettext("%u note", "%u notes", count)
#define TEXT_ERROR _("error")
#define TEXT_WARNING _("warning")
#define TEXT_NOTE _("note")
#define TEXT_NO_PROBLEMS _("No problems found")
#define TEXT_SELECT_PROBLEM _("Select a problem to see its location.")
#define TEXT_SELECT_GROUP _("select to see all")
#define TEXT_NO_LOCATION _("This problem has no location on the model.")
/* Translators: the title of the page with the problems, and their number */
#define TEXT_PROBLEMS_COUNT _("Problems (%u)")
/* Translators: below a thumbnail */
#define TEXT_PROBLEMS_FOUND(count) ngettext("%u problem", "%u problems", count)
#define TEXT_DAMAGED _("damaged")
/* Translators: %s is an error message of OpenGL. */
#define TEXT_NO_THUMBNAILS _("There are no thumbnails: %s")

#define TEXT_RECENT_FILES _("Recent files")
/* Translators: a file's name and its folder, in the menu of recent files */
#define TEXT_RECENT_FILE _("%s – %s")
#define TEXT_ELLIPSIS "…"

/* ---- Messages -------------------------------------------------------------------------------- */

#define TEXT_NOT_A_MODEL _("\"%s\" is not a model or an archive that lerpmesh reads")
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

#define TEXT_OPEN_TITLE _("Open")
#define TEXT_OPEN _("_Open")
#define TEXT_OPEN_FOLDER_TITLE _("Open folder")
#define TEXT_CANCEL _("_Cancel")
#define TEXT_MODELS_AND_ARCHIVES _("Models and archives")
#define TEXT_ALL_FILES _("All files")
#define TEXT_GAME_FOLDER _("Game folder")
#define TEXT_SELECT _("_Select")
#define TEXT_ATTACH_TITLE _("Attach a model")
#define TEXT_ATTACH _("_Attach")
/* Translators: a model that moves with the frames of another one, instead of at a tag */
#define TEXT_NO_TAG _("None: the same frames")
/* Translators: %s is a file name. */
#define TEXT_REMOVE_MODEL _("Remove %s")
#define TEXT_EXPORT_TITLE _("Export")
#define TEXT_EXPORT _("_Export")

/* ---- Exports --------------------------------------------------------------------------------- */

#define TEXT_EXPORT_PICTURE _("Picture (PNG)")
#define TEXT_EXPORT_CLIP _("Clip (WebP)")
#define TEXT_EXPORT_TURNTABLE _("Turntable (WebP)")
#define TEXT_EXPORT_SHEET _("Sheet of all clips (PNG)")
#define TEXT_EXPORT_GLTF _("glTF (GLB)")
#define TEXT_EXPORT_OBJ _("The current pose (OBJ)")
/* Translators: the size of a file ("302 kB"), and the largest error in units of the model */
#define TEXT_MODEL_ERROR _("%s, largest error %.3g units")
#define TEXT_NO_LOSSES _("The format can store all else.")
#define TEXT_FINDING_LOSSES _("Finding out what the format cannot store…")
#define TEXT_STOPPED _("Stopped; nothing was written")
#define TEXT_COPIED _("The picture is in the clipboard")

/* ---- Edits ----------------------------------------------------------------------------------- */

/* Translators: the title of a model with unsaved changes */
#define TEXT_EDITED _("• %s")
#define TEXT_FIX _("Fix")
/* Translators: %s is a path, or a name */
#define TEXT_NAME_OF_SKIN _("Skin: %s")
#define TEXT_NAME_OF_TAG _("Tag: %s")
#define TEXT_NAME_OF_CLIP _("Clip: %s")
#define TEXT_CLIPS_OF_FILE _("A clips file defines the clips. Change them on the Clips page.")
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
#define TEXT_COPY_TWICE _("Two of the changed files have the name %s. Undo the changes of one.")
#define TEXT_REPLACE_EXISTING _("Replace the existing files?")
#define TEXT_SAVE_COPIES_TITLE _("Save copies in a folder")
#define TEXT_IN_ARCHIVE _("The model is in an archive. Save a copy instead.")

/* ---- Names for screen readers ---------------------------------------------------------------- */

#define TEXT_MODEL_VIEW _("Model")
#define TEXT_UV_VIEW _("UV map over the skin")
#define TEXT_CLIPS _("Clips")
#define TEXT_SKINS _("Skins")
#define TEXT_MODELS _("Models")
#define TEXT_SEARCH_MODELS _("Search models")
#define TEXT_PROBLEMS _("Problems")
#define TEXT_PLAY _("Play")
#define TEXT_PAUSE _("Pause")
#define TEXT_CLOSE _("Close")

#endif
