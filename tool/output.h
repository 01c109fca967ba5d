/* The output of a command: one file, standard output, or a folder with one file per input. With
 * --in-place, the inputs themselves. */
#ifndef TOOL_OUTPUT_H
#define TOOL_OUTPUT_H

#include "job.h"

typedef enum tool_output_kind {
    TOOL_TO_STDOUT,
    TOOL_TO_FILE,
    TOOL_TO_FOLDER,
    TOOL_TO_INPUT,   /* --in-place */
    TOOL_TO_ARCHIVE, /* members of an archive that is written in the end (target.h) */
    TOOL_TO_NOTHING  /* --dry-run */
} tool_output_kind;

typedef struct tool_output {
    const tool_args *args;
    tool_output_kind kind;
    const char *path;      /* the value of -o */
    const char *extension; /* of the files in a folder, with its dot; set by the command */
    const char *name;      /* of the only file in a folder; NULL: each has the name of its input */
    const char *numbered;  /* or this text and a number, so that no two are the same; NULL */
    const char *companion; /* extension of a second file next to each, or NULL */
    /* If the last part of `path` has {frame:04}: the text before and after it, and the digits.
     * NULL: it does not. */
    const char *before, *after;
    unsigned digits;
    /* In a folder: the names of the inputs' outputs without `extension`, whether they are longer
     * than usual, and the length of the folders that all inputs share. */
    const char **names;
    bool *renamed;
    size_t shared;
    bool force, skip_existing;
    bool full_names; /* files in a folder keep the inputs' full names, including the extension */
    /* owners of files in a folder or in place; NULL: no conflicts are possible */
    struct tool_owners *owners;
    struct tool_repack *repack; /* of TOOL_TO_ARCHIVE */
} tool_output;

/* Reads -o ("-" if absent) and -f. Reports mistakes and returns false. */
bool tool_output_read(const tool_args *args, tool_output *output);
/* Returns the path of a numbered file, from 0 on; NULL if there is no memory. */
const char *tool_output_numbered(const tool_output *output, uint32_t number, lm_arena *arena);
/* Reports that the output's name does not end as it should; if it has no extension, also how a
 * folder is named. Returns false. */
bool tool_output_misnamed(const tool_output *output, const char *endings);
/* Finds inputs whose outputs would have the same name, or that are the same
 * file. Returns an exit code. */
int tool_output_prepare(tool_output *output);

/* If binary output would go to a terminal, reports that and returns true. */
bool tool_output_is_blocked(const tool_output *output);

/* Returns whether a file is not written because it exists (--skip-existing). */
bool tool_output_keeps(const tool_output *output, const char *path);
/* Reports how many numbered files were not written for that reason. */
void tool_output_note_kept(tool_job *job, uint32_t kept);
/* Returns whether to skip the job because its output exists, and marks the job as skipped. Numbered
 * files are skipped one by one. */
bool tool_output_skips(tool_job *job, const tool_output *output);

/* Sets the path of the job's file, in the job's arena. NULL for standard output, or if nothing is
 * written. Fails the job if the file must not be written: it is an input, exists already in the
 * folder, or is another input's output. */
bool tool_output_path(tool_job *job, const tool_output *output, const char **path);

/* Does the same for contents that are known. `same`: the file exists in the folder with the same
 * contents, and need not be written. */
bool tool_output_place(tool_job *job, const tool_output *output, const lm_buffer *made,
                       const char **path, bool *same);

/* Returns the path alone, without checking that it may be written, for commands that write files
 * next to it. NULL, and the job failed, if it is another input's output. */
char *tool_output_name(tool_job *job, const tool_output *output);

/* Returns whether one more file may be written next to the output. If not, the job failed: the file
 * exists, without --force, or is an input or another input's output. After this call,
 * tool_output_write_all waits for earlier inputs. If two jobs write different content to the same
 * path, the second one fails. */
bool tool_output_allows(tool_job *job, const tool_output *output, const char *path);

/* Sets the path of a file to that of NAME next to `path`. `same`: it exists with the same contents.
 * False: it may not be written, and the job failed. */
bool tool_output_sibling(tool_job *job, const tool_output *output, const char *path,
                         const char *name, lm_file_output *file, bool *same);

/* Returns whether the file NAME next to `path` is another input's output. */
bool tool_output_is_taken(tool_job *job, const tool_output *output, const char *path,
                          const char *name);

/* Counts an output before it is written; the functions below do so. Fails the job if all outputs of
 * the command would exceed --max-output. */
bool tool_output_count(tool_job *job, uint64_t size);
/* Return and set the number of bytes that this process has written, for one that continues its
 * work. */
uint64_t tool_output_written(void);
void tool_output_resume(uint64_t bytes);

/* Writes related files, the one that names the others last. Sets each file's `below`: no link is
 * followed below the output folder, nor under a name that the user did not give. Fails the job with
 * a message. */
bool tool_output_write_all(tool_job *job, lm_file_output *files, size_t count);
bool tool_output_write(tool_job *job, const char *path, const void *data, size_t size);
/* Writes to a path of tool_output_path, or moves the buffer to standard output. */
bool tool_output_put(tool_job *job, const char *path, lm_buffer *made);

/* ---- Owners: which input writes which file, independent of the order of completion ----------- */

typedef struct tool_owners tool_owners;

/* Creates an empty list. Nothing else may use the arena as long as the list is in use. NULL if
 * there is no memory. */
tool_owners *tool_owners_make(lm_arena *arena, size_t num_inputs);
/* Adds the output name of the next input. Fails if there is no memory. */
bool tool_owners_add_name(tool_owners *owners, const char *name);
/* Finds the first input with an output name. Returns false if there is none. */
bool tool_owners_find_name(const tool_owners *owners, const char *name, size_t length,
                           size_t *input);

/* ---- Rewriting files in their own format, to another path or in place ------------------------ */

/* Reads -o, --in-place, --backup, --dry-run and -f. Reports mistakes and returns false. */
bool tool_target_read(const tool_args *args, tool_output *output);

/* The rewriting of one file. Start from {0}. */
typedef struct tool_rewriting {
    lm_buffer file;
    lm_buffer result;
    const char *path; /* NULL: standard output, or nothing is written */
    bool same;        /* the output equals the input */
} tool_rewriting;

/* Finds the output path, and reads the file. False: the job failed. */
bool tool_target_open(tool_job *job, const tool_output *output, tool_rewriting *r);
/* Writes the result, unless it equals the file to overwrite. False: the job failed. */
bool tool_target_write(tool_job *job, const tool_output *output, tool_rewriting *r);
/* Returns the output for messages: a path, "standard output", or NULL for nothing. */
const char *tool_target_written(const tool_output *output, const tool_rewriting *r);
void tool_target_close(tool_rewriting *r);

/* ---- Archives -------------------------------------------------------------------------------- */

/* Returns whether -o names an archive: a .pk3, .pak or .zip. */
bool tool_repack_is_named(const tool_args *args);

/* Prepares `output`, whose kind becomes TOOL_TO_ARCHIVE. All inputs must be in one archive. Reports
 * mistakes and returns false. */
bool tool_repack_read(const tool_args *args, tool_output *output);

/* Takes over the new content of the job's member. May be called from several threads. */
void tool_repack_put(tool_job *job, const tool_output *output, lm_buffer *content, bool same);

/* Writes the archive after the jobs are done, unless all failed, and frees its contents. `status`
 * is the batch's; returns it, or TOOL_FAILED. For outputs of another kind, does nothing. */
int tool_repack_write(const tool_output *output, int status);

#endif
