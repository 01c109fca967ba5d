/* Where the games would look for the files of a model. */
#ifndef LM_ASSETS_PLACES_H
#define LM_ASSETS_PLACES_H

#include "settings.h"

/* The places of a model. False for want of memory. */
bool lm_places_open(lm_context *c, const lm_settings *settings, const char *path,
                    lm_places *places);

#endif
