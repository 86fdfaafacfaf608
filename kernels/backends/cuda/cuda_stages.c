/* One slot by stages on a CUDA device: a list of stages, an event before each. */
#include "kernels/backends/cuda/cuda_stages.h"

#include "kernels/coding/counted.h"
#include "kernels/cuda/launchers.h"

lte_status lte_cuda_stages_init(lte_cuda_slots *slots, lte_cuda_stages *s)
{
    const lte_link *link = slots->link;
    const size_t batches = lte_link_in_batches(link) ? 0 : 1;
    s->slots = slots;
    const lte_cuda_wish wishes[] = {
        {(void **)&s->batches.h, batches * lte_layout_bytes(link, LTE_BATCH_CSI)},
        {(void **)&s->batches.y, batches * lte_layout_bytes(link, LTE_BATCH_Y)},
        {(void **)&s->batches.g, batches * lte_layout_bytes(link, LTE_BATCH_GRAM)},
        {(void **)&s->batches.flag, lte_layout_bytes(link, LTE_BATCH_FLAG)},
        {(void **)&s->batches.label, batches * lte_layout_bytes(link, LTE_BATCH_LABEL)},
        {(void **)&s->h_planes, lte_layout_bytes(link, LTE_PLANES_CSI)},
        {(void **)&s->y_planes,
         (size_t)link->receiver.pilots * lte_layout_bytes(link, LTE_PLANES_Y)},
        {(void **)&s->bits, lte_due_bytes(link)},
    };
    lte_status status = lte_cuda_alloc(wishes, sizeof wishes / sizeof *wishes);
    if (!status) /* LLRs of a reference symbol are not written and stay zero */
        status = LTE_CUDA(cudaMemsetAsync(s->bits, 0, lte_due_bytes(link), slots->stream));
    for (int i = 0; i <= LTE_N_TIMED && !status; i++)
        status = LTE_CUDA(cudaEventCreate(&s->event[i]));
    return status;
}

void lte_cuda_stages_fini(lte_cuda_stages *s)
{
    void *const all[] = {s->batches.h,     s->batches.y, s->batches.g, s->batches.flag,
                         s->batches.label, s->h_planes,  s->y_planes,  s->bits};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (void)cudaFree(all[i]);
    for (int i = 0; i <= LTE_N_TIMED; i++) {
        if (s->event[i])
            (void)cudaEventDestroy(s->event[i]);
    }
}

/* A slot on its way through the stages. */
typedef struct {
    const lte_cuda_stages *s;
    const lte_link *link;
    const lte_slot_job *job;
    uint64_t i;
    int way; /* of ways[] */
    bool from_host;
    uint64_t place;          /* among the slots that it is estimated from */
    const lte_cf32 *h, *y;   /* where the planes of those are by now */
    const int64_t *residual; /* of the estimate; NULL if there is none */
    uint8_t *bits;           /* where they belong, or those of its subframe */
    int8_t *llrs;            /* of a link that carries a code: where they go */
    cudaStream_t stream;
} passing_slot;

static lte_status copy_in(passing_slot *p)
{
    const size_t h_size = lte_planes_size(p->link, p->link->receiver.n_csi) * sizeof *p->h;
    const size_t y_size =
        (size_t)p->link->receiver.pilots * lte_slot_y_size(p->link) * sizeof *p->y;
    lte_status status = LTE_OK;
    if (!p->from_host)
        return LTE_OK;
    if (!lte_link_estimates(p->link))
        status = LTE_CUDA(
            cudaMemcpyAsync(p->s->h_planes, p->h, h_size, cudaMemcpyHostToDevice, p->stream));
    if (!status)
        status = LTE_CUDA(
            cudaMemcpyAsync(p->s->y_planes, p->y, y_size, cudaMemcpyHostToDevice, p->stream));
    p->h = p->s->h_planes;
    p->y = p->s->y_planes;
    return status;
}

static lte_status estimate(passing_slot *p)
{
    return lte_cuda_slots_receive(p->s->slots, p->y, &p->h, &p->residual);
}

/* The slot's own planes of y. */
static const lte_cf32 *y_of(const passing_slot *p)
{
    return p->y + p->place * lte_slot_y_size(p->link);
}

/* The slot alone, where it is by now. */
static lte_slot_memory memory_of(const passing_slot *p)
{
    return lte_cuda_slot_alone(p->h, p->link->receiver.pilots, y_of(p),
                               p->from_host ? p->s->bits : p->bits, p->job->memory.row_bytes);
}

