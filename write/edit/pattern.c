/* A pattern is compiled to steps, which all places in it take at once, byte by byte (K. Thompson,
 * "Regular Expression Search Algorithm", 1968, with a thread's marks for the groups): no pattern
 * makes a name take long. */
#include "edit/pattern.h"

#include "core/report.h"
#include "core/text.h"

#include <string.h>

enum {
    STEP_BYTE,  /* this byte */
    STEP_ANY,   /* any byte */
    STEP_CLASS, /* one of the class */
    STEP_BEGIN, /* the name's first place */
    STEP_END,   /* behind its last byte */
    STEP_MARK,  /* remember the place */
    STEP_FORK,  /* to `one` rather than to `other` */
    STEP_GOTO,
    STEP_FOUND
};

/* ---- Compiling ----------------------------------------------------------------------------- */

#define NOWHERE UINT16_MAX

/* What is open: the pattern itself, and the groups in each other. */
typedef struct lm_open_group {
    uint32_t start;  /* its first step */
    uint32_t choice; /* that of what may be found instead of what stands before a | */
    uint16_t leave; /* the last step that is to lead behind it; `one` of each says the one before */
    uint8_t number;
} lm_open_group;

typedef struct lm_compiler {
    lm_pattern *pattern;
    const char *at, *end;
    lm_open_group open[LM_PATTERN_GROUPS];
    uint32_t depth;
    const char *problem; /* NULL: none so far */
} lm_compiler;

static bool complain(lm_compiler *c, const char *problem) {
    c->problem = c->problem ? c->problem : problem;
    return false;
}

static bool more(const lm_compiler *c) {
    return c->at < c->end && !c->problem;
}

/* Makes room for a step; those behind it, and where they lead, move on by one. */
static lm_pattern_step *insert_step(lm_compiler *c, uint32_t at, lm_pattern_step step) {
    lm_pattern *p = c->pattern;
    if (p->num_steps == LM_PATTERN_MOST - 1) /* the last is for STEP_FOUND */
        complain(c, "it is too long");       /* and what it is compiled to will not be used */
    else
        p->num_steps++;
    memmove(&p->steps[at + 1], &p->steps[at], (LM_PATTERN_MOST - 1 - at) * sizeof step);
    for (uint32_t i = at + 1; i < p->num_steps; i++) {
        p->steps[i].one = (uint16_t)(p->steps[i].one + 1);
        p->steps[i].other = (uint16_t)(p->steps[i].other + 1);
    }
    p->steps[at] = step;
    return &p->steps[at];
}

static lm_pattern_step *add_step(lm_compiler *c, uint8_t kind, uint8_t byte) {
    const uint16_t next = (uint16_t)(c->pattern->num_steps + 1);
    return insert_step(c, c->pattern->num_steps, (lm_pattern_step){kind, byte, next, next});
}

/* There is a byte behind every backslash: part_end() did not stop at one that it takes. */
static uint8_t take_byte(lm_compiler *c) {
    c->at += *c->at == '\\';
    return (uint8_t)*c->at++;
}

static void add_to_class(uint32_t *bits, unsigned first, unsigned last, bool any_case) {
    for (unsigned byte = first; byte <= last; byte++) {
        bits[byte / 32] |= 1u << byte % 32;
        const unsigned small = (unsigned)lm_lower((int)byte);
        if (any_case && small >= 'a' && small <= 'z') {
            bits[small / 32] |= 1u << small % 32;
            bits[(small - 32) / 32] |= 1u << (small - 32) % 32;
        }
    }
}

