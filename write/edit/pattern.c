/* Compiles a pattern to steps, and runs all its possible matches at once, byte by byte. Each thread
 * records the positions of groups (K. Thompson, "Regular Expression Search Algorithm", 1968). So no
 * pattern takes long on any name. */
#include "edit/editing.h"

#include "core/report.h"
#include "core/text.h"

#include <string.h>

enum {
    STEP_BYTE,  /* this byte */
    STEP_ANY,   /* any byte */
    STEP_CLASS, /* a byte of the class */
    STEP_BEGIN, /* at the start of the name */
    STEP_END,   /* at the end of the name */
    STEP_MARK,  /* record the position */
    STEP_FORK,  /* prefer `one` to `other` */
    STEP_GOTO,
    STEP_FOUND
};

/* ---- Compiling ----------------------------------------------------------------------------- */

typedef struct lm_compiler {
    lm_pattern *pattern;
    const char *at, *end;
    const char *problem; /* NULL: none so far */
} lm_compiler;

static bool fail(lm_compiler *c, const char *problem) {
    c->problem = c->problem ? c->problem : problem;
    return false;
}

static bool more(const lm_compiler *c) {
    return c->at < c->end && !c->problem;
}

/* Inserts a step. Those after it, and their targets, move by one. */
static void insert_step(lm_compiler *c, uint32_t at, lm_pattern_step step) {
    lm_pattern *p = c->pattern;
    if (p->num_steps == LM_MAX_PATTERN - 1) /* the last is for STEP_FOUND */
        fail(c, "it is too long");          /* the result will not be used */
    else
        p->num_steps++;
    memmove(&p->steps[at + 1], &p->steps[at], (LM_MAX_PATTERN - 1 - at) * sizeof step);
    for (uint32_t i = at + 1; i < p->num_steps; i++) {
        p->steps[i].one = (uint16_t)(p->steps[i].one + 1);
        p->steps[i].other = (uint16_t)(p->steps[i].other + 1);
    }
    p->steps[at] = step;
}

static lm_pattern_step *add_step(lm_compiler *c, uint8_t kind, uint8_t byte) {
    const uint32_t at = c->pattern->num_steps;
    const uint16_t next = (uint16_t)(at + 1);
    insert_step(c, at, (lm_pattern_step){kind, byte, next, next});
    return &c->pattern->steps[at];
}

/* Inserts a fork that prefers the steps from `at` on. The caller sets the alternative. */
static void insert_fork(lm_compiler *c, uint32_t at) {
    insert_step(c, at, (lm_pattern_step){STEP_FORK, 0, (uint16_t)(at + 1), 0});
}

/* Takes a byte, or the one after a backslash. There is one: part_end() does not stop at an escaped
 * byte. */
static uint8_t next_byte(lm_compiler *c) {
    c->at += *c->at == '\\';
    return (uint8_t)*c->at++;
}

static bool compile_class(lm_compiler *c) {
    lm_pattern *p = c->pattern;
    if (p->num_classes == LM_PATTERN_CLASSES)
        return fail(c, "it has more than 16 [...]");
    uint32_t *bits = p->classes[p->num_classes];
    const bool others = more(c) && *c->at == '^';
    const char *first = c->at += others;
    memset(bits, 0, sizeof p->classes[0]);
    while (more(c) && (*c->at != ']' || c->at == first)) {
        const uint8_t low = next_byte(c);
        uint8_t high = low;
        if (c->end - c->at >= 2 && *c->at == '-' && c->at[1] != ']') {
            c->at++;
            high = next_byte(c);
        }
        for (unsigned byte = low; byte <= high; byte++) {
            bits[byte / 32] |= 1u << byte % 32;
            const unsigned small = (unsigned)lmi_lower((int)byte);
            if (p->any_case && small >= 'a' && small <= 'z') {
                bits[small / 32] |= 1u << small % 32;
                bits[(small - 32) / 32] |= 1u << (small - 32) % 32;
            }
        }
    }
    if (!more(c))
        return fail(c, "it has a [ without a ]");
    c->at++;
    for (size_t i = 0; others && i < 8; i++)
        bits[i] = ~bits[i];
    add_step(c, STEP_CLASS, (uint8_t)p->num_classes++);
    return true;
}

