/* lerpmesh.h - all of the library lerpmesh, in the order in which you call it.
 *
 * Not here, because each is a library of its own that stands on this one:
 *     lerpmesh/assets.h   lerpmesh-assets: files, archives, pictures, skins, players; its parts are
 *                         io.h, archive.h, image.h, skin.h, script.h, texture.h
 *     lerpmesh/gl.h       lerpmesh-gl: drawing with OpenGL
 *     lerpmesh/import.h   lerpmesh-import: other programs' models (glTF) as takes
 *
 * In all of them structs go in as `const T *` and come out through a `T *` behind what goes in, so
 * that any language that can call C can call them: no function takes or returns a struct by value.
 * What a call gives to keep is freed by the lm_..._free of its kind, to which NULL may be given.
 */
#ifndef LERPMESH_LERPMESH_H
#define LERPMESH_LERPMESH_H

/* clang-format off */
#include "lerpmesh/base.h"    /* codes, errors, memory, buffers, vectors, transforms, normal tables */
#include "lerpmesh/load.h"    /* the formats; bytes to a checked model */
#include "lerpmesh/model.h"   /* what a model is */
#include "lerpmesh/check.h"   /* every problem of a file, and where everything lies in it */
#include "lerpmesh/clips.h"   /* clips, and time within them: a pose */
#include "lerpmesh/sample.h"  /* a pose to floats; tags; the change from pose to pose */
#include "lerpmesh/scene.h"   /* models that carry models, their skins and shaders, and a clock */
#include "lerpmesh/md2.h"     /* MD2 documents: read, write */
#include "lerpmesh/md3.h"     /* MD3 documents */
#include "lerpmesh/mdc.h"     /* MDC documents */
#include "lerpmesh/mdl.h"     /* MDL documents */
#include "lerpmesh/mesh.h"    /* an animation in floats, and how far two are from each other */
#include "lerpmesh/compose.h" /* a scene as one mesh, with its images */
#include "lerpmesh/encode.h"  /* a mesh as a file; the same file in fewer bytes */
#include "lerpmesh/edit.h"    /* a file changed, and every other byte as it was */
#include "lerpmesh/export.h"  /* glTF, OBJ, SVG */
/* clang-format on */

#endif