static bool compile_class(lm_compiler *c) {
    lm_pattern *p = c->pattern;
    if (p->num_classes == LM_PATTERN_CLASSES)
        return complain(c, "it has more than 16 [...]");
    uint32_t *bits = p->classes[p->num_classes];
    const bool others = more(c) && *c->at == '^';
    const char *first = c->at += others;
    memset(bits, 0, sizeof p->classes[0]);
    while (more(c) && (*c->at != ']' || c->at == first)) {
        const uint8_t low = take_byte(c);
        uint8_t high = low;
        if (c->end - c->at >= 2 && *c->at == '-' && c->at[1] != ']') {
            c->at++;
            high = take_byte(c);
        }
        add_to_class(bits, low, high, p->any_case);
    }
    if (!more(c))
        return complain(c, "a [ has no ]");
    c->at++;
    for (size_t i = 0; others && i < 8; i++)
        bits[i] = ~bits[i];
    add_step(c, STEP_CLASS, (uint8_t)p->num_classes++);
    return true;
}

static lm_open_group *innermost(lm_compiler *c) {
    return &c->open[c->depth];
}

static bool open_group(lm_compiler *c) {
    const uint32_t number = c->pattern->num_groups + 1;
    if (number >= LM_PATTERN_GROUPS)
        return complain(c, "it has more than 9 (...)");
    c->pattern->num_groups = number;
    c->depth++;
    *innermost(c) = (lm_open_group){.start = c->pattern->num_steps,
                                    .choice = c->pattern->num_steps + 1,
                                    .leave = NOWHERE,
                                    .number = (uint8_t)number};
    add_step(c, STEP_MARK, (uint8_t)(2 * number));
    return true;
}

/* What was found instead leads behind the group. */
static void end_choices(lm_compiler *c) {
    lm_pattern *p = c->pattern;
    for (uint16_t leave = innermost(c)->leave, before; leave != NOWHERE; leave = before) {
        before = p->steps[leave].one;
        p->steps[leave].one = (uint16_t)p->num_steps;
    }
}

static void add_choice(lm_compiler *c) {
    lm_pattern *p = c->pattern;
    lm_open_group *group = innermost(c);
    const uint32_t start = group->choice;
    insert_step(c, start, (lm_pattern_step){STEP_FORK, 0, (uint16_t)(start + 1), 0});
    const uint16_t leave = (uint16_t)p->num_steps;
    add_step(c, STEP_GOTO, 0)->one = group->leave;
    p->steps[start].other = (uint16_t)p->num_steps;
    group->leave = leave;
    group->choice = p->num_steps;
}

static bool compile_one(lm_compiler *c) {
    const char byte = *c->at;
    if (byte == '*' || byte == '+' || byte == '?')
        return complain(c, "there is nothing in front of * + or ?");
    if (byte == '[' || byte == '.' || byte == '^' || byte == '$')
        c->at++;
    if (byte == '[')
        return compile_class(c);
    if (byte == '.' || byte == '^' || byte == '$')
        add_step(c, byte == '.' ? STEP_ANY : byte == '^' ? STEP_BEGIN : STEP_END, 0);
    else
        add_step(c, STEP_BYTE, take_byte(c));
    return true;
}

/* Lets what began at `start` be found as often as the sign behind it says. */
static void repeat(lm_compiler *c, uint32_t start, char sign) {
    lm_pattern *p = c->pattern;
    if (sign != '+')
        insert_step(c, start, (lm_pattern_step){STEP_FORK, 0, (uint16_t)(start + 1), 0});
    if (sign == '*')
        add_step(c, STEP_GOTO, 0)->one = (uint16_t)start;
    if (sign == '+') {
        const uint16_t next = (uint16_t)(p->num_steps + 1);
        lm_pattern_step *fork = add_step(c, STEP_FORK, 0);
        fork->one = (uint16_t)start;
        fork->other = next;
    } else {
        p->steps[start].other = (uint16_t)p->num_steps;
    }
}

static bool close_group(lm_compiler *c) {
    if (c->depth == 0)
        return complain(c, "a ) has no (");
    end_choices(c);
    add_step(c, STEP_MARK, (uint8_t)(2 * innermost(c)->number + 1));
    c->depth--;
    return true;
}