/* Recursion is limited by 9 groups and by the choices that fit into the steps. */
static void compile_choices(lm_compiler *c);

// NOLINTNEXTLINE(misc-no-recursion)
static bool compile_group(lm_compiler *c) {
    const uint32_t number = c->pattern->num_groups + 1;
    if (number >= LM_PATTERN_GROUPS)
        return fail(c, "it has more than 9 (...)");
    c->pattern->num_groups = number;
    add_step(c, STEP_MARK, (uint8_t)(2 * number));
    compile_choices(c);
    if (!more(c))
        return fail(c, "it has a ( without a )");
    c->at++;
    add_step(c, STEP_MARK, (uint8_t)(2 * number + 1));
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion)
static bool compile_one(lm_compiler *c) {
    const char byte = *c->at;
    if (byte == '*' || byte == '+' || byte == '?')
        return fail(c, "* + or ? has nothing to repeat");
    c->at += strchr("([.^$", byte) != NULL;
    if (byte == '(')
        return compile_group(c);
    if (byte == '[')
        return compile_class(c);
    if (byte == '.' || byte == '^' || byte == '$')
        add_step(c, byte == '.' ? STEP_ANY : byte == '^' ? STEP_BEGIN : STEP_END, 0);
    else
        add_step(c, STEP_BYTE, next_byte(c));
    return true;
}

/* Repeats the steps from `start` on, as the sign requires. */
static void repeat(lm_compiler *c, uint32_t start, char sign) {
    lm_pattern *p = c->pattern;
    if (sign == '+') {
        add_step(c, STEP_FORK, 0)->one = (uint16_t)start;
        return;
    }
    insert_fork(c, start);
    if (sign == '*')
        add_step(c, STEP_GOTO, 0)->one = (uint16_t)start;
    p->steps[start].other = (uint16_t)p->num_steps;
}

/* Compiles up to the end, or to the ) of a group: steps, then alternatives after |. */
// NOLINTNEXTLINE(misc-no-recursion)
static void compile_choices(lm_compiler *c) {
    lm_pattern *p = c->pattern;
    const uint32_t first = p->num_steps;
    while (more(c) && *c->at != '|' && *c->at != ')') {
        const uint32_t start = p->num_steps;
        compile_one(c);
        while (more(c) && (*c->at == '*' || *c->at == '+' || *c->at == '?'))
            repeat(c, start, *c->at++);
    }
    if (!more(c) || *c->at == ')')
        return;
    c->at++;
    insert_fork(c, first);
    const uint32_t leave = p->num_steps;
    add_step(c, STEP_GOTO, 0);
    p->steps[first].other = (uint16_t)p->num_steps;
    compile_choices(c);
    p->steps[leave].one = (uint16_t)p->num_steps;
}

/* Returns the end of a [...] that begins here. */
static const char *class_end(const char *at) {
    const char *end = at + 1;
    end += *end == '^';
    end += *end == ']';
    while (*end && *end != ']')
        end += end[0] == '\\' && end[1] ? 2 : 1;
    return *end ? end + 1 : at + 1;
}

/* Returns the end of a part that begins here: the next delimiter outside of escapes and [...], or
 * NULL. */
static const char *part_end(const char *at, char delimiter, bool classes) {
    while (*at && *at != delimiter)
        if (classes && *at == '[')
            at = class_end(at);
        else
            at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at : NULL;
}

static bool read_flags(lm_compiler *c, const char *flags) {
    for (; *flags; flags++)
        if (*flags == 'g')
            c->pattern->all = true;
        else if (*flags == 'i')
            c->pattern->any_case = true;
        else
            return fail(c, "only g and i may follow the last delimiter");
    return true;
}

