/* lerpmesh.h - all of the library, in the order in which you call it. */
#ifndef LERPMESH_LERPMESH_H
#define LERPMESH_LERPMESH_H

#include "lerpmesh/archive.h" /* PAK and PK3 */
#include "lerpmesh/base.h"    /* codes, errors, memory, buffers */
#include "lerpmesh/check.h"   /* every problem of a file */
#include "lerpmesh/clips.h"   /* clips, and time within them */
#include "lerpmesh/export.h"  /* glTF, OBJ, SVG */
#include "lerpmesh/format.h"  /* which formats there are, and what each can */
#include "lerpmesh/image.h"   /* pictures: PCX, PNG, JPEG, TGA; palettes */
#include "lerpmesh/io.h"      /* files */
#include "lerpmesh/json.h"    /* the JSON writer */
#include "lerpmesh/layout.h"  /* where everything lies in a file */
#include "lerpmesh/load.h"    /* bytes to a checked model */
#include "lerpmesh/md2.h"     /* MD2 documents: read, edit, write */
#include "lerpmesh/md3.h"     /* MD3 documents */
#include "lerpmesh/mdc.h"     /* MDC documents */
#include "lerpmesh/model.h"   /* what a model is */
#include "lerpmesh/normals.h" /* the normal tables, and nearest entries */
#include "lerpmesh/sample.h"  /* a pose to floats */
#include "lerpmesh/scene.h"   /* models that carry models, and their skins */
#include "lerpmesh/skin.h"    /* .skin files */
#include "lerpmesh/texture.h" /* where a model's textures are */

#endif
