/* Lines of blocks.csv: written, kept, read back and joined. */
#include "sim/report/results/block_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "phy/coding/transport.h"
#include "sim/files/text.h"
#include "sim/report/results/columns.h"
#include "sim/report/results/words.h"

enum {
    MOST_LINES = 8192, /* before they are written */
    MOST_LINE = 512,   /* characters */
    MOST_PREFIX = 200, /* of csi, detector and SNR */
    COPIED = 1 << 16   /* bytes at a time */
};

/* ---- written ---- */

static lte_status fail(lte_block_log *log, int reason)
{
    log->status =
        LTE_FAIL(LTE_EIO, "%s: %s", log->file.path, reason ? strerror(reason) : "write failed");
    return log->status;
}

static lte_status no_memory(void)
{
    return LTE_FAIL(LTE_ENOMEM, "no memory for the lines of blocks.csv");
}

/* Moves the lines that are in memory to the file. */
static lte_status flush(lte_block_log *log)
{
    FILE *lines = log->lines;
    if (!lines || log->status)
        return log->status;
    log->lines = NULL;
    log->n_lines = 0;
    log->text = lte_text_end(lines, &log->text, true);
    if (!log->text)
        return log->status = no_memory();
    errno = 0;
    if (fwrite(log->text, 1, log->size, log->file.stream) != log->size)
        return fail(log, errno);
    log->written.check = lte_text_check(log->written.check, log->text, log->size);
    log->written.bytes += log->size;
    free(log->text);
    log->text = NULL;
    return LTE_OK;
}

/* Where the next line goes; NULL after a failure. */
static FILE *next_line(lte_block_log *log)
{
    if (log->n_lines >= MOST_LINES)
        (void)flush(log);
    if (!log->lines && !log->status) {
        log->lines = open_memstream(&log->text, &log->size);
        if (!log->lines)
            log->status = no_memory();
    }
    log->n_lines++;
    return log->lines;
}

lte_status lte_block_log_begin(lte_block_log *log, const char *dir)
{
    *log = (lte_block_log){.named = false};
    const lte_status status = lte_file_open(&log->file, dir, LTE_BLOCKS_PART);
    if (status)
        return status;
    FILE *out = next_line(log);
    if (out)
        lte_csv_head(out, &lte_blocks_columns, LTE_N_BLOCKS);
    return log->status;
}

/* What the LLRs of a codeword's layers are worth, bits of a symbol times 2^16: "120331 98012". */
static void put_information(const lte_sweep *sweep, const lte_transmission *of, char *text,
                            size_t size)
{
    const int n_tx = sweep->cut.n_tx, first = lte_codeword_first(n_tx, of->codeword);
    *text = '\0';
    for (int k = first; k < first + lte_codeword_layers(n_tx, of->codeword); k++)
        lte_append(text, size, "%s%lld", k > first ? " " : "",
                   (long long)sweep->cut.n_bits * LTE_INTEGER_LOSS_UNITS - (long long)of->lost[k]);
}

/* Notes that the next line is of point s of a csi. */
static void note_point(lte_block_log *log, int csi, int s)
{
    log->unsorted = log->unsorted || csi < log->csi || (csi == log->csi && s < log->s);
    log->csi = csi;
    log->s = s;
}

static void take(const lte_sweep *sweep, const lte_row *row, const lte_transmission *of, void *user)
{
    const lte_scenario *scenario = sweep->scenario;
    const uint64_t drop_slots = (uint64_t)sweep->cut.drop_slots, drop = of->slot / drop_slots;
    const uint64_t subframe = of->slot % drop_slots / 2;
    const uint64_t process = sweep->cut.harq ? subframe % LTE_HARQ_SUBFRAMES : 0;
    const unsigned codeword = (unsigned)of->codeword;
    const int number = lte_record_number(of->record);
    const int version =
        scenario->codes[lte_csi_estimates(sweep->csi)]->plan.versions.of[number - 1];
    char information[64];
    lte_cell cells[LTE_N_BLOCKS];
    FILE *out = next_line(user);
    if (!out)
        return;
    note_point(user, sweep->csi, (int)((row - sweep->rows) % sweep->n_snr));
    put_information(sweep, of, information, sizeof information);
    LTE_TAKE(BLOCKS)
    lte_csv_row(out, &lte_blocks_columns, LTE_N_BLOCKS, cells);
}