static bool compile_all(lm_compiler *c) {
    *innermost(c) = (lm_open_group){.leave = NOWHERE};
    while (more(c)) {
        const char sign = *c->at;
        uint32_t start = c->pattern->num_steps;
        c->at += sign == '(' || sign == ')' || sign == '|';
        if (sign == '(') {
            open_group(c);
            continue;
        }
        if (sign == '|') {
            add_choice(c);
            continue;
        }
        if (sign == ')')
            start = innermost(c)->start;
        if (!(sign == ')' ? close_group(c) : compile_one(c)))
            return false;
        while (more(c) && (*c->at == '*' || *c->at == '+' || *c->at == '?'))
            repeat(c, start, *c->at++);
    }
    if (c->depth > 0)
        return complain(c, "a ( has no )");
    end_choices(c);
    return !c->problem;
}

/* Behind a [...] that begins here. */
static const char *class_end(const char *at) {
    const char *end = at + 1;
    end += *end == '^';
    end += *end == ']';
    while (*end && *end != ']')
        end += end[0] == '\\' && end[1] ? 2 : 1;
    return *end ? end + 1 : at + 1;
}

/* Where the part that begins here ends: at the delimiter that no backslash and no [...] takes. */
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
            return complain(c, "behind its last part only g and i may stand");
    return true;
}

static bool is_delimiter(char byte) {
    return byte > ' ' && byte != '\\' && !(byte >= '0' && byte <= '9') &&
           !(lm_lower(byte) >= 'a' && lm_lower(byte) <= 'z');
}

static bool compile(lm_compiler *c, const char *text) {
    lm_pattern *p = c->pattern;
    if (text[0] != 's' || !is_delimiter(text[1]))
        return complain(c, "it is not written s/PATTERN/NEW/");
    p->delimiter = text[1];
    c->at = text + 2;
    c->end = part_end(c->at, p->delimiter, true);
    p->replacement = c->end ? c->end + 1 : NULL;
    const char *last = c->end ? part_end(p->replacement, p->delimiter, false) : NULL;
    if (!last)
        return complain(c, "it does not have the three delimiters of s/PATTERN/NEW/");
    p->replacement_length = (size_t)(last - p->replacement);
    if (!read_flags(c, last + 1) || !compile_all(c))
        return false;
    p->steps[p->num_steps++] = (lm_pattern_step){.kind = STEP_FOUND};
    return true;
}

bool lm_pattern_compile(lm_pattern *pattern, const char *substitution, lm_error *error) {
    lm_compiler compiler = {.pattern = pattern};
    memset(pattern, 0, sizeof *pattern);
    return compile(&compiler, substitution) ||
           lm_fail_plain(error, LM_CODE_BAD_ARGUMENT, "the pattern \"%s\" is not understood: %s",
                         substitution, compiler.problem);
}

/* ---- Looking for it ------------------------------------------------------------------------ */

#define NUM_MARKS ((size_t)2 * LM_PATTERN_GROUPS)

typedef struct lm_thread {
    uint16_t step;
    uint16_t marks[NUM_MARKS];
} lm_thread;

/* Threads by how much they are preferred; no step twice. */
typedef struct lm_threads {
    lm_thread list[LM_PATTERN_MOST];
    size_t count;
    bool has[LM_PATTERN_MOST];
} lm_threads;

typedef struct lm_search {
    const lm_pattern *pattern;
    const char *name;
    size_t length, at;
} lm_search;

/* Whether a thread is to go on from a step that takes no byte, and then its mark is set. */
static bool passes(const lm_search *s, const lm_pattern_step *step, lm_thread *thread) {
    if (step->kind == STEP_BEGIN)
        return s->at == 0;
    if (step->kind == STEP_END)
        return s->at == s->length;
    if (step->kind == STEP_MARK)
        thread->marks[step->byte] = (uint16_t)s->at;
    return step->kind < STEP_FOUND && step->kind > STEP_CLASS;
}

