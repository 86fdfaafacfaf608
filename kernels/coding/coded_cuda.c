/* What the blocks of a code take on a device, and the steps of a start in their order. */
#include "kernels/coding/coded_cuda.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/coding/blocks.h"
#include "kernels/coding/coded_memory_cuda.h"
#include "kernels/coding/turbo_cuda.h"
#include "phy/coding/crc.h"
#include "phy/base/gold.h"

enum { MOST_DECODERS = LTE_MOST_CODEWORDS * LTE_CODE_SIZES };

struct lte_coded_cuda {
    const lte_code *code;
    lte_coded_job job;
    void *memory;                                                /* of everything in job */
    lte_turbo_cuda *decoder[LTE_MOST_CODEWORDS][LTE_CODE_SIZES]; /* of codewords alike the same */
    /*
     * of subframes that are received: few code blocks leave a device idle, so all sizes go at once
     */
    cudaStream_t side[MOST_DECODERS];
    cudaEvent_t forked, joined[MOST_DECODERS];
};

/* ---- tables ---- */

static lte_status copy(const void *d_table, const void *table, size_t size)
{
    return LTE_CUDA(cudaMemcpy((void *)d_table, table, size, cudaMemcpyHostToDevice));
}

/* Streams that do not wait for plain copies find the tables whole. */
static lte_status wait_for_copies(void)
{
    return LTE_CUDA(cudaStreamSynchronize(NULL));
}

static lte_status copy_remainders(const lte_coded_job *job, uint32_t *work)
{
    const uint32_t generators[] = {LTE_CRC_24A, LTE_CRC_24B};
    lte_status status = LTE_OK;
    for (int g = 0; g < 2 && !status; g++) {
        uint32_t power = 1;
        for (int i = 0; i < LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS; i++) {
            work[i] = power;
            power = lte_crc_shift(generators[g], power);
        }
        status =
            copy(job->remainders[g], work, (LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS) * sizeof *work);
    }
    return status;
}

static lte_status copy_flips(const lte_link *link, const lte_coded_job *job, uint8_t *work)
{
    const size_t of_subframe = 2 * (size_t)job->slot_label_bytes;
    for (int i = 0; i < LTE_CODE_FRAME; i++)
        lte_code_flips(link->output.code, link, i, work + (size_t)i * of_subframe);
    return copy(job->flips, work, LTE_CODE_FRAME * of_subframe);
}

/* The labels of elements without data, to all streams: the first, and then what there is again. */
static lte_status copy_idle(const lte_link *link, const lte_coded_job *job, size_t n, uint8_t *work)
{
    const size_t size = 2 * (size_t)job->slot_label_bytes;
    memset(work, 0, size);
    lte_code_idle(link, work);
    lte_status status = copy(job->labels, work, size);
    for (size_t done = 1; done < n && !status; done *= 2)
        status = LTE_CUDA(cudaMemcpy(job->labels + done * size, job->labels,
                                     (done < n - done ? done : n - done) * size,
                                     cudaMemcpyDeviceToDevice));
    return status;
}

static lte_status copy_permutation(const lte_coded_size *size, const lte_code_block *block,
                                   uint16_t *work)
{
    for (int i = 0; i < size->k; i++)
        work[i] = (uint16_t)lte_code_block_at(block, i);
    return copy(size->permutation, work, (size_t)size->k * sizeof *work);
}

/* count [encoded] is work. */
static lte_status copy_sources(const lte_link *link, const lte_coded_word *w, int q, int i,
                               uint32_t *count, uint32_t *source, uint32_t *many)
{
    const size_t n_many = 2 * (size_t)w->sent;
    lte_code_sources(link->output.code, link, q, i, count, source, many);
    const lte_status status =
        copy(w->source + (ptrdiff_t)i * w->encoded, source, (size_t)w->encoded * sizeof *source);
    return status ? status : copy(w->many + (size_t)i * n_many, many, n_many * sizeof *many);
}

/* Where elements are in d; then where each bit that is sent is. */
static lte_status copy_places(const lte_code *code, const lte_coded_word *w, int q, uint32_t *work)
{
    const lte_segmentation *s = &code->transport[q].s;
    const int n = code->plan.transmissions * w->sent;
    uint32_t *const bit = work, *const place = work + w->encoded;
    uint32_t word = 0;
    for (int r = 0, p = 0; r < s->n; r++) {
        const int k = lte_segment_block(s, r)->k;
        for (int stream = 0; stream < 3; stream++) {
            for (int i = 0; i < k + LTE_TURBO_TAIL; i++)
                bit[p++] = 32 * word + (uint32_t)i;
            word += (uint32_t)lte_coded_stream_words(k);
        }
    }
    for (int e = 0; e < n; e++)
        place[e] = bit[code->place[q][e]];
    return copy(w->place, place, (size_t)n * sizeof *place);
}

