/* Quantities of the result tables. */
#include "sim/report/results/quantities.h"

#define TABLE(name) .columns = &lte_##name##_columns, .table = offsetof(lte_result, name)
#define ROW_KEYS(table)                                                                            \
    .keys = {LTE_##table##_DETECTOR, LTE_##table##_CSI, LTE_##table##_SNR}, .n_keys = 3
#define INTERVAL(id, ends) .value = LTE_##id, .low = LTE_##ends##_LOW, .high = LTE_##ends##_HIGH
#define SAME(first, last) .same_first = LTE_##first, .same_last = LTE_##last

/* What quantities of a kind are alike in: error rates, mutual information, throughput. */
#define OF_ERRORS(whats) .kind = LTE_QUANTITY_RATE, .what = whats, .scale = 1.0, .format = "%.4e"
#define OF_LLRS .kind = LTE_QUANTITY_VALUE, .more_is_better = true, .scale = 1.0, .format = "%.4f"
#define DELIVERED                                                                                  \
    .kind = LTE_QUANTITY_SHARE, .more_is_better = true, .scale = 1e-6, .format = "%.3f"

const lte_quantity lte_quantities[] = {
    {"BER", "ber", "Bit error rate", "bit error rate", OF_ERRORS("bits"), TABLE(ber), ROW_KEYS(BER),
     INTERVAL(BER_BER, BER), SAME(BER_SLOTS, BER_ERRORS), .slots = LTE_BER_SLOTS,
     .theory = LTE_BER_THEORY, .z = LTE_BER_Z, .group = LTE_GROUPS_E0, .errors = LTE_BER_ERRORS,
     .bits = LTE_BER_BITS},
    {"GMI", "gmi", "Mutual information of LLRs", "bits per QAM symbol", OF_LLRS, TABLE(ber),
     ROW_KEYS(BER), INTERVAL(BER_GMI, BER_GMI), SAME(BER_GMI, BER_GMI_HIGH), .slots = LTE_BER_SLOTS,
     .group = LTE_GROUPS_L0, .bits = LTE_BER_BITS},
    {"GMI", NULL, NULL, NULL, OF_LLRS, TABLE(rate), INTERVAL(RATE_GMI, RATE_GMI),
     SAME(RATE_GMI, RATE_GMI_HIGH), .n_keys = 5,
     .keys = {LTE_RATE_DETECTOR, LTE_RATE_CSI, LTE_RATE_SNR, LTE_RATE_LAYER, LTE_RATE_BIT}},
    {"BLER", "bler", "Block error rate", "block error rate", OF_ERRORS("blocks"), TABLE(bler),
     ROW_KEYS(BLER), INTERVAL(BLER_BLER, BLER), SAME(BLER_SLOTS, BLER_WRONG_FIRST),
     .slots = LTE_BLER_SLOTS, .group = LTE_GROUPS_E0, .errors = LTE_BLER_WRONG_FIRST,
     .bits = LTE_BLER_BLOCKS},
    {"last BLER", "last", "Block error rate after the last transmission", "block error rate",
     OF_ERRORS("blocks"), TABLE(bler), ROW_KEYS(BLER), INTERVAL(BLER_LAST, BLER_LAST),
     SAME(BLER_WRONG, BLER_LAST_HIGH), .slots = LTE_BLER_SLOTS, .errors = LTE_BLER_WRONG,
     .bits = LTE_BLER_BLOCKS, .sent_again = true},
    {"Mbit/s", "throughput", "Throughput", "Mbit/s", DELIVERED, TABLE(bler), ROW_KEYS(BLER),
     INTERVAL(BLER_BITS_PER_S, BLER_BITS), SAME(BLER_BITS_PER_S, BLER_TRANSMISSIONS),
     .slots = LTE_BLER_SLOTS, .peak = LTE_BLER_PEAK, .sent_again = true},
    {"SNR dB", NULL, NULL, NULL, .kind = LTE_QUANTITY_VALUE, .scale = 1.0, .format = "%.3f",
     TABLE(target), INTERVAL(TARGET_SNR, TARGET), SAME(TARGET_SNR, TARGET_HIGH), .n_keys = 5,
     .keys = {LTE_TARGET_DETECTOR, LTE_TARGET_CSI, LTE_TARGET_BER, LTE_TARGET_THROUGHPUT,
              LTE_TARGET_RATE},
     .slots = LTE_TARGET_SLOTS, .in_db = true},
    {"Mbit/s", "envelope", "Throughput of the best fixed MCS", "Mbit/s", DELIVERED, TABLE(envelope),
     ROW_KEYS(ENVELOPE), INTERVAL(ENVELOPE_BITS_PER_S, ENVELOPE_BITS),
     SAME(ENVELOPE_MCS, ENVELOPE_BLER), .peak = LTE_ENVELOPE_PEAK},
};
const int lte_n_quantities = sizeof lte_quantities / sizeof *lte_quantities;

const lte_table *lte_quantity_table(const lte_quantity *q, const lte_result *result)
{
    return (const lte_table *)((const char *)result + q->table);
}

bool lte_quantity_is_in(const lte_quantity *q, const lte_result *result)
{
    const lte_table *table = lte_quantity_table(q, result);
    return table->n_rows > 0 && q->value < table->n_columns &&
           (!q->sent_again || lte_json_number(result->scenario, "code.transmissions") > 1.0);
}
