/* The parts of the benchmark of what is written. */
#ifndef BENCH_WRITE_SECTIONS_H
#define BENCH_WRITE_SECTIONS_H

#include "truths.h"

/* Each prints a table; `listed`: of every model too. False if an encoder failed. */
bool write_md2(const truths *all, bool listed);
bool write_mdc(const truths *all, bool listed);
bool write_md3(const truths *all, bool listed);
bool write_speed(const truths *all, bool listed);

#endif