static lte_status copy_word(const lte_link *link, const lte_coded_job *job, int q, uint32_t *work)
{
    const lte_code *code = link->output.code;
    const lte_coded_word *w = &job->word[q];
    const lte_segmentation *s = &code->transport[q].s;
    const size_t sent = (size_t)w->sent;
    uint32_t *const source = work + w->encoded, *const many = source + w->encoded;
    lte_status status = copy_places(code, w, q, work);
    if (!status)
        status = copy(w->symbol, code->symbol[q], sent / (size_t)w->n_bits * sizeof *w->symbol);
    if (!status && w->size[0].n > 0)
        status = copy_permutation(&w->size[0], s->smaller, (uint16_t *)work);
    if (!status && w->size[1].n > 0)
        status = copy_permutation(&w->size[1], s->size, (uint16_t *)work);
    for (int i = 0; i < code->plan.transmissions && !status; i++)
        status = copy_sources(link, w, q, i, work, source, many);
    return status;
}

/* Words that the largest of the tables takes while it is made. */
static size_t work_of(const lte_coded_job *job)
{
    const size_t flips = LTE_CODE_FRAME * 2 * (size_t)job->slot_label_bytes / sizeof(uint32_t) + 1;
    size_t most = LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS;
    most = flips > most ? flips : most;
    for (int q = 0; q < job->n_codewords; q++) {
        const size_t encoded = (size_t)job->word[q].encoded, sent = (size_t)job->word[q].sent;
        const size_t sources = 2 * (encoded + sent);
        const size_t places = encoded + (size_t)job->plan.transmissions * sent;
        most = sources > most ? sources : most;
        most = places > most ? places : most;
    }
    return most;
}

/* n: streams of labels; 0: nothing is sent. */
static lte_status copy_tables(const lte_link *link, const lte_coded_job *job, size_t n)
{
    uint32_t *work = malloc(work_of(job) * sizeof *work);
    if (!work)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the tables of a code");
    lte_status status = copy_remainders(job, work);
    if (!status)
        status = copy_flips(link, job, (uint8_t *)work);
    if (!status && n > 0)
        status = copy_idle(link, job, n, (uint8_t *)work);
    for (int q = 0; q < job->n_codewords && !status; q++)
        status = copy_word(link, job, q, work);
    free(work);
    return status;
}

/* ---- made and freed ---- */

static lte_status make_decoders(lte_coded_cuda *c, int q)
{
    const lte_segmentation *s = &c->code->transport[q].s;
    lte_status status = LTE_OK;
    for (int i = 0; i < LTE_CODE_SIZES && !status; i++) {
        if (c->job.word[q].size[i].n == 0)
            continue;
        const lte_turbo_plan plan = lte_code_decoding(c->code, q, i ? s->size : s->smaller);
        status = lte_turbo_cuda_create(&plan, &c->decoder[q][i]);
    }
    return status;
}

lte_status lte_coded_cuda_decoder_bytes(const lte_link *link, size_t *bytes)
{
    const lte_code *code = link->output.code;
    lte_status status = LTE_OK;
    *bytes = 0;
    for (int q = 0; q < (lte_code_is_alike(code) ? 1 : code->n_codewords); q++) {
        for (int i = 0; i < LTE_CODE_SIZES && !status; i++) {
            const lte_code_block *block;
            size_t own = 0;
            if (lte_code_of_size(code, q, i, &block) == 0)
                continue;
            const lte_turbo_plan plan = lte_code_decoding(code, q, block);
            status = lte_turbo_cuda_bytes(&plan, &own);
            *bytes += own;
        }
    }
    return status;
}

/* d_memory NULL: it is taken. */
static lte_status prepare(const lte_link *link, bool sends, int n, int n_detectors, void *d_memory,
                          lte_coded_cuda *c)
{
    lte_status status = LTE_OK;
    for (int q = 0; q < link->output.code->n_codewords; q++)
        if (link->output.code->transport[q].bits % 8)
            return LTE_FAIL(LTE_EINVAL,
                            "a transport block of %d bits (a device needs a multiple of 8)",
                            link->output.code->transport[q].bits);
    c->code = link->output.code;
    c->job = lte_coded_job_of(link);
    if (!d_memory)
        status = LTE_CUDA(
            cudaMalloc(&c->memory, lte_coded_lay(c->code, sends, n, n_detectors, NULL, &c->job)));
    if (status)
        return status;
    (void)lte_coded_lay(c->code, sends, n, n_detectors, d_memory ? d_memory : c->memory, &c->job);
    const int n_streams = sends ? n * lte_coded_streams(c->code, n_detectors) : 0;
    status = copy_tables(link, &c->job, (size_t)n_streams);
    for (int q = 0; q < c->code->n_codewords && !status; q++) {
        if (q > 0 && lte_code_is_alike(c->code))
            memcpy(c->decoder[q], c->decoder[0], sizeof c->decoder[q]);
        else
            status = make_decoders(c, q);
    }
    return status;
}

