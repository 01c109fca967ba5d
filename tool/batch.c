#include "batch.h"

#include "options.h"

#include <pthread.h>

typedef struct tool_pool tool_pool;

/* The state shared by the threads. `lock` guards next, num_done, num_ended, stop and each job's
 * `done`. */
struct tool_pool {
    const tool_batch *batch;
    tool_job *jobs;
    size_t num_jobs;
    size_t next;
    size_t num_done;
    size_t num_ended; /* the number of jobs before the first that is not done */
    size_t max_input; /* bytes, 0: not given */
    bool stop;
    pthread_mutex_t lock;
    pthread_cond_t progressed;
};

static void work_on(const tool_batch *batch, tool_job *job) {
    const lm_error *problem = job->args->inputs[job->index].problem;
    job->arena = lmi_arena_new(NULL);
    if (problem && job->args->inputs[job->index].skipped) {
        job->skipped = true;
        tool_warn(job, "skipped [%s]: %s", lm_code_name(problem->code), problem->message);
        tool_mark(job, problem->code, TOOL_CODE_WARNED);
    } else if (problem)
        tool_fail_error(job, problem);
    else if (job->arena && (!batch->output || (!tool_output_skips(job, batch->output) &&
                                               !lmi_arena_failed(job->arena))))
        batch->work(job, batch->context);
    const bool no_memory = !job->arena || lmi_arena_failed(job->arena);
    if (no_memory && job->status == TOOL_DONE)
        tool_fail_memory(job);
    else if (no_memory && job->codes[LM_CODE_OUT_OF_MEMORY] == TOOL_CODE_NONE)
        tool_fail(job, "out of memory"); /* while the first failure was described */
    lmi_arena_delete(job->arena);
}

static void end_job(tool_pool *p, tool_job *job) {
    pthread_mutex_lock(&p->lock);
    job->done = true;
    p->num_done++;
    while (p->num_ended < p->num_jobs && p->jobs[p->num_ended].done)
        p->num_ended++;
    pthread_cond_broadcast(&p->progressed);
    pthread_mutex_unlock(&p->lock);
}