lte_sweep_listener lte_block_log_listener(lte_block_log *log)
{
    return (lte_sweep_listener){.take = take, .user = log};
}

/* ---- kept ---- */

lte_status lte_block_log_keep(lte_block_log *log, lte_block_mark *mark)
{
    const lte_status status = flush(log);
    if (status)
        return status;
    errno = 0;
    if (fflush(log->file.stream) != 0 || fsync(fileno(log->file.stream)) != 0 ||
        (!log->named && rename(log->file.temporary, log->file.path) != 0))
        return fail(log, errno);
    log->named = true;
    *mark = log->written;
    return LTE_OK;
}

void lte_block_log_close(lte_block_log *log)
{
    if (log->lines)
        (void)fclose(log->lines);
    free(log->text);
    if (log->file.stream)
        (void)fclose(log->file.stream);
    if (log->file.stream && !log->named)
        (void)unlink(log->file.temporary);
    *log = (lte_block_log){.named = false};
}

/* ---- read back ---- */

/* A part that is read, line by line. */
typedef struct {
    FILE *file;
    uint64_t left; /* bytes of it that count */
    char line[MOST_LINE];
} reader;

static void next(reader *r)
{
    if (r->left == 0 || !fgets(r->line, sizeof r->line, r->file))
        r->line[0] = '\0';
    const size_t n = strlen(r->line);
    r->left -= n < r->left ? n : r->left;
}

/* True if a file begins with what a mark says. */
static bool is_marked(FILE *file, const lte_block_mark *mark)
{
    char bytes[COPIED];
    lte_block_mark seen = {0, 0};
    while (seen.bytes < mark->bytes) {
        const uint64_t left = mark->bytes - seen.bytes;
        const size_t n = fread(bytes, 1, left < sizeof bytes ? (size_t)left : sizeof bytes, file);
        if (n == 0)
            return false;
        seen.check = lte_text_check(seen.check, bytes, n);
        seen.bytes += n;
    }
    rewind(file);
    return mark->bytes > 0 && seen.check == mark->check;
}

/* Opens what a folder has of a run: blocks.part or, if it came to its end, blocks.csv. */
static FILE *open_lines(const char *dir, const char *mode, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/" LTE_BLOCKS_PART, dir);
    FILE *file = fopen(path, mode);
    if (!file && errno == ENOENT) {
        (void)snprintf(path, size, "%s/%s", dir, lte_blocks_columns.file);
        file = fopen(path, mode);
    }
    return file;
}

static lte_status open_marked(const lte_block_source *source, const char *mode, FILE **file,
                              char *path, size_t size)
{
    *file = open_lines(source->dir, mode, path, size);
    if (!*file)
        return LTE_FAIL(LTE_EINVAL,
                        "%s has no " LTE_BLOCKS_PART ": its blocks were not kept, so it cannot go "
                        "on with --blocks",
                        source->dir);
    if (is_marked(*file, &source->mark))
        return LTE_OK;
    (void)fclose(*file);
    *file = NULL;
    return LTE_FAIL(LTE_EINVAL, "%s is not what the journal in %s says: it was changed or damaged",
                    path, source->dir);
}

/* ---- joined ---- */

/* The rows of a point, and what their lines begin with. */
typedef struct {
    const lte_sweep *sweep;
    int s, n;
    char prefix[LTE_MAX_DETECTORS][MOST_PREFIX];
} point;

static void point_of(const lte_sweep *sweep, int s, point *p)
{
    p->sweep = sweep;
    p->s = s;
    p->n = sweep->n_detectors;
    for (int d = 0; d < p->n; d++) {
        const lte_row *row = lte_sweep_row(sweep, d, s);
        (void)snprintf(p->prefix[d], sizeof p->prefix[d], "%s,%s,%.9g,",
                       lte_csi_rows[row->csi].name, lte_detector_named(row->detector).text,
                       row->snr_db);
    }
}