/* The noise with the slot's own combination, if it has one. */
static lte_noise noise_of(const passing_slot *p)
{
    return lte_cuda_noise_alone(p->job->noise, p->place);
}

static bool inverts(const passing_slot *p)
{
    return lte_detector_needs(p->job->detector, LTE_NEEDS_INVERSE);
}

/* ---- batches of matrices side by side, a thread for each ---- */

static lte_status turn_to_batches(passing_slot *p)
{
    const lte_cuda_batches *b = &p->s->batches;
    return lte_corner_turn_cuda(p->link, p->h, y_of(p), b->h, b->y, p->stream);
}

static lte_status gram_of_batches(passing_slot *p)
{
    const lte_cuda_batches *b = &p->s->batches;
    return inverts(p) ? lte_gram_cuda(p->link, p->job->detector, p->job->noise, p->residual, b->h,
                                      b->g, p->stream)
                      : LTE_OK;
}

static lte_status invert_batches(passing_slot *p)
{
    const lte_cuda_batches *b = &p->s->batches;
    return inverts(p) ? lte_invert_cuda(p->link, b->g, b->flag, p->stream) : LTE_OK;
}

static lte_status detect_batches(passing_slot *p)
{
    const lte_cuda_batches *b = &p->s->batches;
    const lte_detected d = {p->residual, b->h, b->g, b->y, b->label, b->flag};
    const lte_status status =
        lte_detect_cuda(p->link, p->job->detector, p->job->noise, &d, p->stream);
    return status
               ? status
               : lte_pack_cuda(p->link, b->label, p->from_host ? p->s->bits : p->bits, p->stream);
}

/* ---- matrices one after the other, a block or a few threads for each ---- */

static lte_status turn_to_matrices(passing_slot *p)
{
    const lte_slot_memory alone = memory_of(p);
    return lte_large_turn_cuda(p->link, p->job->noise, &alone, p->place, 1, p->s->large, p->stream);
}

static lte_status gram_of_matrices(passing_slot *p)
{
    const lte_units units = lte_units_of(p->link, p->place, 1);
    const lte_residuals residual = {p->residual, 0, 1};
    return lte_detector_needs(p->job->detector, LTE_NEEDS_GRAM)
               ? lte_large_gram_cuda(p->link, &units, p->job->detector, noise_of(p), &residual,
                                     p->s->large, p->stream)
               : LTE_OK;
}

static lte_status invert_matrices(passing_slot *p)
{
    return inverts(p) ? lte_large_invert_cuda(p->link, 1, p->s->large, p->stream) : LTE_OK;
}

static lte_status detect_matrices(passing_slot *p)
{
    lte_slot_job alone = *p->job;
    alone.memory = memory_of(p);
    return lte_large_detect_cuda(p->link, &alone, p->residual, p->place, 1, p->s->large, p->stream);
}

/* Both are made for a detector that needs the inverse. */
static lte_status gram_to_invert(passing_slot *p)
{
    return inverts(p) ? gram_of_matrices(p) : LTE_OK;
}

/* The slot alone as a job: its LLRs go where those of its subframe lie, if it is of one. */
static lte_slot_job job_alone(const passing_slot *p)
{
    const lte_scrambled *all = &p->job->memory.scrambled;
    lte_slot_job alone = *p->job;
    alone.memory = memory_of(p);
    alone.n_carriers = 1;
    if (p->llrs) {
        alone.memory.bits = (uint8_t *)p->llrs;
        alone.memory.scrambled = *all;
        alone.memory.scrambled.part = (int)(p->i % all->distinct) * all->step + all->part;
        alone.memory.scrambled.distinct = 1;
    }
    return alone;
}

static lte_status decide_matrices(passing_slot *p)
{
    const lte_slot_job alone = job_alone(p);
    return lte_decide_made_cuda(p->link, &alone, p->residual, p->place, 1, p->s->large, p->stream);
}

/* ---- one kernel from planes to LLRs ---- */

/* All from planes to LLRs. */
static lte_status detect_llrs(passing_slot *p)
{
    const lte_slot_job alone = job_alone(p);
    return lte_slot_throughput_cuda(p->link, &alone, p->residual, p->place, p->stream);
}

static bool fits_threads(const lte_link *link, lte_detector detector)
{
    (void)detector;
    return lte_link_fits_threads(link);
}

