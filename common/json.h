/* The JSON writer, for programs. */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include "core/json.h"

#endif