/*
 * Whether a line is of a point. counted: and of a slot that its row has counted; merged: or merged,
 * as part of a drop.
 */
static bool is_of(const point *p, const char *line, bool *counted, bool *merged)
{
    const lte_sweep *sweep = p->sweep;
    for (int d = 0; d < p->n; d++) {
        const size_t n = strlen(p->prefix[d]);
        char *end;
        if (strncmp(line, p->prefix[d], n) != 0)
            continue;
        const unsigned long long drop = strtoull(line + n, &end, 10);
        const unsigned long long subframe = *end == ',' ? strtoull(end + 1, &end, 10) : 0;
        if (*end != ',')
            return false;
        const uint64_t slot =
            (uint64_t)drop * (uint64_t)sweep->cut.drop_slots + 2 * (uint64_t)subframe;
        const lte_row *row = lte_sweep_row(sweep, d, p->s);
        *counted = slot < sweep->first + row->slots;
        *merged = slot < sweep->first + row->slots + (uint64_t)row->drop.n_slots;
        return true;
    }
    return false;
}

/* Copies the lines of all points that readers [n] have, point by point, each in readers' order. */
static lte_status copy_lines(lte_block_log *log, const lte_sweeps *sweeps, reader *readers, int n)
{
    point *p = malloc(sizeof *p);
    if (!p)
        return no_memory();
    for (int i = 0; i < n; i++) {
        next(&readers[i]); /* the head */
        next(&readers[i]);
    }
    for (int k = 0; k < sweeps->n; k++) {
        for (int s = 0; s < sweeps->of[k]->n_started; s++) {
            point_of(sweeps->of[k], s, p);
            for (int i = 0; i < n; i++) {
                bool counted = false, merged;
                for (; is_of(p, readers[i].line, &counted, &merged); next(&readers[i])) {
                    FILE *out = counted ? next_line(log) : NULL;
                    if (out)
                        (void)fputs(readers[i].line, out);
                }
            }
        }
    }
    free(p);
    return LTE_OK;
}

/* Marks the line at hand, too, and goes on. */
static void pass(reader *from, lte_block_mark *mark)
{
    const size_t n = strlen(from->line);
    mark->check = lte_text_check(mark->check, from->line, n);
    mark->bytes += n;
    next(from);
}

/* Makes p the point that a line is of, and says what is_of does; false: it is of none. */
static bool find_point(const lte_sweeps *sweeps, const char *line, point *p, bool *counted,
                       bool *merged)
{
    if (p->sweep && is_of(p, line, counted, merged))
        return true;
    for (int k = 0; k < sweeps->n; k++) {
        for (int s = 0; s < sweeps->of[k]->n_started; s++) {
            point_of(sweeps->of[k], s, p);
            if (is_of(p, line, counted, merged))
                return true;
        }
    }
    return false;
}

/*
 * Makes a log end with the last of the lines from the first on that are of merged slots: all that
 * follows was merged after the sweeps were saved.
 */
static lte_status find_merged(lte_block_log *log, const lte_sweeps *sweeps, reader *from)
{
    point *p = calloc(1, sizeof *p);
    if (!p)
        return no_memory();
    bool counted, merged;
    next(from);
    pass(from, &log->written); /* the head */
    while (find_point(sweeps, from->line, p, &counted, &merged) && merged) {
        note_point(log, p->sweep->csi, p->s);
        pass(from, &log->written);
    }
    free(p);
    return LTE_OK;
}

lte_status lte_block_log_join(lte_block_log *log, const lte_sweeps *sweeps,
                              const lte_block_source *sources, int n)
{
    reader *readers = calloc((size_t)n, sizeof *readers);
    lte_status status = LTE_OK;
    if (!readers)
        return no_memory();
    for (int i = 0; i < n && !status; i++) {
        char path[4096];
        if (sources[i].mark.bytes == 0) /* its journal is damaged from there on: it has no rounds */
            continue;
        readers[i].left = sources[i].mark.bytes;
        status = open_marked(&sources[i], "r", &readers[i].file, path, sizeof path);
    }
    if (!status)
        status = copy_lines(log, sweeps, readers, n);
    for (int i = 0; i < n; i++) {
        if (readers[i].file)
            (void)fclose(readers[i].file);
    }
    free(readers);
    return status ? status : log->status;
}