static void await_earlier(const tool_job *job) {
    tool_pool *p = job->pool;
    pthread_mutex_lock(&p->lock);
    while (p->num_ended < job->index)
        pthread_cond_wait(&p->progressed, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void *work_on_jobs(void *shared) {
    tool_pool *p = shared;
    pthread_mutex_lock(&p->lock);
    while (p->next < p->num_jobs && !p->stop) {
        tool_job *job = &p->jobs[p->next++];
        pthread_mutex_unlock(&p->lock);
        work_on(p->batch, job);
        end_job(p, job);
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Waits until the job is done. Without threads, does the job itself. */
static void await_job(tool_pool *p, tool_job *job, bool threads, tool_progress *progress) {
    if (!threads) {
        work_on(p->batch, job);
        end_job(p, job);
        tool_progress_draw(progress, p->num_done, p->num_jobs);
        return;
    }
    pthread_mutex_lock(&p->lock);
    while (!job->done) {
        pthread_cond_wait(&p->progressed, &p->lock);
        tool_progress_draw(progress, p->num_done, p->num_jobs);
    }
    pthread_mutex_unlock(&p->lock);
}

/* The printing of results. */
typedef struct printing {
    tool_pool *pool;
    tool_progress *progress;
    tool_repeats *repeats; /* NULL: every job shows its warnings */
    int status;
    bool printed; /* results of a job */
    bool cut;     /* the results could not be written completely, or there are none */
} printing;

/* Prints the results of the next job, and frees them. If they cannot be written, prints no messages
 * of the job. Returns whether to continue. */
static bool print_next(void *user, tool_job *job) {
    printing *p = user;
    const bool has_results = job->out.size > 0 || job->out.failed;
    if (job->status > p->status)
        p->status = job->status;
    if (p->repeats)
        tool_repeats_cut(p->repeats, job);
    if (job->log.size > 0 || has_results)
        tool_progress_clear(p->progress);
    if (has_results && p->printed && p->pool->batch->blank_lines)
        (void)tool_system_write(TOOL_STDOUT, "\n", 1); /* the results fail in the same way */
    p->printed = p->printed || has_results;
    p->cut = has_results && !tool_write_result(&job->out);
    if (p->cut)
        p->status = TOOL_FAILED;
    else
        tool_write_error(&job->log);
    lm_buffer_free(&job->log);
    lm_buffer_free(&job->out);
    lm_buffer_free(&job->warnings);
    return !p->cut;
}

/* ---- Another process ------------------------------------------------------------------------- */

static bool end_job_apart(void *user, tool_job *job) {
    const printing *p = user;
    const tool_batch *batch = p->pool->batch;
    if (batch->passed)
        batch->passed(job, batch->context);
    lm_buffer_free(&job->passed);
    end_job(p->pool, job);
    tool_progress_draw(p->progress, p->pool->num_done, p->pool->num_jobs);
    return print_next(user, job);
}

static void run_apart(printing *print) {
    tool_pool *p = print->pool;
    lm_error error;
    const tool_apart apart = {.batch = p->batch,
                              .jobs = p->jobs,
                              .num_jobs = p->num_jobs,
                              .work = work_on,
                              .ended = end_job_apart,
                              .user = print};
    if (tool_apart_run(&apart, &error))
        return;
    tool_fail(&p->jobs[0], "%s", error.message);
    print_next(print, &p->jobs[0]);
    print->cut = true;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Starts as many threads as possible, prints the results, and waits for the threads. */
static void run_threads(printing *print, unsigned num_threads) {
    tool_pool *p = print->pool;
    pthread_t threads[256];
    unsigned started = 0;
    if (num_threads > sizeof threads / sizeof *threads)
        num_threads = sizeof threads / sizeof *threads;
    while (num_threads > 1 && started < num_threads &&
           pthread_create(&threads[started], NULL, work_on_jobs, p) == 0)
        started++;
    bool more = true;
    for (size_t i = 0; more && i < p->num_jobs; i++) {
        await_job(p, &p->jobs[i], started > 0, print->progress);
        more = print_next(print, &p->jobs[i]);
    }
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_mutex_unlock(&p->lock);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

static tool_job begin_job(tool_pool *p, size_t index) {
    const tool_args *args = p->batch->args;
    return (tool_job){.index = index,
                      .pool = p,
                      /* In another process, one job follows the other. */
                      .await_earlier = p->batch->apart ? NULL : await_earlier,
                      .path = args->inputs[index].path,
                      .tree = p->batch->first_only ? NULL : args->inputs[index].tree,
                      .args = args,
                      .vfs = args->vfs,
                      .max_input = p->max_input,
                      .json = tool_has(args, LM_OPTION_JSON),
                      .brief =
                          p->batch->output && p->num_jobs > 1 && !tool_has(args, LM_OPTION_VERBOSE),
                      .quiet = tool_has(args, LM_OPTION_QUIET)};
}

/* Runs all jobs. Returns the exit code. */
static int run_jobs(tool_pool *p, unsigned num_threads) {
    tool_progress progress;
    printing print = {.pool = p, .progress = &progress};
    const tool_args *args = p->batch->args;
    const bool all = !tool_accepts(args, LM_OPTION_VERBOSE) || tool_has(args, LM_OPTION_VERBOSE);
    if (p->num_jobs > 1 && !(print.repeats = tool_repeats_make(args->arena, all)))
        return TOOL_FAILED;
    for (size_t i = 0; i < p->num_jobs; i++)
        p->jobs[i] = begin_job(p, i);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->progressed, NULL);
    tool_progress_begin(&progress, p->num_jobs > 1 && !tool_has(args, LM_OPTION_QUIET));
    if (p->batch->apart)
        run_apart(&print);
    else
        run_threads(&print, num_threads);
    tool_progress_clear(&progress);
    if (!print.cut && print.repeats && !tool_repeats_print(print.repeats))
        print.status = TOOL_FAILED;
    if (!print.cut &&
        !tool_summary_print(args, p->jobs, p->num_jobs, p->batch->done, p->batch->output != NULL,
                            tool_progress_seconds(&progress)))
        print.status = TOOL_FAILED;
    pthread_cond_destroy(&p->progressed);
    pthread_mutex_destroy(&p->lock);
    for (size_t i = 0; i < p->num_jobs; i++) {
        lm_buffer_free(&p->jobs[i].out);
        lm_buffer_free(&p->jobs[i].log);
        lm_buffer_free(&p->jobs[i].warnings);
        lm_buffer_free(&p->jobs[i].passed);
    }
    return print.status;
}

int tool_batch_run(const tool_batch *batch) {
    const tool_args *args = batch->args;
    tool_pool p = {.batch = batch, .num_jobs = batch->first_only ? 1 : args->num_inputs};
    unsigned num_threads;
    p.max_input = args->settings->options.open.max_input;
    if (!tool_inputs_check(args) ||
        (tool_has(args, LM_OPTION_SUMMARY) && !tool_has(args, LM_OPTION_JSON) &&
         !tool_usage(args, "--summary needs --json")) ||
        !tool_jobs(args, &num_threads) ||
        (p.num_jobs == 0 && !tool_usage(args, "missing input: lerpmesh %s %s", args->command->name,
                                        args->command->usage)))
        return TOOL_USAGE;
    p.jobs = lmi_arena_zeros(args->arena, p.num_jobs, sizeof *p.jobs);
    const int prepared = batch->output ? tool_output_prepare(batch->output) : TOOL_DONE;
    return !p.jobs                 ? TOOL_FAILED
           : prepared != TOOL_DONE ? prepared
                                   : run_jobs(&p, batch->first_only ? 1 : num_threads);
}
