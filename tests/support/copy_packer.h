/* A packer that copies its input, or fails from the n-th call on. */
#ifndef COPY_PACKER_H
#define COPY_PACKER_H

#include "lerpmesh/export.h"

extern const lm_gltf_packer copy_packer;
extern int copy_packer_calls; /* that may still succeed */

#endif
