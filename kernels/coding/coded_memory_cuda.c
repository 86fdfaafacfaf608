/* The numbers of a code, and where all that its processes take lies in the memory of a device. */
#include "kernels/coding/coded_memory_cuda.h"

#include "phy/coding/crc.h"

enum { BOUNDARY = 256 };

/* The next n elements behind an offset, which goes on; NULL where memory is only measured. */
static void *take(char *memory, size_t *at, size_t n, size_t size)
{
    char *const taken = memory ? memory + *at : NULL;
    *at += (n * size + BOUNDARY - 1) / BOUNDARY * BOUNDARY;
    return taken;
}

/* What does not grow with blocks. */
static void lay_tables(const lte_code *code, char *memory, size_t *at, lte_coded_job *job)
{
    const size_t n = (size_t)code->plan.transmissions;
    for (int i = 0; i < LTE_CODE_SIZES; i++)
        job->remainders[i] = take(memory, at, LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS, 4);
    job->flips = take(memory, at, LTE_CODE_FRAME, 2 * (size_t)job->slot_label_bytes);
    for (int q = 0; q < code->n_codewords; q++) {
        lte_coded_word *w = &job->word[q];
        const size_t sent = (size_t)w->sent;
        w->place = take(memory, at, n * sent, sizeof *w->place);
        w->symbol = take(memory, at, sent / (size_t)w->n_bits, sizeof *w->symbol);
        w->source = take(memory, at, n * (size_t)w->encoded, sizeof *w->source);
        w->many = take(memory, at, 2 * n * sent, sizeof *w->many);
        w->n_listed = take(memory, at, 1, sizeof *w->n_listed);
        for (int i = 0; i < LTE_CODE_SIZES; i++)
            w->size[i].permutation =
                take(memory, at, LTE_MAX_CODE_BLOCK, sizeof *w->size[i].permutation);
    }
}

int lte_coded_streams(const lte_code *code, int n_detectors)
{
    return code->plan.transmissions > 1 ? n_detectors : 1;
}

/*
 * What processes whose blocks are sent here have. Codewords are decoded one after the other: in the
 * same memory.
 */
static void lay_processes(const lte_code *code, size_t n, int n_detectors, char *memory, size_t *at,
                          lte_coded_job *job)
{
    const size_t most = n * (size_t)n_detectors;
    const size_t streams = n * (size_t)lte_coded_streams(code, n_detectors);
    const size_t slots = streams / (size_t)lte_code_processes(&code->plan) *
                         (size_t)lte_code_group_slots(&code->plan);
    size_t behind = 0;
    job->listens = take(memory, at, most, 1);
    job->labels = take(memory, at, streams, 2 * (size_t)job->slot_label_bytes);
    job->llrs = take(memory, at, most, 2 * (size_t)job->planes);
    job->stream_power = take(memory, at, slots, sizeof *job->stream_power);
    for (int q = 0; q < code->n_codewords; q++) {
        lte_coded_word *w = &job->word[q];
        const size_t encoded = (size_t)w->encoded;
        w->harq = take(memory, at, most, sizeof *w->harq);
        w->transport = take(memory, at, streams, (size_t)w->pitch);
        w->d = take(memory, at, streams * (size_t)w->words, sizeof *w->d);
        w->soft = NULL;
        if (code->plan.transmissions > 1)
            w->soft = take(memory, at, most, encoded * sizeof *w->soft);
        w->begun = take(memory, at, streams, sizeof *w->begun);
        w->n_begun = take(memory, at, 1, sizeof *w->n_begun);
        w->list = take(memory, at, most, sizeof *w->list);
    }
    for (int q = 0; q < code->n_codewords; q++) {
        size_t end = *at;
        for (int i = 0; i < LTE_CODE_SIZES; i++) {
            lte_coded_size *s = &job->word[q].size[i];
            const size_t n_each = (size_t)s->n, k = (size_t)s->k;
            s->llr = take(memory, &end, most, 3 * n_each * (k + LTE_TURBO_TAIL));
            s->decoded = take(memory, &end, most, n_each * k);
            s->iterations = take(memory, &end, most, n_each);
        }
        behind = end > behind ? end : behind;
    }
    *at = behind;
}

/*
 * What subframes that have been detected have. Code blocks of codewords that are alike are decoded
 * together: in a subframe those of one follow those of the other.
 */
