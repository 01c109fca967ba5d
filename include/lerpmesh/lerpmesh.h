/* lerpmesh.h - the libraries lerpmesh and lerpmesh-write, in the order in which programs call them.
 *
 * The other libraries have headers of their own:
 *     lerpmesh/assets.h   lerpmesh-assets: models with their skins and clips, by path; it includes
 *                         files.h (files, folders, archives) and image.h (decoding images)
 *     lerpmesh/gl.h       lerpmesh-gl: drawing with OpenGL
 *     lerpmesh/import.h   lerpmesh-import: animated models of other programs (glTF, FBX, ...) as
 *                         meshes
 *     lerpmesh/convert.h  lerpmesh-convert: all of it in one call, with the options of the command
 *
 * In all of them, structs are passed as `const T *` and returned through a `T *` after the inputs.
 * No function takes or returns a struct by value, so any language that can call C can call them.
 * Free an object with the lm_..._free of its type. Each of these functions accepts NULL. */
#ifndef LERPMESH_LERPMESH_H
#define LERPMESH_LERPMESH_H

/* clang-format off */
#include "lerpmesh/base.h"    /* codes, errors, memory, buffers, vectors, transforms, normal tables */
#include "lerpmesh/load.h"    /* the formats; reading a file's bytes into a validated model */
#include "lerpmesh/model.h"   /* the model */
#include "lerpmesh/check.h"   /* all problems of a file, and its layout */
#include "lerpmesh/clips.h"   /* clips, and the pose at a time within a clip */
#include "lerpmesh/sample.h"  /* vertices and tags of a pose; cross-fades between poses */
#include "lerpmesh/scene.h"   /* models attached to each other, with skins, shaders and a clock */
#include "lerpmesh/md2.h"     /* MD2 documents: reading, writing */
#include "lerpmesh/md3.h"     /* MD3 documents */
#include "lerpmesh/mdc.h"     /* MDC documents */
#include "lerpmesh/mds.h"     /* MDS documents */
#include "lerpmesh/mdl.h"     /* MDL documents */
#include "lerpmesh/mesh.h"    /* animated meshes in floats: making, changing, comparing */
#include "lerpmesh/skeleton.h" /* a skeleton for a mesh that never had one */
#include "lerpmesh/compose.h" /* scenes as one mesh, with its images */
#include "lerpmesh/encode.h"  /* encoding a mesh as a file; optimizing a file */
#include "lerpmesh/edit.h"    /* changing a file without encoding it again */
#include "lerpmesh/export.h"  /* exporting glTF, OBJ, SVG */
/* clang-format on */

#endif