static bool is_delimiter(char byte) {
    return byte > ' ' && byte != '\\' && !(byte >= '0' && byte <= '9') &&
           !(lmi_lower(byte) >= 'a' && lmi_lower(byte) <= 'z');
}

static bool compile(lm_compiler *c, const char *text) {
    lm_pattern *p = c->pattern;
    if (text[0] != 's' || !is_delimiter(text[1]))
        return fail(c, "it does not have the form s/PATTERN/NEW/");
    p->delimiter = text[1];
    c->at = text + 2;
    c->end = part_end(c->at, p->delimiter, true);
    p->replacement = c->end ? c->end + 1 : NULL;
    const char *last = c->end ? part_end(p->replacement, p->delimiter, false) : NULL;
    if (!last)
        return fail(c, "s/PATTERN/NEW/ needs three delimiters");
    p->replacement_length = (size_t)(last - p->replacement);
    if (!read_flags(c, last + 1))
        return false;
    compile_choices(c);
    if (more(c))
        fail(c, "it has a ) without a (");
    p->steps[p->num_steps++] = (lm_pattern_step){.kind = STEP_FOUND};
    return !c->problem;
}

bool lmi_pattern_compile(lm_pattern *pattern, const char *substitution, lm_error *error) {
    lm_compiler compiler = {.pattern = pattern};
    memset(pattern, 0, sizeof *pattern);
    return compile(&compiler, substitution) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "invalid substitution \"%s\": %s",
                         substitution, compiler.problem);
}

/* ---- Matching ------------------------------------------------------------------------------- */

#define NUM_MARKS ((size_t)2 * LM_PATTERN_GROUPS)
#define NOWHERE UINT16_MAX

typedef struct lm_thread {
    uint16_t step;
    uint16_t marks[NUM_MARKS];
} lm_thread;

/* Threads, the preferred first; each step occurs once. */
typedef struct lm_threads {
    lm_thread list[LM_MAX_PATTERN];
    size_t count;
    bool has[LM_MAX_PATTERN];
} lm_threads;

typedef struct lm_search {
    const lm_pattern *pattern;
    const char *name;
    size_t length;
} lm_search;

/* Adds a thread at a byte of the name. Follows steps that take no byte, the preferred first.
 * Recursion is limited by the number of forks, because no step is visited twice. */
// NOLINTNEXTLINE(misc-no-recursion)
static void add_thread(const lm_search *s, lm_threads *threads, lm_thread thread, size_t at) {
    while (!threads->has[thread.step]) {
        const lm_pattern_step *step = &s->pattern->steps[thread.step];
        threads->has[thread.step] = true;
        if (step->kind <= STEP_CLASS || step->kind == STEP_FOUND)
            threads->list[threads->count++] = thread;
        if (step->kind <= STEP_CLASS || step->kind == STEP_FOUND ||
            (step->kind == STEP_BEGIN && at > 0) || (step->kind == STEP_END && at < s->length))
            return;
        if (step->kind == STEP_MARK)
            thread.marks[step->byte] = (uint16_t)at;
        thread.step = step->one;
        if (step->kind == STEP_FORK) {
            add_thread(s, threads, thread, at);
            thread.step = step->other;
        }
    }
}

static bool matches(const lm_pattern *pattern, const lm_pattern_step *step, uint8_t byte) {
    if (step->kind == STEP_ANY)
        return true;
    if (step->kind == STEP_CLASS)
        return pattern->classes[step->byte][byte / 32] >> byte % 32 & 1;
    return pattern->any_case ? lmi_lower(step->byte) == lmi_lower(byte) : step->byte == byte;
}

static void clear(lm_threads *threads) {
    memset(threads->has, 0, sizeof threads->has);
    threads->count = 0;
}

