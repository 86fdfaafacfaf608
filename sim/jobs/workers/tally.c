/* Sums of slots, record by record. */
#include "sim/jobs/workers/tally.h"

#include "kernels/coding/coded.h"

#include <stdlib.h>
#include <string.h>

int lte_tally_records(const lte_tally_cut *cut, uint64_t first, int n_slots)
{
    const uint64_t round = (uint64_t)cut->round_slots, last = first + (uint64_t)n_slots - 1;
    return (int)(last / round - first / round) + 3; /* a part of a drop at either end */
}

/* Where the rows of a record begin, and its counts. */
static const size_t rows_at = sizeof(lte_tally_head);

static size_t counts_at(int n_detectors)
{
    return rows_at + (size_t)n_detectors * sizeof(lte_tally_row);
}

size_t lte_tally_record_bytes(const lte_tally_cut *cut, int n_detectors)
{
    const size_t align = _Alignof(lte_tally_head);
    const size_t counts = (size_t)lte_counts_at(cut->n_sums, n_detectors) * sizeof(uint64_t);
    return (counts_at(n_detectors) + counts + align - 1) / align * align;
}

/* Where the records begin. */
static size_t records_at(const lte_tally *tally)
{
    const size_t align = _Alignof(lte_tally_head);
    const size_t words = (size_t)tally->cut.n_words * (size_t)tally->n_detectors;
    const size_t bytes = (size_t)(tally->end - tally->first) / 2 * words * sizeof(uint32_t);
    return (bytes + align - 1) / align * align;
}

size_t lte_tally_bytes(const lte_tally *tally, int n_records)
{
    return records_at(tally) +
           (size_t)n_records * lte_tally_record_bytes(&tally->cut, tally->n_detectors);
}

uint32_t *lte_tally_transmissions(const lte_tally *tally, uint64_t slot, int k)
{
    const size_t subframe = (size_t)(slot - tally->first) / 2;
    uint32_t *const all = (uint32_t *)(void *)tally->memory;
    return all + (subframe * (size_t)tally->n_detectors + (size_t)k) * (size_t)tally->cut.n_words;
}

static unsigned char *record_of(const lte_tally *tally, int i)
{
    return tally->memory + lte_tally_bytes(tally, i);
}

lte_tally_head *lte_tally_head_of(const lte_tally *tally, int i)
{
    return (lte_tally_head *)(void *)record_of(tally, i);
}

lte_tally_row *lte_tally_row_of(const lte_tally *tally, int i, int k)
{
    return (lte_tally_row *)(void *)(record_of(tally, i) + rows_at) + k;
}

uint64_t *lte_tally_counts_of(const lte_tally *tally, int i, int k)
{
    unsigned char *counts = record_of(tally, i) + counts_at(tally->n_detectors);
    return (uint64_t *)(void *)counts + lte_counts_at(tally->cut.n_sums, k);
}

static void forget_lost(lte_tally *tally)
{
    const size_t n = (size_t)tally->n_detectors * (size_t)tally->cut.n_lost;
    if (n > 0)
        memset(tally->bits_lost, 0, n * sizeof *tally->bits_lost);
}

lte_status lte_tally_begin(lte_tally *tally, int n_detectors, uint64_t first, int n_slots)
{
    const int most = lte_tally_records(&tally->cut, first, n_slots);
    if (n_detectors > LTE_MAX_DETECTORS)
        return LTE_FAIL(LTE_EINVAL, "a tally of %d detectors (at most %d)", n_detectors,
                        LTE_MAX_DETECTORS);
    tally->n_detectors = n_detectors;
    tally->first = first;
    tally->end = first + (uint64_t)n_slots;
    const size_t size = lte_tally_bytes(tally, most);
    const size_t n_lost = (size_t)n_detectors * (size_t)tally->cut.n_lost;
    if (size > tally->size) {
        free(tally->memory);
        tally->memory = malloc(size);
        tally->size = tally->memory ? size : 0;
    }
    if (n_lost > tally->n_bits_lost) {
        free(tally->bits_lost);
        tally->bits_lost = malloc(n_lost * sizeof *tally->bits_lost);
        tally->n_bits_lost = tally->bits_lost ? n_lost : 0;
    }
    if (!tally->memory || n_lost > tally->n_bits_lost)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the counts of %d slots", n_slots);
    forget_lost(tally);
    tally->n = 0;
    tally->most = most;
    tally->next = first;
    memset(tally->drop_errors, 0, sizeof tally->drop_errors);
    memset(tally->drop_lost, 0, sizeof tally->drop_lost);
    memset(tally->drop_coded, 0, sizeof tally->drop_coded);
    return LTE_OK;
}

