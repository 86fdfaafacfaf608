/* Block error rates and throughput of rows, from their counts. */
#include "sim/jobs/sweep/throughput.h"

double lte_code_bits(const lte_code *code)
{
    double sum = 0.0;
    for (int q = 0; q < code->n_codewords; q++)
        sum += code->transport[q].bits;
    return sum;
}

double lte_code_rate(const lte_code *code)
{
    double sent = 0.0, bits = 0.0;
    for (int q = 0; q < code->n_codewords; q++) {
        bits += code->transport[q].s.n_bits;
        sent += lte_transport_sent(&code->transport[q]);
    }
    return bits / sent;
}

lte_row_blocks lte_row_blocks_of(const lte_sweep *sweep, const lte_row *row)
{
    static const double subframe_s = 1e-3;
    const int n_tx = sweep->cut.n_tx;
    const uint64_t *of = row->counts + lte_coded_at(n_tx, 0);
    const lte_code *code = sweep->scenario->codes[lte_csi_estimates(row->csi)];
    lte_error_count last = row->error_count;
    last.errors = lte_lost_of_counts(&sweep->cut, row->counts);
    last.errors2 = row->lost2;
    last.cross = row->harq.wrong_blocks;
    const double blocks = (double)of[LTE_CODED_BLOCKS];
    const double subframes = (double)of[LTE_CODED_SUBFRAMES];
    double sent = 0.0;
    uint64_t wrong_bits = 0;
    for (int q = 0; q < code->n_codewords; q++)
        sent += lte_transport_sent(&code->transport[q]);
    for (int k = 0; k < n_tx; k++)
        wrong_bits += row->counts[lte_bits_at(k)];
    return (lte_row_blocks){
        .blocks = of[LTE_CODED_BLOCKS],
        .wrong_first = of[LTE_CODED_WRONG_FIRST],
        .wrong = of[LTE_CODED_WRONG],
        .undetected = of[LTE_CODED_UNDETECTED],
        .last = lte_interval_of(&last),
        .bits_per_s = (double)of[LTE_CODED_DELIVERED] / LTE_TWELFTHS / (subframes * subframe_s),
        .peak = lte_code_bits(code) / subframe_s,
        .transmissions = (double)of[LTE_CODED_TRANSMISSIONS] / blocks,
        .iterations = (double)of[LTE_CODED_ITERATIONS] / (double)of[LTE_CODED_DECODED],
        .raw_ber = (double)wrong_bits / (subframes * sent),
        .ber =
            (double)of[LTE_CODED_BIT_ERRORS] * code->n_codewords / (blocks * lte_code_bits(code)),
        .rate = lte_code_rate(code)};
}