static lte_status create(const lte_link *link, bool sends, int n, int n_detectors, void *d_memory,
                         lte_coded_cuda **coded)
{
    *coded = NULL;
    lte_coded_cuda *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a code");
    lte_status status = prepare(link, sends, n, n_detectors, d_memory, made);
    if (!status)
        status = wait_for_copies();
    if (status) {
        lte_coded_cuda_free(made);
        return status;
    }
    *coded = made;
    return LTE_OK;
}

lte_status lte_coded_cuda_create(const lte_link *link, int n_processes, int n_detectors,
                                 void *d_memory, lte_coded_cuda **coded)
{
    return create(link, true, n_processes, n_detectors, d_memory, coded);
}

void lte_coded_cuda_free(lte_coded_cuda *coded)
{
    if (!coded)
        return;
    for (int q = 0; q < LTE_MOST_CODEWORDS; q++)
        for (int i = 0; i < LTE_CODE_SIZES; i++)
            if (q == 0 || coded->decoder[q][i] != coded->decoder[0][i])
                lte_turbo_cuda_free(coded->decoder[q][i]);
    for (int i = 0; i < MOST_DECODERS; i++) {
        if (coded->side[i])
            (void)cudaStreamDestroy(coded->side[i]);
        if (coded->joined[i])
            (void)cudaEventDestroy(coded->joined[i]);
    }
    if (coded->forked)
        (void)cudaEventDestroy(coded->forked);
    (void)cudaFree(coded->memory);
    free(coded);
}

/* ---- a start ---- */

/* Decodes what is listed of a codeword. */
static lte_status decode(const lte_coded_cuda *c, const lte_coded_job *job, int q,
                         cudaStream_t stream)
{
    const lte_coded_word *w = &job->word[q];
    lte_status status = LTE_OK;
    for (int i = 0; i < LTE_CODE_SIZES && !status; i++) {
        const lte_coded_size *s = &w->size[i];
        if (s->n > 0)
            status = lte_turbo_cuda_run_listed(c->decoder[q][i], w->n_listed, s->n,
                                               job->n_processes * job->n_detectors * s->n, s->llr,
                                               s->decoded, s->iterations, stream);
    }
    return status;
}

/* The turn of all processes. */
static lte_status run_turn(const lte_coded_cuda *coded, const lte_coded_job *job,
                           const lte_sweep_start *start, cudaStream_t stream)
{
    const lte_carried carried = {.plan = job->plan,
                                 .turn = job->turn,
                                 .n_processes = job->n_processes,
                                 .n_streams = job->n_streams,
                                 .n_slots = job->n_slots,
                                 .listens = job->listens,
                                 .flips = job->flips,
                                 .labels = job->labels,
                                 .llrs = job->llrs,
                                 .power = job->stream_power};
    lte_status status = lte_coded_list_cuda(job, stream);
    if (!status)
        status = lte_coded_draw_cuda(job, stream);
    if (!status)
        status = lte_coded_send_cuda(job, stream);
    if (!status)
        status = lte_sweep_carry_cuda(start, &carried, stream);
    if (!status && job->losses)
        status = lte_coded_record_cuda(job, stream);
    for (int q = 0; q < job->n_codewords && !status; q++) {
        status = lte_coded_combine_cuda(job, q, 1, stream);
        if (!status)
            status = decode(coded, job, q, stream);
        if (!status)
            status = lte_coded_judge_cuda(job, q, stream);
    }
    return status;
}

lte_status lte_coded_cuda_run(lte_coded_cuda *coded, const lte_sweep_start *start,
                              cudaStream_t stream)
{
    const lte_code_plan *plan = &coded->code->plan;
    lte_sweep_start known = *start;
    lte_coded_job job = coded->job;
    job.n_processes = start->n_slots / lte_code_group_slots(plan) * lte_code_processes(plan);
    job.n_detectors = start->n_detectors;
    job.n_streams = lte_coded_streams(coded->code, start->n_detectors);
    job.n_slots = start->n_slots;
    job.first = start->first;
    job.power = start->d_power;
    job.errors = start->d_errors;
    job.losses = start->link->output.integer_losses;
    lte_status status = lte_sweep_prepare_cuda(&known, stream);
    if (!status)
        status = lte_coded_begin_cuda(&job, stream);
    for (int turn = 0; turn < lte_code_turns(plan) && !status; turn++) {
        job.turn = turn;
        status = run_turn(coded, &job, &known, stream);
    }
    return status ? status : lte_coded_end_cuda(&job, stream);
}

/* ---- subframes that have been detected ---- */