void lte_tally_free(lte_tally *tally)
{
    free(tally->memory);
    free(tally->bits_lost);
    tally->memory = NULL;
    tally->bits_lost = NULL;
    tally->size = tally->n_bits_lost = 0;
}

/*
 * True if the next slot, the first of a drop, belongs to the record at hand, with its whole drop.
 */
static bool goes_on(const lte_tally *tally, const lte_tally_head *head)
{
    const uint64_t drop = (uint64_t)tally->cut.drop_slots;
    return tally->next % (uint64_t)tally->cut.round_slots != 0 && head->first % drop == 0 &&
           tally->end - tally->next >= drop;
}

/* The record that the next slot belongs to, which begins a drop or the tally; false: no room. */
static bool begin_drop(lte_tally *tally)
{
    if (tally->n > 0 && goes_on(tally, lte_tally_head_of(tally, tally->n - 1)))
        return true;
    if (tally->n >= tally->most)
        return false;
    memset(record_of(tally, tally->n), 0, lte_tally_record_bytes(&tally->cut, tally->n_detectors));
    lte_tally_head_of(tally, tally->n++)->first = tally->next;
    return true;
}

lte_u128 lte_lost_squares(const lte_tally_cut *cut, const uint64_t *sums, int i)
{
    const uint64_t *words = &sums[lte_squares_at(cut, i)];
    lte_u128 sum = 0;
    for (int w = 0; w < LTE_SQUARE_WORDS; w++)
        sum += (lte_u128)words[w] << 32 * w;
    return sum;
}

void lte_add_lost_square(const lte_tally_cut *cut, int i, uint64_t lost, uint64_t *sums)
{
    uint64_t *words = &sums[lte_squares_at(cut, i)];
    lte_u128 square = (lte_u128)lost * lost;
    for (int w = 0; w < LTE_SQUARE_WORDS; w++, square >>= 32)
        words[w] += w < LTE_SQUARE_WORDS - 1 ? (uint32_t)square : (uint64_t)square;
}

void lte_tally_harq_join(lte_tally_harq *harq, const lte_tally_harq *other)
{
    harq->blocks2 += other->blocks2;
    harq->error_blocks += other->error_blocks;
    harq->wrong_blocks += other->wrong_blocks;
    harq->delivered2 += other->delivered2;
    harq->transmissions2 += other->transmissions2;
    harq->transmission_blocks += other->transmission_blocks;
    harq->iterations2 += other->iterations2;
    harq->iteration_decoded += other->iteration_decoded;
    harq->decoded2 += other->decoded2;
    for (int k = 0; k < LTE_N_GROUPS; k++)
        harq->group_blocks[k] += other->group_blocks[k];
}

static lte_u128 product(uint64_t a, uint64_t b)
{
    return (lte_u128)a * b;
}

void lte_tally_harq_add(lte_tally_harq *harq, const uint64_t *coded, uint64_t drop)
{
    const uint64_t *const c = coded;
    const uint64_t blocks = c[LTE_CODED_BLOCKS], sent = c[LTE_CODED_TRANSMISSIONS];
    const uint64_t iterations = c[LTE_CODED_ITERATIONS], decoded = c[LTE_CODED_DECODED];
    lte_tally_harq one = {.blocks2 = product(blocks, blocks),
                          .error_blocks = product(c[LTE_CODED_WRONG_FIRST], blocks),
                          .wrong_blocks = product(c[LTE_CODED_WRONG], blocks),
                          .delivered2 = product(c[LTE_CODED_DELIVERED], c[LTE_CODED_DELIVERED]),
                          .transmissions2 = product(sent, sent),
                          .transmission_blocks = product(sent, blocks),
                          .iterations2 = product(iterations, iterations),
                          .iteration_decoded = product(iterations, decoded),
                          .decoded2 = product(decoded, decoded)};
    one.group_blocks[drop % LTE_N_GROUPS] = blocks;
    lte_tally_harq_join(harq, &one);
}

/* ---- what differs by what is counted ---- */

/* Blocks whose twelfths are summed, in the parts that errors are counted in. */
static uint64_t parts_of(const lte_tally_cut *cut, uint64_t twelfths)
{
    return twelfths * (uint64_t)cut->parts / LTE_TWELFTHS;
}

static uint64_t sum_bits(const lte_tally_cut *cut, const uint64_t *counts)
{
    uint64_t sum = 0;
    for (int k = 0; k < cut->n_tx; k++)
        sum += counts[lte_bits_at(k)];
    return sum;
}

static uint64_t sum_wrong_first(const lte_tally_cut *cut, const uint64_t *counts)
{
    return parts_of(cut, counts[lte_coded_at(cut->n_tx, LTE_CODED_WRONG_FIRST)]);
}