/* Adds a thread, and those that it becomes without a byte, the preferred first. */
static void add_thread(const lm_search *s, lm_threads *threads, lm_thread thread) {
    lm_thread waiting[LM_PATTERN_MOST]; /* behind a fork each, and no step is met twice */
    size_t count = 0;
    waiting[count++] = thread;
    while (count > 0) {
        thread = waiting[--count];
        const lm_pattern_step *step = &s->pattern->steps[thread.step];
        if (threads->has[thread.step])
            continue;
        threads->has[thread.step] = true;
        if (step->kind <= STEP_CLASS || step->kind == STEP_FOUND) {
            threads->list[threads->count++] = thread;
        } else if (passes(s, step, &thread)) {
            if (step->kind == STEP_FORK) {
                waiting[count] = thread;
                waiting[count++].step = step->other;
            }
            thread.step = step->one;
            waiting[count++] = thread;
        }
    }
}

static bool takes(const lm_pattern *pattern, const lm_pattern_step *step, uint8_t byte) {
    if (step->kind == STEP_ANY)
        return true;
    if (step->kind == STEP_CLASS)
        return pattern->classes[step->byte][byte / 32] >> byte % 32 & 1;
    return pattern->any_case ? lm_lower(step->byte) == lm_lower(byte) : step->byte == byte;
}

static void clear(lm_threads *threads) {
    memset(threads->has, 0, sizeof threads->has);
    threads->count = 0;
}

static void begin_here(const lm_search *s, lm_threads *threads) {
    lm_thread start = {.step = 0};
    memset(start.marks, 0xFF, sizeof start.marks);
    start.marks[0] = (uint16_t)s->at;
    add_thread(s, threads, start);
}

/* Takes one byte in every thread; those that are left are in `next`, in the same order. Whether one
 * had found the pattern: those behind it are less preferred. */
static bool step_on(lm_search *s, const lm_threads *now, lm_threads *next,
                    uint16_t marks[NUM_MARKS]) {
    const size_t at = s->at;
    bool found = false;
    clear(next);
    for (size_t i = 0; i < now->count && !found; i++) {
        lm_thread thread = now->list[i];
        const lm_pattern_step *step = &s->pattern->steps[thread.step];
        if (step->kind == STEP_FOUND) {
            memcpy(marks, thread.marks, sizeof thread.marks);
            marks[1] = (uint16_t)at;
            found = true;
        } else if (at < s->length && takes(s->pattern, step, (uint8_t)s->name[at])) {
            thread.step = step->one;
            s->at = at + 1;
            add_thread(s, next, thread);
            s->at = at;
        }
    }
    return found;
}

/* Finds the pattern from a place on: the first, and of those the preferred. */
static bool find(lm_search *s, size_t from, uint16_t marks[NUM_MARKS]) {
    lm_threads lists[2];
    bool found = false;
    clear(&lists[0]);
    s->at = from;
    for (int now = 0; s->at <= s->length; now = !now, s->at++) {
        if (!found)
            begin_here(s, &lists[now]);
        found = step_on(s, &lists[now], &lists[!now], marks) || found;
        if (found && lists[!now].count == 0)
            break;
    }
    return found;
}

/* ---- Replacing ----------------------------------------------------------------------------- */

/* Text for which there may be no room: its length is counted all the same. */
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

unsigned lm_pattern_apply(const lm_pattern *pattern, const char *name, char *out, size_t room,
                          size_t *length) {
    lm_search s = {.pattern = pattern, .name = name, .length = strlen(name)};
    lm_fitting text = {.out = out, .room = room - 1};
    unsigned count = 0;
    size_t from = 0, ended = SIZE_MAX; /* where what was found last ended */
    uint16_t marks[NUM_MARKS];
    while (from <= s.length && (count == 0 || pattern->all) && find(&s, from, marks)) {
        const bool empty = marks[0] == marks[1];
        put_text(&text, name + from, marks[0] - from);
        if (!empty || marks[0] != ended) {
            put_replacement(&text, &s, marks);
            count++;
        }
        ended = from = marks[1];
        if (empty) { /* what is there goes on, and so do we */
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
