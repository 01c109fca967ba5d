#include "batch.h"

#include "isolate.h"

#include <string.h>

#if LM_ISOLATES

/* ---- Messages to this process ---------------------------------------------------------------- */

typedef enum message_kind {
    MESSAGE_BEGUN,
    MESSAGE_FAILED, /* it cannot begin: `error` */
    MESSAGE_BYTES,  /* a piece of a buffer of the job: `buffer` */
    MESSAGE_DONE    /* the job is done: `job`, except its buffers */
} message_kind;

#define NUM_BUFFERS 4 /* of a job that are sent */
#define PIECE ((size_t)1 << 18)

/* A message in shared memory. */
typedef struct message {
    message_kind kind;
    bool stop; /* the answer: the rest is not needed */
    bool ran_out_of_memory;
    uint64_t written; /* tool_output_written */
    lm_error error;
    tool_job job;
    int buffer;
    size_t size;
    uint8_t bytes[PIECE];
} message;

static lm_buffer *buffer_of(tool_job *job, int buffer) {
    lm_buffer *const buffers[NUM_BUFFERS] = {&job->out, &job->log, &job->warnings, &job->passed};
    return buffers[buffer];
}

/* The state of both processes. */
typedef struct state {
    const tool_apart *apart;
    lm_isolation isolation;
    message *message;
    size_t next; /* the job in work */
    bool begun, stopped, failed;
    lm_error *error;
} state;

/* ---- The other process ----------------------------------------------------------------------- */

static void send(const state *s, message_kind kind) {
    s->message->kind = kind;
    lmi_isolate_call(&s->isolation, s->message);
}

static void send_job(const state *s, tool_job *job) {
    message *m = s->message;
    for (m->buffer = 0; m->buffer < NUM_BUFFERS; m->buffer++) {
        lm_buffer *buffer = buffer_of(job, m->buffer);
        for (size_t at = 0; at < buffer->size; at += m->size) {
            m->size = buffer->size - at < PIECE ? buffer->size - at : PIECE;
            memcpy(m->bytes, buffer->data + at, m->size);
            send(s, MESSAGE_BYTES);
        }
        lm_buffer_free(buffer);
    }
    m->job = *job;
    m->ran_out_of_memory = tool_ran_out_of_memory();
    m->written = tool_output_written();
    send(s, MESSAGE_DONE);
}

static void work(void *user) {
    const state *s = user;
    const tool_batch *batch = s->apart->batch;
    const bool begun = !batch->begin || batch->begin(batch->context, &s->message->error);
    send(s, begun ? MESSAGE_BEGUN : MESSAGE_FAILED);
    for (size_t i = s->next; begun && i < s->apart->num_jobs && !s->message->stop; i++) {
        s->apart->work(batch, &s->apart->jobs[i]);
        send_job(s, &s->apart->jobs[i]);
    }
    if (batch->end)
        batch->end(batch->context);
}

/* ---- This process ---------------------------------------------------------------------------- */

/* Ends the job in work. */
static void end_job(state *s) {
    tool_job *job = &s->apart->jobs[s->next++];
    s->stopped = !s->apart->ended(s->apart->user, job) || s->stopped;
    s->message->stop = s->stopped;
}

/* Takes over everything but the buffers, which have arrived already. */
static void take_job(const message *m, tool_job *job) {
    tool_job done = m->job;
    for (int i = 0; i < NUM_BUFFERS; i++) {
        const bool failed = buffer_of(&done, i)->failed;
        *buffer_of(&done, i) = *buffer_of(job, i);
        buffer_of(&done, i)->failed = failed || buffer_of(job, i)->failed;
    }
    done.arena = job->arena;
    *job = done;
    tool_output_resume(m->written);
    if (m->ran_out_of_memory && job->status == TOOL_DONE)
        job->status = TOOL_FAILED;
}

static void serve(void *user, void *request) {
    state *s = user;
    const message *m = request;
    tool_job *job = &s->apart->jobs[s->next];
    switch (m->kind) {
    case MESSAGE_BEGUN:
        s->begun = true;
        break;
    case MESSAGE_FAILED:
        s->failed = true;
        *s->error = m->error;
        break;
    case MESSAGE_BYTES:
        lm_buffer_append(buffer_of(job, m->buffer), m->bytes, m->size);
        break;
    case MESSAGE_DONE:
        take_job(m, job);
        end_job(s);
        break;
    }
}

/* Describes the early end of a process. */
static void explain(lm_ending ending, int number, lm_error *error) {
    if (ending == LM_NOT_STARTED)
        lm_fail_plain(error, LM_CODE_IO, "cannot start a process for the graphics driver: %s",
                      strerror(number));
    else
        lm_fail_plain(error, LM_CODE_GRAPHICS,
                      "the graphics driver ended its process (%s %d), perhaps for lack of memory",
                      ending == LM_EXITED ? "exit status" : "signal", number);
}

/* Fails the job in work, without its incomplete results. */
static void fail_job(state *s) {
    tool_job *job = &s->apart->jobs[s->next];
    for (int i = 0; i < NUM_BUFFERS; i++)
        lm_buffer_free(buffer_of(job, i));
    tool_fail_code(job, s->error->code, "%s", s->error->message);
    end_job(s);
}

bool tool_apart_run(const tool_apart *apart, lm_error *error) {
    lm_shared *shared = lmi_shared_new(2 * sizeof(message), NULL);
    state s = {.apart = apart,
               .isolation = {.shared = shared, .keeps = true, .work = work, .serve = serve},
               .error = error};
    s.isolation.user = &s;
    if (!shared)
        return lmi_fail_memory(error);
    const lm_allocator allocator = lmi_shared_allocator(shared);
    s.message = allocator.alloc(allocator.user, sizeof *s.message);
    do {
        int number;
        s.message->stop = false;
        const lm_ending ending = lmi_isolate(&s.isolation, &number);
        s.failed = s.failed || ending != LM_RETURNED;
        if (ending != LM_RETURNED)
            explain(ending, number, error);
        if (!s.begun || !s.failed)
            break;
        s.failed = false;
        if (s.next < apart->num_jobs && !s.stopped)
            fail_job(&s);
    } while (s.next < apart->num_jobs && !s.stopped);
    lmi_shared_free(shared);
    return s.begun;
}

#else

bool tool_apart_run(const tool_apart *apart, lm_error *error) {
    const tool_batch *batch = apart->batch;
    const bool begun = !batch->begin || batch->begin(batch->context, error);
    bool more = begun;
    for (size_t i = 0; more && i < apart->num_jobs; i++) {
        apart->work(batch, &apart->jobs[i]);
        more = apart->ended(apart->user, &apart->jobs[i]);
    }
    if (batch->end)
        batch->end(batch->context);
    return begun;
}

#endif