static uint64_t sum_nothing(const lte_tally_cut *cut, const uint64_t *counts)
{
    (void)cut;
    (void)counts;
    return 0;
}

static uint64_t sum_lost(const lte_tally_cut *cut, const uint64_t *counts)
{
    uint64_t sum = 0;
    for (int i = 0; i < cut->n_lost; i++)
        sum += counts[lte_lost_at(cut->n_tx, cut->n_bits, 0, i)];
    return sum;
}

static uint64_t sum_wrong(const lte_tally_cut *cut, const uint64_t *counts)
{
    return parts_of(cut, counts[lte_coded_at(cut->n_tx, LTE_CODED_WRONG)]);
}

/* Slots: counts [n_counts] of detector k in one; returns its errors. */
static uint64_t add_bits(lte_tally *tally, lte_tally_row *row, int k, const uint32_t *counts)
{
    (void)row;
    (void)k;
    return lte_bit_errors(tally->cut.n_tx, counts);
}

static uint64_t add_llrs(lte_tally *tally, lte_tally_row *row, int k, const uint32_t *counts)
{
    const lte_tally_cut *cut = &tally->cut;
    const uint64_t lost = lte_information_lost(cut->n_tx, cut->n_bits, counts);
    const uint64_t group = tally->next / (uint64_t)cut->drop_slots % LTE_N_GROUPS;
    tally->drop_lost[k] += lost;
    row->lost_groups[group] += lost;
    for (int i = 0; i < cut->n_lost; i++)
        tally->bits_lost[k * cut->n_lost + i] += counts[lte_lost_at(cut->n_tx, cut->n_bits, 0, i)];
    return lte_bit_errors(cut->n_tx, counts);
}

static uint64_t add_blocks(lte_tally *tally, lte_tally_row *row, int k, const uint32_t *counts)
{
    const uint32_t *const coded = counts + lte_coded_at(tally->cut.n_tx, 0);
    (void)row;
    tally->drop_lost[k] += parts_of(&tally->cut, coded[LTE_CODED_WRONG]);
    for (int i = 0; i < LTE_N_CODED_COUNTS; i++)
        tally->drop_coded[k][i] += coded[i];
    return parts_of(&tally->cut, coded[LTE_CODED_WRONG_FIRST]);
}

/* Ends of whole drops of detector k. */
static void end_bits(const lte_tally *tally, lte_tally_row *row, int k)
{
    (void)tally;
    (void)row;
    (void)k;
}

static void end_llrs(const lte_tally *tally, lte_tally_row *row, int k)
{
    const int n_lost = tally->cut.n_lost;
    (void)row;
    for (int i = 0; i < n_lost; i++)
        lte_add_lost_square(&tally->cut, i, tally->bits_lost[k * n_lost + i],
                            lte_tally_counts_of(tally, tally->n - 1, k));
}

static void end_blocks(const lte_tally *tally, lte_tally_row *row, int k)
{
    lte_tally_harq_add(&row->harq, tally->drop_coded[k],
                       (tally->next - 1) / (uint64_t)tally->cut.drop_slots);
}

static const struct {
    uint64_t (*errors)(const lte_tally_cut *cut, const uint64_t *counts);
    uint64_t (*lost)(const lte_tally_cut *cut, const uint64_t *counts);
    uint64_t (*add)(lte_tally *tally, lte_tally_row *row, int k, const uint32_t *counts);
    void (*end)(const lte_tally *tally, lte_tally_row *row, int k);
} kinds[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {sum_bits, sum_nothing, add_bits, end_bits},
    [LTE_COUNTED_LLRS] = {sum_bits, sum_lost, add_llrs, end_llrs},
    [LTE_COUNTED_BLOCKS] = {sum_wrong_first, sum_wrong, add_blocks, end_blocks},
};

uint64_t lte_errors_of_counts(const lte_tally_cut *cut, const uint64_t *counts)
{
    return kinds[cut->counted].errors(cut, counts);
}

uint64_t lte_lost_of_counts(const lte_tally_cut *cut, const uint64_t *counts)
{
    return kinds[cut->counted].lost(cut, counts);
}

/* ---- drops ---- */

/* What the drop at hand adds to detector k's pair with the first one. */
static void end_paired_drop(const lte_tally *tally, int k, lte_tally_row *row)
{
    const uint64_t *first = tally->drop_coded[0], *c = tally->drop_coded[k];
    const uint64_t blocks = c[LTE_CODED_BLOCKS];
    lte_paired_count_add(&row->pair,
                         (uint64_t[]){first[LTE_CODED_WRONG_FIRST], c[LTE_CODED_WRONG_FIRST]},
                         (uint64_t[]){first[LTE_CODED_BLOCKS], blocks});
}