static void lay_subframes(const lte_code *code, size_t n, char *memory, size_t *at,
                          lte_coded_job *job)
{
    const int together = lte_code_is_alike(code) ? code->n_codewords : 1;
    job->llrs = take(memory, at, n, 2 * (size_t)job->planes);
    for (int q = 0; q < code->n_codewords; q++)
        job->word[q].list = take(memory, at, n, sizeof *job->word[q].list);
    for (int first = 0; first < code->n_codewords; first += together) {
        for (int i = 0; i < LTE_CODE_SIZES; i++) {
            const int n_each = job->word[first].size[i].n, k = job->word[first].size[i].k;
            const size_t of_word = (size_t)n_each, all = n * of_word * (size_t)together;
            const size_t length = 3 * (size_t)(k + LTE_TURBO_TAIL);
            int8_t *const llr = take(memory, at, all, length);
            uint8_t *const decoded = take(memory, at, all, (size_t)k);
            uint8_t *const iterations = take(memory, at, all, 1);
            for (size_t q = 0; q < (size_t)together && memory; q++) {
                lte_coded_size *s = &job->word[(size_t)first + q].size[i];
                s->pitch = together * n_each;
                s->llr = llr + q * of_word * length;
                s->decoded = decoded + q * of_word * (size_t)k;
                s->iterations = iterations + q * of_word;
            }
        }
    }
}

/* ---- the numbers of a code ---- */

static lte_coded_size size_of(const lte_code_block *block, int n)
{
    lte_coded_size size = {.n = n, .pitch = n, .k = n > 0 ? block->k : 0};
    for (int e = 0; e < 2 && n > 0; e++)
        for (int t = 0; t < LTE_TURBO_MEMORY; t++)
            for (int parity = 0; parity < 2; parity++)
                size.tail[e][t][parity] = lte_turbo_tail(block, e, t, parity);
    return size;
}

static lte_coded_word word_of(const lte_transport *t)
{
    const int drawn = (t->bits + LTE_CODE_DRAWN - 1) / LTE_CODE_DRAWN * LTE_CODE_DRAWN;
    int words = 0;
    for (int r = 0; r < t->s.n; r++)
        words += 3 * lte_coded_stream_words(lte_segment_block(&t->s, r)->k);
    return (lte_coded_word){
        .bits = t->bits,
        .all_bits = t->s.n_bits,
        .n_blocks = t->s.n,
        .filler = t->s.filler,
        .n_bits = t->n_bits,
        .sent = lte_transport_sent(t),
        .encoded = lte_transport_encoded(t),
        .words = words,
        .pitch = drawn + LTE_CODE_DRAWN, /* and the CRC behind it */
        .size = {size_of(t->s.smaller, t->s.n_smaller),
                 size_of(t->s.size, t->s.n - t->s.n_smaller)},
    };
}

lte_coded_job lte_coded_job_of(const lte_link *link)
{
    const lte_code *code = link->output.code;
    lte_coded_job job = {.draws = link->channel.draws,
                         .n_tx = link->n_tx,
                         .n_counts = link->output.n_counts,
                         .n_sc = link->carrier.n_sc,
                         .n_bits = link->n_bits,
                         .pilot = link->receiver.pilot,
                         .grid = link->carrier.grid,
                         .n_elements = lte_data_elements(link),
                         .n_codewords = code->n_codewords,
                         .plan = code->plan,
                         .planes = lte_llr_planes(link),
                         .slot_label_bytes = (int)lte_label_planes(link)};
    for (int q = 0; q < code->n_codewords; q++)
        job.word[q] = word_of(&code->transport[q]);
    return job;
}

size_t lte_coded_lay(const lte_code *code, bool sends, int n, int n_detectors, char *memory,
                     lte_coded_job *job)
{
    size_t bytes = 0;
    lay_tables(code, memory, &bytes, job);
    if (sends)
        lay_processes(code, (size_t)n, n_detectors, memory, &bytes, job);
    else
        lay_subframes(code, (size_t)n, memory, &bytes, job);
    return bytes;
}

size_t lte_coded_cuda_bytes(const lte_link *link, int n_processes, int n_detectors)
{
    lte_coded_job job = lte_coded_job_of(link);
    return lte_coded_lay(link->output.code, true, n_processes, n_detectors, NULL, &job);
}