/* Advances every thread by one byte; `next` receives the survivors in the same order. Returns true
 * if a thread has found the pattern, and drops the less preferred ones after it. */
static bool step_on(const lm_search *s, size_t at, const lm_threads *now, lm_threads *next,
                    uint16_t marks[NUM_MARKS]) {
    clear(next);
    for (size_t i = 0; i < now->count; i++) {
        lm_thread thread = now->list[i];
        const lm_pattern_step *step = &s->pattern->steps[thread.step];
        if (step->kind == STEP_FOUND) {
            memcpy(marks, thread.marks, sizeof thread.marks);
            marks[1] = (uint16_t)at;
            return true;
        }
        if (at < s->length && matches(s->pattern, step, (uint8_t)s->name[at])) {
            thread.step = step->one;
            add_thread(s, next, thread, at + 1);
        }
    }
    return false;
}

/* Finds the first match from a position on; of several, the preferred one. */
static bool find(const lm_search *s, size_t from, uint16_t marks[NUM_MARKS]) {
    lm_threads lists[2];
    lm_thread start = {.step = 0};
    bool found = false;
    clear(&lists[0]);
    memset(start.marks, 0xFF, sizeof start.marks);
    for (size_t at = from, now = 0; at <= s->length; now = !now, at++) {
        start.marks[0] = (uint16_t)at;
        if (!found)
            add_thread(s, &lists[now], start, at);
        found = step_on(s, at, &lists[now], &lists[!now], marks) || found;
        if (found && lists[!now].count == 0)
            break;
    }
    return found;
}

/* ---- Replacing ----------------------------------------------------------------------------- */

/* Output that may exceed its room; `length` is that of the whole text. */
typedef struct lm_fitting {
    char *out;
    size_t room, length;
} lm_fitting;

static void put_text(lm_fitting *text, const char *from, size_t length) {
    if (text->length < text->room)
        memcpy(text->out + text->length, from,
               length < text->room - text->length ? length : text->room - text->length);
    text->length += length;
}

static void put_group(lm_fitting *text, const lm_search *s, const uint16_t *marks, size_t group) {
    const uint16_t begin = marks[2 * group], end = marks[2 * group + 1];
    if (begin != NOWHERE && end != NOWHERE)
        put_text(text, s->name + begin, (size_t)end - begin);
}

static void put_replacement(lm_fitting *text, const lm_search *s, const uint16_t *marks) {
    const char *at = s->pattern->replacement, *end = at + s->pattern->replacement_length;
    for (; at < end; at++) {
        const bool taken = *at == '\\' && at + 1 < end;
        at += taken;
        if (taken && *at >= '0' && *at <= '9')
            put_group(text, s, marks, (size_t)(*at - '0'));
        else if (!taken && *at == '&')
            put_group(text, s, marks, 0);
        else
            put_text(text, at, 1);
    }
}

unsigned lmi_pattern_apply(const lm_pattern *pattern, const char *name, char *out, size_t room,
                           size_t *length) {
    lm_search s = {.pattern = pattern, .name = name, .length = strlen(name)};
    lm_fitting text = {.out = out, .room = room - 1};
    unsigned count = 0;
    size_t from = 0, ended = SIZE_MAX; /* end of the last match */
    uint16_t marks[NUM_MARKS];
    while (from <= s.length && (count == 0 || pattern->all) && find(&s, from, marks)) {
        const bool empty = marks[0] == marks[1];
        put_text(&text, name + from, marks[0] - from);
        if (!empty || marks[0] != ended) {
            put_replacement(&text, &s, marks);
            count++;
        }
        ended = from = marks[1];
        if (empty) { /* copy a byte and go on after it */
            put_text(&text, name + from, from < s.length);
            from++;
        }
    }
    if (from < s.length)
        put_text(&text, name + from, s.length - from);
    out[text.length < text.room ? text.length : text.room] = '\0';
    *length = text.length;
    return count;
}
