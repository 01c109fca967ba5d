#ifndef WEB_GRAPHICS_H
#define WEB_GRAPHICS_H

#include "web.h"

/* Implements lm_gl_options.get_proc for the context that JavaScript has made current. */
void *web_get_proc(void *user, const char *name);

#endif