/* All are listed, in their order, and stay so. */
static lte_status list_all(const lte_coded_cuda *c, uint32_t n)
{
    uint32_t *const places = malloc((n + 1) * sizeof *places);
    lte_status status = LTE_OK;
    if (!places)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a list of blocks");
    for (uint32_t i = 0; i < n; i++)
        places[i] = i;
    for (int q = 0; q < c->job.n_codewords && !status; q++) {
        status = copy(c->job.word[q].list, places, n * sizeof *places);
        if (!status)
            status = copy(c->job.word[q].n_listed, &n, sizeof n);
    }
    free(places);
    return status ? status : wait_for_copies();
}

/* The streams of all decoders but the first, and what they wait for. */
static lte_status make_sides(lte_coded_cuda *c)
{
    lte_status status = LTE_CUDA(cudaEventCreateWithFlags(&c->forked, cudaEventDisableTiming));
    for (int i = 1; i < MOST_DECODERS && !status; i++) {
        status = LTE_CUDA(cudaStreamCreateWithFlags(&c->side[i], cudaStreamNonBlocking));
        if (!status)
            status = LTE_CUDA(cudaEventCreateWithFlags(&c->joined[i], cudaEventDisableTiming));
    }
    return status;
}

lte_status lte_coded_cuda_receive(const lte_link *link, int n_subframes, lte_coded_cuda **coded)
{
    lte_coded_cuda *made = NULL;
    *coded = NULL;
    lte_status status = create(link, false, n_subframes, 1, NULL, &made);
    if (status || !made)
        return status;
    made->job.n_processes = n_subframes;
    made->job.n_detectors = 1;
    status = list_all(made, (uint32_t)n_subframes);
    if (!status)
        status = make_sides(made);
    if (status) {
        lte_coded_cuda_free(made);
        return status;
    }
    *coded = made;
    return LTE_OK;
}

int8_t *lte_coded_cuda_llrs(const lte_coded_cuda *coded)
{
    return coded->job.llrs;
}

const uint8_t *lte_coded_cuda_flips(const lte_coded_cuda *coded)
{
    return coded->job.flips;
}

lte_status lte_coded_cuda_match(lte_coded_cuda *coded, const lte_subframes *subframes,
                                cudaStream_t stream)
{
    lte_coded_job job = coded->job;
    job.n_processes = subframes->n;
    return lte_coded_combine_cuda(&job, 0, job.n_codewords, stream);
}

/* Decodes n subframes' code blocks of a size: the first on the stream itself, others beside it. */
static lte_status decode_size(const lte_coded_cuda *c, int q, int size, int n, bool first,
                              cudaStream_t stream)
{
    const lte_coded_size *s = &c->job.word[q].size[size];
    const int i = q * LTE_CODE_SIZES + size;
    cudaStream_t own = first ? stream : c->side[i];
    lte_status status = first ? LTE_OK : LTE_CUDA(cudaStreamWaitEvent(own, c->forked, 0));
    if (!status)
        status = lte_turbo_cuda_run(c->decoder[q][size], n * s->pitch, s->llr, s->decoded,
                                    s->iterations, own);
    if (!status && !first)
        status = LTE_CUDA(cudaEventRecord(c->joined[i], own));
    return status;
}

lte_status lte_coded_cuda_decode(lte_coded_cuda *coded, const lte_subframes *subframes,
                                 cudaStream_t stream)
{
    const int n_words = lte_code_is_alike(coded->code) ? 1 : coded->job.n_codewords;
    int used[MOST_DECODERS], n = 0;
    for (int i = 0; i < n_words * LTE_CODE_SIZES; i++) {
        if (coded->job.word[i / LTE_CODE_SIZES].size[i % LTE_CODE_SIZES].n > 0)
            used[n++] = i;
    }
    lte_status status = n > 1 ? LTE_CUDA(cudaEventRecord(coded->forked, stream)) : LTE_OK;
    for (int k = n - 1; k >= 0 && !status; k--)
        status = decode_size(coded, used[k] / LTE_CODE_SIZES, used[k] % LTE_CODE_SIZES,
                             subframes->n, k == 0, stream);
    for (int k = 1; k < n && !status; k++)
        status = LTE_CUDA(cudaStreamWaitEvent(stream, coded->joined[used[k]], 0));
    return status;
}

lte_status lte_coded_cuda_check(lte_coded_cuda *coded, const lte_subframes *subframes,
                                cudaStream_t stream)
{
    lte_coded_delivery delivery = {.subframes = *subframes, .pitch = lte_block_bytes(coded->code)};
    for (int q = 0; q < coded->job.n_codewords; q++)
        delivery.at[q] = lte_block_at(coded->code, q);
    return lte_coded_deliver_cuda(&coded->job, &delivery, stream);
}