/* The last slot of a drop has been added to the record: one more sample, if all of it is there. */
static void end_drop(lte_tally *tally, const lte_tally_head *head)
{
    const lte_tally_cut *cut = &tally->cut;
    const bool whole = head->first % (uint64_t)cut->drop_slots == 0;
    for (int k = 0; k < tally->n_detectors && whole; k++) {
        lte_tally_row *row = lte_tally_row_of(tally, tally->n - 1, k);
        const uint64_t errors = tally->drop_errors[k];
        const int64_t d = (int64_t)tally->drop_errors[0] - (int64_t)errors;
        row->errors2 += (lte_u128)errors * errors;
        lte_difference_add(&row->d, d);
        row->lost2 += (lte_u128)tally->drop_lost[k] * tally->drop_lost[k];
        kinds[cut->counted].end(tally, row, k);
        if (cut->harq)
            end_paired_drop(tally, k, row);
    }
    memset(tally->drop_coded, 0, (size_t)tally->n_detectors * sizeof *tally->drop_coded);
    forget_lost(tally);
    memset(tally->drop_errors, 0, (size_t)tally->n_detectors * sizeof *tally->drop_errors);
    memset(tally->drop_lost, 0, (size_t)tally->n_detectors * sizeof *tally->drop_lost);
}

/* Keeps what the rows of a subframe's first slot have of its transmissions. */
static void keep_transmissions(const lte_tally *tally, const uint32_t *errors)
{
    const lte_tally_cut *cut = &tally->cut;
    for (int k = 0; k < tally->n_detectors; k++, errors += lte_tally_row_size(cut))
        memcpy(lte_tally_transmissions(tally, tally->next, k), errors + cut->n_counts,
               (size_t)cut->n_words * sizeof *errors);
}

/* Silent layers that a detector has met in a slot, or is told of at the first one of a subframe. */
static uint64_t silent_layers(const lte_tally *tally, const uint32_t *errors)
{
    const lte_tally_cut *cut = &tally->cut;
    const uint64_t here = cut->silent[tally->next % cut->n_stored];
    if (cut->counted != LTE_COUNTED_BLOCKS)
        return here;
    return errors[lte_coded_at(cut->n_tx, LTE_CODED_SUBFRAMES)] *
           (here + cut->silent[(tally->next + 1) % cut->n_stored]);
}

/* Adds a slot to the record at hand. */
static void add_slot(lte_tally *tally, lte_tally_head *head, const lte_power *power,
                     const uint32_t *errors)
{
    const lte_tally_cut *cut = &tally->cut;
    const int n_counts = cut->n_counts;
    const uint64_t group = tally->next / (uint64_t)tally->cut.drop_slots % LTE_N_GROUPS;
    lte_tally_row *row = lte_tally_row_of(tally, tally->n - 1, 0);
    uint64_t *counts = lte_tally_counts_of(tally, tally->n - 1, 0);
    head->slots++;
    head->signal += power->signal;
    head->noise += power->noise;
    for (int k = 0; k < tally->n_detectors;
         k++, errors += lte_tally_row_size(cut), counts += cut->n_sums) {
        const uint64_t sum = kinds[cut->counted].add(tally, &row[k], k, errors);
        for (int i = 0; i < n_counts; i++)
            counts[i] += errors[i];
        if (cut->silent)
            counts[lte_silent_at(cut->n_tx)] += silent_layers(tally, errors);
        row[k].errors += sum;
        row[k].groups[group] += sum;
        tally->drop_errors[k] += sum;
    }
}

lte_status lte_tally_add(lte_tally *tally, int n, const lte_power *power, const uint32_t *errors)
{
    const uint64_t drop = (uint64_t)tally->cut.drop_slots;
    if (tally->next + (uint64_t)n > tally->end)
        return LTE_FAIL(LTE_EINVAL, "%d slots are too many for a tally up to slot %llu", n,
                        (unsigned long long)tally->end);
    for (int i = 0; i < n; i++) {
        const bool begins = tally->n == 0 || tally->next % drop == 0;
        if (begins && !begin_drop(tally))
            return LTE_FAIL(LTE_EINVAL, "a tally has %d records and no room for more", tally->n);
        lte_tally_head *head = lte_tally_head_of(tally, tally->n - 1);
        add_slot(tally, head, &power[i], errors);
        if (tally->cut.n_words > 0 && tally->next % 2 == 0)
            keep_transmissions(tally, errors);
        errors += lte_counts_at(lte_tally_row_size(&tally->cut), tally->n_detectors);
        tally->next++;
        if (tally->next % drop == 0)
            end_drop(tally, head);
    }
    return LTE_OK;
}