static bool fits_batches(const lte_link *link, lte_detector detector)
{
    (void)detector;
    return !lte_link_in_batches(link);
}

static bool any(const lte_link *link, lte_detector detector)
{
    (void)link;
    (void)detector;
    return true;
}

/* The stages between the estimate and the decoder; NULL: there is none. */
static const struct {
    unsigned gives;  /* LTE_GIVES_LABELS, LTE_GIVES_LLRS */
    int n_detectors; /* so many of the list, from the first on */
    bool (*takes)(const lte_link *link, lte_detector detector);
    lte_status (*corner_turn)(passing_slot *p);
    lte_status (*gram)(passing_slot *p);
    lte_status (*invert)(passing_slot *p);
    lte_status (*detect)(passing_slot *p);
} ways[] = {
    {.gives = LTE_GIVES_LLRS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = fits_threads,
     .detect = detect_llrs},
    {.gives = LTE_GIVES_LABELS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = fits_batches,
     .corner_turn = turn_to_batches,
     .gram = gram_of_batches,
     .invert = invert_batches,
     .detect = detect_batches},
    {.gives = LTE_GIVES_LABELS,
     .n_detectors = LTE_N_ESTIMATING_DETECTORS,
     .takes = lte_large_takes,
     .corner_turn = turn_to_matrices,
     .gram = gram_of_matrices,
     .invert = invert_matrices,
     .detect = detect_matrices},
    {.gives = LTE_GIVES_LABELS | LTE_GIVES_LLRS,
     .n_detectors = LTE_N_DETECTORS,
     .takes = any,
     .corner_turn = turn_to_matrices,
     .gram = gram_to_invert,
     .invert = invert_matrices,
     .detect = decide_matrices},
};

/* The first row that takes a link and a detector; the last one does. */
static int way_of(const lte_link *link, lte_detector detector)
{
    int i = 0;
    while (!(ways[i].gives & link->output.asked) || detector.id >= ways[i].n_detectors ||
           !ways[i].takes(link, detector))
        i++;
    return i;
}

static lte_status corner_turn(passing_slot *p)
{
    return ways[p->way].corner_turn ? ways[p->way].corner_turn(p) : LTE_OK;
}

static lte_status gram(passing_slot *p)
{
    return ways[p->way].gram ? ways[p->way].gram(p) : LTE_OK;
}

static lte_status invert(passing_slot *p)
{
    return ways[p->way].invert ? ways[p->way].invert(p) : LTE_OK;
}

static lte_status detect(passing_slot *p)
{
    return ways[p->way].detect(p);
}

/* The subframe of the slot, alone. */
static lte_subframes subframe_of(const passing_slot *p)
{
    return (lte_subframes){
        .n = 1, .distinct = 1, .bits = p->from_host ? p->s->bits : p->bits, .n_out = 1};
}

static lte_status match(passing_slot *p)
{
    const lte_subframes subframe = subframe_of(p);
    return p->llrs ? lte_coded_cuda_match(p->s->slots->subframes, &subframe, p->stream) : LTE_OK;
}

static lte_status decode(passing_slot *p)
{
    const lte_subframes subframe = subframe_of(p);
    return p->llrs ? lte_coded_cuda_decode(p->s->slots->subframes, &subframe, p->stream) : LTE_OK;
}

static lte_status check(passing_slot *p)
{
    const lte_subframes subframe = subframe_of(p);
    return p->llrs ? lte_coded_cuda_check(p->s->slots->subframes, &subframe, p->stream) : LTE_OK;
}

static lte_status copy_out(passing_slot *p)
{
    return p->from_host
               ? LTE_CUDA(cudaMemcpyAsync(p->bits, p->s->bits, p->s->slots->job.memory.out_bytes,
                                          cudaMemcpyDeviceToHost, p->stream))
               : LTE_OK;
}

static lte_status (*const stage_of[LTE_N_TIMED])(passing_slot *p) = {
    [LTE_TIMED_COPY_IN] = copy_in,
    [LTE_TIMED_ESTIMATION] = estimate,
    [LTE_TIMED_CORNER_TURN] = corner_turn,
    [LTE_TIMED_GRAM] = gram,
    [LTE_TIMED_INVERSION] = invert,
    [LTE_TIMED_DETECTION] = detect,
    [LTE_TIMED_RATE_MATCHING] = match,
    [LTE_TIMED_DECODING] = decode,
    [LTE_TIMED_CRC] = check,
    [LTE_TIMED_COPY_OUT] = copy_out,
};