lte_status lte_block_log_resume(lte_block_log *log, const char *dir, const lte_sweeps *sweeps,
                                const lte_block_mark *mark)
{
    const lte_block_source source = {dir, *mark};
    char path[4096];
    reader from = {.left = mark->bytes};
    *log = (lte_block_log){.named = true};
    if (snprintf(log->file.path, sizeof log->file.path, "%s/" LTE_BLOCKS_PART, dir) >=
        (int)sizeof log->file.path)
        return LTE_FAIL(LTE_EIO, "%s/" LTE_BLOCKS_PART ": the name is too long", dir);
    lte_status status = open_marked(&source, "r+", &from.file, path, sizeof path);
    if (status)
        return status;
    log->file.stream = from.file;
    status = find_merged(log, sweeps, &from);
    errno = 0;
    if (!status && (fseeko(from.file, (off_t)log->written.bytes, SEEK_SET) != 0 ||
                    (strcmp(path, log->file.path) != 0 && rename(path, log->file.path) != 0)))
        return fail(log, errno);
    return status;
}

/* Copies the lines that rows have counted, as they stand. */
static void copy_sorted(FILE *out, const lte_sweeps *sweeps, reader from, point *p)
{
    bool counted, merged;
    next(&from); /* the head */
    for (next(&from); find_point(sweeps, from.line, p, &counted, &merged); next(&from)) {
        if (counted)
            (void)fputs(from.line, out);
    }
}

/* The same, the lines of each point from all over the file. */
static void gather(FILE *out, const lte_sweeps *sweeps, reader all, point *p)
{
    for (int k = 0; k < sweeps->n; k++) {
        for (int s = 0; s < sweeps->of[k]->n_started; s++) {
            reader from = all;
            bool counted, merged;
            point_of(sweeps->of[k], s, p);
            rewind(from.file);
            for (next(&from); *from.line; next(&from)) {
                if (is_of(p, from.line, &counted, &merged) && counted)
                    (void)fputs(from.line, out);
            }
        }
    }
}

/* blocks.csv of a run that is not complete, or has joined parts that were not. */
static lte_status copy_counted(const lte_block_log *log, const char *dir, const lte_sweeps *sweeps)
{
    const reader from = {.file = fopen(log->file.path, "r"), .left = log->written.bytes};
    lte_csv csv;
    if (!from.file)
        return LTE_FAIL(LTE_EIO, "%s: %s", log->file.path, strerror(errno));
    point *p = calloc(1, sizeof *p);
    if (p)
        lte_csv_open(&csv, dir, &lte_blocks_columns, LTE_N_BLOCKS);
    if (p && !csv.status)
        (log->unsorted ? gather : copy_sorted)(csv.file.stream, sweeps, from, p);
    const lte_status status = p ? lte_csv_close(&csv) : no_memory();
    free(p);
    (void)fclose(from.file);
    return status;
}

lte_status lte_block_log_end(lte_block_log *log, const char *dir, const lte_sweeps *sweeps,
                             bool complete)
{
    char path[4096];
    lte_block_mark mark;
    lte_status status = log->file.stream ? lte_block_log_keep(log, &mark) : LTE_OK;
    if (status || !log->file.stream)
        return status;
    if (!complete || log->unsorted)
        return copy_counted(log, dir, sweeps);
    errno = 0;
    if (ftruncate(fileno(log->file.stream), (off_t)log->written.bytes) != 0 ||
        snprintf(path, sizeof path, "%s/%s", dir, lte_blocks_columns.file) >= (int)sizeof path ||
        rename(log->file.path, path) != 0)
        return fail(log, errno);
    return LTE_OK;
}
