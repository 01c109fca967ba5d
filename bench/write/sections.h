/* The parts of the writing benchmark. */
#ifndef BENCH_WRITE_SECTIONS_H
#define BENCH_WRITE_SECTIONS_H

#include "truths.h"

/* Each prints a table; `listed`: with a row for every model. Return false if an encoder failed. */
bool write_md2(const truths *all, bool listed);
bool write_mdc(const truths *all, bool listed);
bool write_md3(const truths *all, bool listed);
bool write_skeletons(const truths *all, bool listed);
bool write_speed(const truths *all, bool listed);

#endif