/* False for a stage that does nothing: its events are an event's time apart, no stage's. */
static bool is_there(const passing_slot *p, int stage)
{
    if (stage == LTE_TIMED_COPY_IN || stage == LTE_TIMED_COPY_OUT)
        return p->from_host;
    if (stage == LTE_TIMED_CORNER_TURN)
        return ways[p->way].corner_turn;
    if (stage == LTE_TIMED_GRAM || stage == LTE_TIMED_INVERSION)
        return ways[p->way].invert && inverts(p);
    if (stage >= LTE_TIMED_RATE_MATCHING)
        return p->llrs != NULL;
    return stage != LTE_TIMED_ESTIMATION || lte_link_estimates(p->link);
}

/* Slot i of a job. */
static passing_slot pass(const lte_cuda_stages *s, const lte_slot_job *job, uint64_t i)
{
    const lte_cuda_slots *slots = s->slots;
    const lte_link *link = slots->link;
    return (passing_slot){.s = s,
                          .link = link,
                          .job = job,
                          .i = i,
                          .way = way_of(link, job->detector),
                          .from_host = slots->plan.placement == LTE_PLACEMENT_HOST,
                          .place = i % (uint64_t)link->receiver.pilots,
                          .h = lte_slot_memory_h(link, &job->memory, i),
                          .y = lte_slot_memory_pilots(link, &job->memory, i),
                          .bits = lte_slot_memory_bits(&slots->job.memory, i),
                          .stream = slots->stream};
}

/* Slot i alone, or a slot of subframe i; *job: out: what it belongs to. */
static passing_slot pass_slot(const lte_cuda_stages *s, uint64_t i, int second, lte_slot_job *job)
{
    (void)second;
    *job = s->slots->job;
    return pass(s, job, i);
}

static passing_slot pass_half(const lte_cuda_stages *s, uint64_t i, int second, lte_slot_job *job)
{
    const lte_cuda_slots *slots = s->slots;
    const bool neighbours = slots->job.memory.parts == 1;
    uint64_t first = neighbours ? 0 : (uint64_t)(second * slots->job.n_carriers);
    *job = lte_cuda_slots_period(slots, &first);
    passing_slot p = pass(s, job, neighbours ? 2 * i + (uint64_t)second : i);
    p.bits = lte_slot_memory_bits(&slots->job.memory, i);
    p.llrs = lte_coded_cuda_llrs(slots->subframes) + second * lte_llr_planes(slots->link);
    return p;
}

lte_status lte_cuda_stages_run(lte_cuda_stages *s, uint64_t i, double *us)
{
    static passing_slot (*const pass_of[LTE_N_COUNTED])(const lte_cuda_stages *, uint64_t, int,
                                                        lte_slot_job *) = {
        [LTE_COUNTED_BITS] = pass_slot,
        [LTE_COUNTED_LLRS] = pass_slot,
        [LTE_COUNTED_BLOCKS] = pass_half,
    };
    const int counted = s->slots->link->output.counted;
    const int last = lte_counted_of(s->slots->link)->due_slots - 1; /* the one that is timed */
    lte_slot_job job;
    lte_status status = LTE_OK;
    passing_slot p = pass_of[counted](s, i, 0, &job);
    for (int half = 0; half < last; half++) {
        for (int k = 0; k <= LTE_TIMED_DETECTION && !status; k++)
            status = stage_of[k](&p);
        p = pass_of[counted](s, i, half + 1, &job);
    }
    for (int k = 0; k < LTE_N_TIMED && !status; k++) {
        status = LTE_CUDA(cudaEventRecord(s->event[k], p.stream));
        if (!status)
            status = stage_of[k](&p);
    }
    if (!status)
        status = LTE_CUDA(cudaEventRecord(s->event[LTE_N_TIMED], p.stream));
    if (!status)
        status = LTE_CUDA(cudaStreamSynchronize(p.stream));
    for (int k = 0; k < LTE_N_TIMED && !status; k++) {
        float ms = 0.0f;
        status = LTE_CUDA(cudaEventElapsedTime(&ms, s->event[k], s->event[k + 1]));
        us[k] = is_there(&p, k) ? 1e3 * (double)ms : 0.0;
    }
    return status;
}
