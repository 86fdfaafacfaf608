/* Block error rates and throughput of rows, from their counts. */
#include "sim/jobs/sweep/throughput.h"

#include <math.h>

double lte_code_bits(const lte_code *code)
{
    double sum = 0.0;
    for (int q = 0; q < code->n_codewords; q++)
        sum += code->transport[q].bits;
    return sum;
}

double lte_code_sent(const lte_code *code)
{
    double sum = 0.0;
    for (int q = 0; q < code->n_codewords; q++)
        sum += lte_transport_sent(&code->transport[q]);
    return sum;
}

double lte_code_rate(const lte_code *code)
{
    double bits = 0.0;
    for (int q = 0; q < code->n_codewords; q++)
        bits += code->transport[q].s.n_bits;
    return bits / lte_code_sent(code);
}

bool lte_code_may_be_skipped(const lte_code *code)
{
    bool above = false;
    for (int q = 0; q < code->n_codewords; q++)
        above = above || lte_transport_rate(&code->transport[q]) > LTE_MOST_RECEIVED_RATE;
    return above;
}

/* from + width times the rate of a count, which is exact where there is no width. */
static lte_row_mean mean_of(const lte_error_count *count, double from, double width)
{
    if (!(width > 0.0))
        return (lte_row_mean){.mean = from, .low = from, .high = from};
    const lte_interval share = lte_interval_of(count);
    const bool has = share.known || share.no_error;
    return (lte_row_mean){.mean = from + width * share.rate,
                          .low = has ? from + width * share.low : (double)NAN,
                          .high = has ? from + width * share.high : (double)NAN};
}

/* What the counts of a row are made of; all but the last two are in twelfths, of a drop at most. */
typedef struct {
    const lte_row *row;
    const uint64_t *of;   /* its coded counts */
    uint64_t least;       /* of a block that counts */
    uint64_t blocks;      /* transport blocks, of which each has a transmission a subframe */
    uint64_t code_blocks; /* as often as they are decoded */
    uint64_t bits;        /* payload of a subframe, */
    uint64_t fewest_bits; /* and of its smallest block */
} counted;

static counted counted_of(const lte_sweep *sweep, const lte_row *row, const lte_code *code)
{
    const uint64_t *of = row->counts + lte_coded_at(sweep->cut.n_tx, 0);
    const uint64_t subframes = of[LTE_CODED_SUBFRAMES] / row->error_count.clusters;
    counted c = {.row = row,
                 .of = of,
                 .least = LTE_TWELFTHS / (uint64_t)code->plan.transmissions,
                 .bits = (uint64_t)lte_code_bits(code),
                 .fewest_bits = UINT64_MAX};
    c.blocks = LTE_TWELFTHS * subframes * (uint64_t)code->n_codewords;
    for (int q = 0; q < code->n_codewords; q++) {
        const lte_transport *t = &code->transport[q];
        c.code_blocks += LTE_TWELFTHS * subframes * (uint64_t)t->s.n;
        c.fewest_bits = (uint64_t)t->bits < c.fewest_bits ? (uint64_t)t->bits : c.fewest_bits;
    }
    return c;
}

/* Payload that was delivered, of what there was room for. */
static lte_error_count delivered_of(const counted *c)
{
    const uint64_t n = c->row->error_count.clusters, delivered = c->of[LTE_CODED_DELIVERED];
    const uint64_t room = c->of[LTE_CODED_SUBFRAMES] / n * c->bits * LTE_TWELFTHS;
    return (lte_error_count){.clusters = n,
                             .cluster_bits = room,
                             .errors = delivered,
                             .errors2 = c->row->harq.delivered2,
                             .least = c->fewest_bits * c->least,
                             .parts = c->fewest_bits * LTE_TWELFTHS,
                             .bits = n * room,
                             .bits2 = (lte_u128)room * room * n,
                             .cross = (lte_u128)room * delivered};
}

/* Sums over drops of x and y, x one or more of each y, and of their products; y at most. */
typedef struct {
    uint64_t x, y, most_y;
    lte_u128 xx, xy, yy;
} sums_of_two;

