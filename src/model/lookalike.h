#ifndef LM_MODEL_LOOKALIKE_H
#define LM_MODEL_LOOKALIKE_H

#include <stddef.h>

/* Returns the name of a file of another program that is easily mistaken for a model of a supported
 * format ("MDL model of Half-Life (skeletal)"); NULL if it is none. */
const char *lmi_lookalike_name(const void *data, size_t size);

#endif
