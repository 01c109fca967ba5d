/* Exports: the files that are made from a document. */
#ifndef VIEWER_EXPORTS_H
#define VIEWER_EXPORTS_H

#include "document.h"
#include "lerpmesh/gl.h"

typedef enum export_kind {
    EXPORT_PICTURE,   /* PNG. The stage draws it, not export_write. */
    EXPORT_CLIP,      /* the clip as animated WebP */
    EXPORT_TURNTABLE, /* the pose from all sides, as animated WebP */
    EXPORT_SHEET,     /* PNG: the first, middle and last frame of each clip, with labels */
    EXPORT_GLTF,
    EXPORT_OBJ,
    EXPORT_IQM,
    EXPORT_MODEL /* in a format of a game */
} export_kind;

/* Options. Each kind ignores those of other kinds. */
typedef struct export_options {
    export_kind kind;
    const lm_format_info *format; /* of EXPORT_MODEL */
    uint32_t width, height;       /* of each image, in pixels */
    bool transparent;             /* images: without a backdrop and a shadow */
    uint32_t images;              /* of a turntable, for a full turn */
    double rate;                  /* of a turntable, in images per second */
    bool with_skeleton;       /* glTF and images: with the skeletons of document_set_skeletons */
    uint32_t clip;            /* index of the clip that is shown */
    const char *torso;        /* images: as document_pose takes it; the document owns it */
    lm_playback play;         /* its current time */
    float azimuth, elevation; /* of the camera, in degrees */
    bool eye;                 /* the camera is at the player's eye; not for a turntable */
    lm_gl_shade shade;        /* of images */
    unsigned show;            /* of images: LM_GL_SHOW_ flags */
    char *more; /* glTF, OBJ and models: options as the command takes them; NULL: none */
} export_options;

/* The state that an export shares with the window. */
typedef struct export_progress {
    gint permille; /* of the work */
    gint stopped;  /* the window sets it to end the export */
} export_progress;

/* Returns the extension of the files of a kind, without a dot. */
const char *export_extension(const export_options *options);
/* Returns whether the file is an image, with a size. */
bool export_has_size(const export_options *options);

/* Writes the file, and the images and materials that it refers to into the same folder. Does not
 * replace these if they differ. May be called from any thread, with a context of its own for
 * images. Returns NULL, or a message to free; after `stopped`, nothing is written. */
char *export_write(document *d, const export_options *options, const char *path,
                   export_progress *progress);

/* Encodes a model without writing it. Returns its size, its error and what the format loses, one
 * line each, or the reason why the format cannot hold it. Free it. May be called from any thread.
 * `possible` is set to whether it can be written. */
char *export_losses(document *d, const export_options *options, bool *possible);

#endif