/* The x beyond one of each y, of those that there could have been: more at most of each. */
static lte_error_count beyond_one(const counted *c, const sums_of_two *s, uint64_t more)
{
    return (lte_error_count){.clusters = c->row->error_count.clusters,
                             .cluster_bits = more * s->most_y,
                             .errors = s->x - s->y,
                             .errors2 = s->xx + s->yy - 2 * s->xy,
                             .least = c->least,
                             .parts = more * LTE_TWELFTHS,
                             .bits = more * s->y,
                             .bits2 = (lte_u128)more * more * s->yy,
                             .cross = more * (s->xy - s->yy)};
}

static lte_error_count repeated_of(const counted *c, uint64_t more)
{
    const lte_tally_harq *h = &c->row->harq;
    return beyond_one(c,
                      &(sums_of_two){.x = c->of[LTE_CODED_TRANSMISSIONS],
                                     .y = c->of[LTE_CODED_BLOCKS],
                                     .most_y = c->blocks,
                                     .xx = h->transmissions2,
                                     .xy = h->transmission_blocks,
                                     .yy = h->blocks2},
                      more);
}

/*
 * Few drops have most of the iterations beyond the first where nearly every block is decoded at
 * once; of iterations with the first one all drops have as many, which would tell of none that were
 * not drawn.
 */
static lte_error_count iterations_of(const counted *c, uint64_t more)
{
    const lte_tally_harq *h = &c->row->harq;
    return beyond_one(c,
                      &(sums_of_two){.x = c->of[LTE_CODED_ITERATIONS],
                                     .y = c->of[LTE_CODED_DECODED],
                                     .most_y = c->code_blocks,
                                     .xx = h->iterations2,
                                     .xy = h->iteration_decoded,
                                     .yy = h->decoded2},
                      more);
}

lte_row_blocks lte_row_blocks_of(const lte_sweep *sweep, const lte_row *row)
{
    static const double subframe_s = 1e-3;
    const int n_tx = sweep->cut.n_tx;
    const uint64_t *of = row->counts + lte_coded_at(n_tx, 0);
    const lte_code *code = sweep->scenario->codes[lte_csi_estimates(row->csi)];
    const counted c = counted_of(sweep, row, code);
    const uint64_t bits = c.bits;
    const uint64_t more = (uint64_t)code->plan.transmissions - 1;
    const uint64_t again = code->plan.early ? (uint64_t)code->plan.iterations - 1 : 0;
    const double sent = lte_code_sent(code);
    const double subframes = (double)of[LTE_CODED_SUBFRAMES], peak = (double)bits / subframe_s;
    const lte_error_count delivered = delivered_of(&c), repeated = repeated_of(&c, more);
    const lte_error_count iterations = iterations_of(&c, again);
    lte_error_count last = row->error_count;
    last.errors = lte_lost_of_counts(&sweep->cut, row->counts);
    last.errors2 = row->lost2;
    last.cross = row->harq.wrong_blocks;
    uint64_t wrong_bits = 0;
    for (int k = 0; k < n_tx; k++)
        wrong_bits += row->counts[lte_bits_at(k)];
    return (lte_row_blocks){
        .blocks = of[LTE_CODED_BLOCKS],
        .wrong_first = of[LTE_CODED_WRONG_FIRST],
        .wrong = of[LTE_CODED_WRONG],
        .undetected = of[LTE_CODED_UNDETECTED],
        .last = lte_interval_of(&last),
        .throughput = mean_of(&delivered, 0.0, peak),
        .peak = peak,
        .transmissions = mean_of(&repeated, 1.0, (double)more),
        .iterations =
            mean_of(&iterations, (double)(code->plan.iterations - (int)again), (double)again),
        .raw_ber = (double)wrong_bits / (subframes * sent),
        .ber = (double)of[LTE_CODED_BIT_ERRORS] / (double)of[LTE_CODED_BITS],
        .rate = lte_code_rate(code),
        .payload_db = 10.0 * log10(sent / (double)bits)};
}
