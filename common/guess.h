/* The nearest of several words, for programs. */
#ifndef COMMON_GUESS_H
#define COMMON_GUESS_H

#include "core/guess.h"

#endif
