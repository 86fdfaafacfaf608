/* What must hold between the keys of a code, and what follows from its link. */
#include "sim/scenario/reader.h"

#include <stdio.h>

#include "phy/coding/crc.h"
#include "phy/estimation/csi.h"
#include "sim/files/refuse.h"
#include "sim/scenario/described_link.h"

/* Where the keys that are listed clash. */
#define CLASH(reading, ...)                                                                        \
    lte_scenario_clash(reading, KEYS(__VA_ARGS__),                                                 \
                       (int)(sizeof KEYS(__VA_ARGS__) / sizeof *KEYS(0)))
#define KEYS(...) ((const lte_scenario_key[]){__VA_ARGS__})

/* ---- what follows from the link ---- */

void lte_scenario_default_link(const lte_scenario_reading *reading)
{
    lte_scenario *s = reading->scenario;
    if (!reading->given[LTE_KEY_CODE_LINK]) /* the DM-RS are the uplink's */
        s->code.link = lte_scenario_estimates(s) ? LTE_UPLINK : LTE_DOWNLINK;
}

static void default_grid(const lte_scenario_reading *reading)
{
    lte_scenario *s = reading->scenario;
    const bool by_mcs = s->code.mcs >= 0;
    if (!reading->given[LTE_KEY_GRID])
        s->grid = lte_scenario_estimates(s)    ? LTE_GRID_pusch
                  : !by_mcs                    ? LTE_GRID_full
                  : s->code.link == LTE_UPLINK ? LTE_GRID_pusch
                                               : LTE_GRID_pdsch;
    if (!reading->given[LTE_KEY_CONTROL])
        s->control_symbols = lte_grid_control_symbols(lte_carrier_find(s->bandwidth_mhz)->n_rb);
    if (!reading->given[LTE_KEY_CODE_INTERLEAVER])
        s->code.interleaver = s->code.link == LTE_UPLINK;
}

/* ---- the grid ---- */

/* The first listed csi that estimates. */
static const char *estimating_csi(const lte_scenario *s)
{
    for (int i = 0; i < s->n_csi; i++) {
        if (lte_csi_estimates(s->csi[i]))
            return lte_csi_rows[s->csi[i]].name;
    }
    return NULL;
}

static lte_status check_grid(const lte_scenario_reading *reading)
{
    static const lte_scenario_key grid[] = {LTE_KEY_GRID, LTE_KEY_CSI};
    static const lte_scenario_key interleaver[] = {LTE_KEY_CODE_INTERLEAVER, LTE_KEY_CODE_LINK,
                                                   LTE_KEY_GRID};
    const lte_scenario *s = reading->scenario;
    const lte_scenario_code *code = &s->code;
    const char *name = lte_grid_names[s->grid].name;
    if (s->grid == LTE_GRID_pdsch && lte_scenario_estimates(s))
        return lte_refuse("%s: carrier.grid = \"pdsch\", csi = \"%s\": it estimates from the "
                          "reference symbols of the uplink; grid must be \"pusch\" or \"full\"",
                          lte_scenario_clash(reading, grid, 2), estimating_csi(s));
    if (reading->given[LTE_KEY_CONTROL] && s->grid != LTE_GRID_pdsch)
        return lte_refuse("%s: carrier.control_symbols = %d: it needs grid \"pdsch\", not \"%s\"",
                          CLASH(reading, LTE_KEY_CONTROL, LTE_KEY_GRID), s->control_symbols, name);
    if (reading->given[LTE_KEY_SRS] && s->grid != LTE_GRID_pusch)
        return lte_refuse("%s: carrier.srs: it needs grid \"pusch\", not \"%s\"",
                          CLASH(reading, LTE_KEY_SRS, LTE_KEY_GRID), name);
    if (code->interleaver && s->grid == LTE_GRID_pdsch)
        return lte_refuse("%s: carrier.grid = \"pdsch\": its symbols do not all carry data on the "
                          "same number of subcarriers, as the channel interleaver of PUSCH needs; "
                          "code.interleaver must be \"none\"",
                          lte_scenario_clash(reading, interleaver, 3));
    return LTE_OK;
}

/* ---- the code ---- */

lte_status lte_scenario_check_mcs(const lte_scenario_reading *reading)
{
    static const lte_scenario_key uplink[] = {LTE_KEY_CODE_TABLE, LTE_KEY_CODE_LINK, LTE_KEY_CSI};
    const lte_scenario *s = reading->scenario;
    const lte_scenario_code *code = &s->code;
    const int n = lte_mcs_count(lte_scenario_mcs_table(s));
    if (code->link == LTE_UPLINK && code->table == LTE_MCS_NAME_256QAM)
        return lte_refuse("%s: code.mcs_table = \"256qam\": that of the uplink is not confirmed; "
                          "with link \"uplink\" it must be \"64qam\" or \"downlink\"",
                          lte_scenario_clash(reading, uplink, 3));
    for (int i = 0; i < code->n_mcs; i++) {
        if (code->all_mcs[i] >= n)
            return lte_refuse(
                "%s: code.mcs = %d: mcs_table \"%s\" has 0 to %d",
                CLASH(reading, LTE_KEY_CODE_MCS, LTE_KEY_CODE_TABLE, LTE_KEY_CODE_LINK),
                code->all_mcs[i], lte_mcs_names[code->table].name, n - 1);
    }
    return LTE_OK;
}

/* Takes an MCS out of those that are run. */
static void leave_out(lte_scenario_code *code, int i)
{
    code->unfit_mcs[code->n_unfit++] = code->all_mcs[i];
    code->n_mcs--;
    for (; i < code->n_mcs; i++)
        code->all_mcs[i] = code->all_mcs[i + 1];
}

/* Of a list of MCS those that do not fit: they are left out, unless none fits. */
static void leave_out_unfit(lte_scenario *s)
{
    lte_scenario_code *code = &s->code;
    for (int i = code->n_mcs - 1; i >= 0 && code->n_mcs > 1; i--) {
        lte_scenario one = *s;
        one.code.mcs = code->all_mcs[i];
        one.n_bits = lte_mcs_bits(lte_scenario_mcs_table(s), one.code.mcs);
        if (lte_scenario_fit(&one).worst > 1.0)
            leave_out(code, i);
    }
    if (code->n_unfit == 0 || code->mcs == code->all_mcs[0])
        return;
    code->mcs = code->all_mcs[0];
    s->n_bits = lte_mcs_bits(lte_scenario_mcs_table(s), code->mcs);
}

/* A transport block of each codeword must fit, with its CRC, into a subframe of each receiver. */
static lte_status check_fit(const lte_scenario_reading *reading)
{
    lte_scenario *s = reading->scenario;
    const lte_scenario_code *code = &s->code;
    leave_out_unfit(s);
    const lte_scenario_fit_of fit = lte_scenario_fit(s);
    if (fit.bits < 1 && code->mcs >= 0 && s->n_rb != lte_carrier_find(s->bandwidth_mhz)->n_rb)
        return lte_refuse("%s: code.mcs = %d: the size of its transport block on %d resource "
                          "blocks and the layers "
                          "of a codeword is not known here; code.bits takes any size",
                          CLASH(reading, LTE_KEY_CODE_MCS, LTE_KEY_ALLOCATION), code->mcs, s->n_rb);
    if (fit.bits < 1 || fit.bits > LTE_MAX_TRANSPORT_BITS || fit.worst > 1.0)
        return lte_refuse("%s: code: the transport block has %d bits, and a subframe carries %d: "
                          "code rate %.3f; it must have 1 to %d bits and fit with its CRC",
                          CLASH(reading, LTE_KEY_CODE_MCS, LTE_KEY_CODE_RATE, LTE_KEY_CODE_BITS,
                                LTE_KEY_BANDWIDTH, LTE_KEY_TX, LTE_KEY_ALLOCATION, LTE_KEY_GRID,
                                LTE_KEY_CONTROL, LTE_KEY_CSI),
                          fit.bits, fit.sent, fit.worst, LTE_MAX_TRANSPORT_BITS);
    return LTE_OK;
}

/* The soft buffer of a terminal must hold a third of what each code block is encoded to. */
static lte_status check_buffer(const lte_scenario_reading *reading)
{
    static const lte_scenario_key both[] = {LTE_KEY_CODE_CATEGORY, LTE_KEY_CODE_SOFT_BITS};
    lte_scenario *s = reading->scenario;
    lte_scenario_code *code = &s->code;
    const bool category = reading->given[LTE_KEY_CODE_CATEGORY];
    const bool bits = reading->given[LTE_KEY_CODE_SOFT_BITS];
    if (!category && !bits)
        return LTE_OK;
    if (category && bits)
        return lte_refuse("%s: code: must have either category or soft_bits",
                          lte_scenario_clash(reading, both, 2));
    if (code->link == LTE_UPLINK)
        return lte_refuse(
            "%s: code.%s: the base station's soft buffer is whole; it needs link "
            "\"downlink\"",
            CLASH(reading, LTE_KEY_CODE_CATEGORY, LTE_KEY_CODE_SOFT_BITS, LTE_KEY_CODE_LINK),
            category ? "category" : "soft_bits");
    if (category)
        code->soft_bits = lte_category_soft_bits(code->category);
    const int n_ir = lte_soft_buffer(code->soft_bits, s->n_tx);
    for (int q = 0; q < lte_codewords(s->n_tx); q++) {
        const int n_layers = lte_codeword_layers(s->n_tx, q);
        const int n_elements = lte_scenario_elements(s, s->csi[0]);
        const int size = lte_scenario_transport_bits(s, q, n_elements);
        lte_transport t;
        lte_status status = lte_transport_of(size, n_layers, s->n_bits, n_elements, &t);
        if (!status && !lte_transport_holds(&t, n_ir))
            return lte_refuse("%s: code.soft_bits = %d: it leaves %d soft bits to each of %d code "
                              "blocks, which are encoded to %d",
                              lte_scenario_clash(reading, both, 2), code->soft_bits, n_ir / t.s.n,
                              t.s.n, 3 * lte_code_block_stream(t.s.size));
    }
    return LTE_OK;
}

/* One of mcs, rate and bits; and what each of them needs. */
static lte_status check_size(const lte_scenario_reading *reading)
{
    static const lte_scenario_key table[] = {LTE_KEY_CODE_TABLE, LTE_KEY_CODE_RATE,
                                             LTE_KEY_CODE_BITS};
    static const lte_scenario_key bits[] = {LTE_KEY_CODE_BITS, LTE_KEY_TX};
    const lte_scenario *s = reading->scenario;
    const lte_scenario_code *code = &s->code;
    const int n_sizes = (code->mcs >= 0) + (code->rate > 0.0) + (code->n_bits > 0);
    if (n_sizes != 1)
        return lte_refuse(
            "%s: code: must have one of mcs, rate and bits",
            n_sizes > 1
                ? CLASH(reading, LTE_KEY_CODE_MCS, LTE_KEY_CODE_RATE, LTE_KEY_CODE_BITS)
                : CLASH(reading, LTE_KEY_CODE_LINK, LTE_KEY_CODE_TABLE, LTE_KEY_CODE_TRANSMISSIONS,
                        LTE_KEY_CODE_COMBINING, LTE_KEY_CODE_VERSIONS, LTE_KEY_CODE_CATEGORY,
                        LTE_KEY_CODE_SOFT_BITS, LTE_KEY_CODE_ITERATIONS, LTE_KEY_CODE_EARLY,
                        LTE_KEY_CODE_INTERLEAVER));
    if (code->mcs < 0 && reading->given[LTE_KEY_CODE_TABLE])
        return lte_refuse("%s: code.mcs_table = \"%s\": it needs code.mcs, and code.%s is given",
                          lte_scenario_clash(reading, table, 3), lte_mcs_names[code->table].name,
                          code->rate > 0.0 ? "rate" : "bits");
    if (code->n_bits > lte_codewords(s->n_tx))
        return lte_refuse("%s: code.bits lists %d transport blocks; antennas.tx = %d has %d "
                          "codeword%s",
                          lte_scenario_clash(reading, bits, 2), code->n_bits, s->n_tx,
                          lte_codewords(s->n_tx), lte_codewords(s->n_tx) == 1 ? "" : "s");
    const int of_mcs = code->mcs >= 0 ? lte_mcs_bits(lte_scenario_mcs_table(s), code->mcs) : 0;
    if (code->mcs >= 0 && s->n_bits != of_mcs)
        return lte_refuse("%s: modulation = \"%s\", code.mcs = %d: this MCS has modulation %s",
                          CLASH(reading, LTE_KEY_CODE_MCS, LTE_KEY_CODE_TABLE, LTE_KEY_MODULATION),
                          lte_modulation_name(s->n_bits), code->mcs, lte_modulation_name(of_mcs));
    return LTE_OK;
}

static lte_status check_versions(const lte_scenario_reading *reading)
{
    const lte_scenario_code *code = &reading->scenario->code;
    if (code->n_versions == 0)
        return LTE_OK;
    if (reading->given[LTE_KEY_CODE_COMBINING])
        return lte_refuse("%s: code: must have either versions or combining",
                          CLASH(reading, LTE_KEY_CODE_VERSIONS, LTE_KEY_CODE_COMBINING));
    if (code->n_versions < code->transmissions)
        return lte_refuse("%s: code.versions lists %d, and code.transmissions = %d: each "
                          "transmission needs one",
                          CLASH(reading, LTE_KEY_CODE_VERSIONS, LTE_KEY_CODE_TRANSMISSIONS),
                          code->n_versions, code->transmissions);
    return LTE_OK;
}

/* A code has a throughput and an error rate that are searched, one of them. */
static lte_status check_target(const lte_scenario_reading *reading)
{
    const lte_scenario *s = reading->scenario;
    if (s->sweep.target_throughput > 0.0 && s->sweep.target_ber > 0.0)
        return lte_refuse("%s: sweep: must have either target_throughput or target_ber",
                          CLASH(reading, LTE_KEY_TARGET_THROUGHPUT, LTE_KEY_TARGET_BER));
    return LTE_OK;
}

/* Shares of throughput: one for each point, and no other way to end rows. */
static lte_status check_required(const lte_scenario_reading *reading)
{
    const lte_scenario *s = reading->scenario;
    if (s->sweep.n_required == 0)
        return LTE_OK;
    if (lte_scenario_searches(s) || s->sweep.precision > 0.0)
        return lte_refuse("%s: sweep: must have one of required_throughput, precision and a target",
                          CLASH(reading, LTE_KEY_REQUIRED, LTE_KEY_TARGET_BER,
                                LTE_KEY_TARGET_THROUGHPUT, LTE_KEY_PRECISION));
    if (s->sweep.n_required > 1 && s->sweep.n_required != s->sweep.n_snr)
        return lte_refuse(
            "%s: sweep.required_throughput lists %d shares for %d points of the sweep",
            CLASH(reading, LTE_KEY_REQUIRED, LTE_KEY_SNR_GRID, LTE_KEY_SNR_POINTS),
            s->sweep.n_required, s->sweep.n_snr);
    return LTE_OK;
}

/* What only a code has. */
static lte_status check_uncoded(const lte_scenario_reading *reading)
{
    static const lte_scenario_key grid[] = {LTE_KEY_GRID, LTE_KEY_CONTROL, LTE_KEY_SRS};
    lte_scenario *s = reading->scenario;
    s->grid = LTE_GRID_full;
    for (int i = 0; i < 3; i++) {
        if (reading->given[grid[i]])
            return lte_refuse("%s: %s needs a code; without one every resource element carries "
                              "data, but for those of reference symbols",
                              reading->place[grid[i]].text, lte_scenario_key_path(grid[i]));
    }
    if (s->sweep.target_throughput > 0.0)
        return lte_refuse("%s: sweep.target_throughput = %g: it needs a code",
                          CLASH(reading, LTE_KEY_TARGET_THROUGHPUT, LTE_KEY_TARGET_BER),
                          s->sweep.target_throughput);
    if (s->sweep.n_required > 0)
        return lte_refuse("%s: sweep.required_throughput: it needs a code",
                          CLASH(reading, LTE_KEY_REQUIRED, LTE_KEY_SNR_GRID, LTE_KEY_SNR_POINTS));
    return LTE_OK;
}

static lte_status check_coded(const lte_scenario_reading *reading)
{
    const lte_scenario *s = reading->scenario;
    default_grid(reading);
    lte_status status = check_grid(reading);
    if (!status)
        status = check_target(reading);
    if (!status)
        status = check_required(reading);
    if (status)
        return status;
    if (s->deadline.slots % 2 != 0 || s->deadline.distinct % 2 != 0)
        return lte_refuse(
            "%s: deadline.slots = %d, deadline.distinct = %d: a transport block takes "
            "both slots of a subframe: both must be even",
            CLASH(reading, LTE_KEY_DEADLINE_SLOTS, LTE_KEY_DISTINCT, LTE_KEY_CODE_MCS,
                  LTE_KEY_CODE_RATE, LTE_KEY_CODE_BITS),
            s->deadline.slots, s->deadline.distinct);
    if (s->output == LTE_OUTPUT_LLR)
        return lte_refuse(
            "%s: output = \"llr\": the LLRs of a code are decoded; remove output or code",
            CLASH(reading, LTE_KEY_OUTPUT, LTE_KEY_CODE_MCS, LTE_KEY_CODE_RATE, LTE_KEY_CODE_BITS));
    status = check_size(reading);
    if (!status)
        status = check_versions(reading);
    if (!status)
        status = check_fit(reading);
    return status ? status : check_buffer(reading);
}

/* ---- drops ---- */

/* Subframes of a drop in which blocks begin, at least. */
enum { LEAST_SUBFRAMES = 32 };

/*
 * With several transmissions a fresh start of the processes in each drop weighs as 1 / turns where
 * the channel changes between them: drops are longer by default, rounds and sweeps whole drops.
 */
static int default_drop_slots(const lte_scenario *s)
{
    static const double slow_hz = 10.0;
    const int transmissions = s->code.transmissions;
    if (transmissions <= 1)
        return lte_scenario_stands_still(s) ? 2 : s->drop_slots;
    if (lte_scenario_stands_still(s))
        return 128;
    return s->doppler_hz > 0.0 && s->doppler_hz <= slow_hz ? 256 : 512;
}

static void default_coded_drops(const lte_scenario_reading *reading)
{
    lte_scenario *s = reading->scenario;
    const int transmissions = s->code.transmissions;
    if (!reading->given[LTE_KEY_DROP_SLOTS] && !s->stored.h)
        s->drop_slots = default_drop_slots(s);
    if (transmissions <= 1 && !lte_scenario_stands_still(s))
        return;
    const uint64_t drop = (uint64_t)s->drop_slots;
    if (!reading->given[LTE_KEY_ROUND_SLOTS])
        s->sweep.round_slots = (int)(((uint64_t)s->sweep.round_slots + drop - 1) / drop * drop);
    if (!reading->given[LTE_KEY_MIN_SLOTS])
        s->sweep.min_slots = (s->sweep.min_slots + drop - 1) / drop * drop;
    if (!reading->given[LTE_KEY_MAX_SLOTS] && !s->stored.h)
        s->sweep.max_slots = (s->sweep.max_slots + drop - 1) / drop * drop;
}

/* Drops must be whole subframes, and with HARQ long enough and whole rounds. */
static lte_status check_coded_drops(const lte_scenario_reading *reading)
{
    static const lte_scenario_key code[] = {LTE_KEY_CODE_TRANSMISSIONS, LTE_KEY_DROP_SLOTS,
                                            LTE_KEY_ROUND_SLOTS, LTE_KEY_MAX_SLOTS};
    const lte_scenario *s = reading->scenario;
    const int transmissions = s->code.transmissions;
    const bool harq = transmissions > 1, still = lte_scenario_stands_still(s);
    const bool moves = s->doppler_hz > 0.0 || s->stored.h || still;
    const int least = 2 * (LEAST_SUBFRAMES + LTE_HARQ_SUBFRAMES * (transmissions - 1));
    if (moves && !harq && s->drop_slots % 2 != 0)
        return lte_refuse("%s: code.transmissions = %d, channel.drop_slots = %d: both slots of a "
                          "subframe must be in one drop: drop_slots must be even",
                          lte_scenario_clash(reading, code, 2), transmissions, s->drop_slots);
    if (harq && (s->drop_slots % 2 != 0 || s->drop_slots < least))
        return lte_refuse("%s: code.transmissions = %d, channel.drop_slots = %d: HARQ processes go "
                          "on through a drop, whose last %d slots only finish what was begun: "
                          "drop_slots must be even and at least %d",
                          lte_scenario_clash(reading, code, 2), transmissions, s->drop_slots,
                          least - 2 * LEAST_SUBFRAMES, least);
    if (harq && still && s->drop_slots % 16 != 0)
        return lte_refuse(
            "%s: code.transmissions = %d, channel.drop_slots = %d: where the channel "
            "stands still in a drop, one of eight HARQ processes stands for all: "
            "drop_slots must be a multiple of 16",
            CLASH(reading, LTE_KEY_CODE_TRANSMISSIONS, LTE_KEY_DROP_SLOTS, LTE_KEY_FADES),
            transmissions, s->drop_slots);
    if (harq && (s->sweep.round_slots % s->drop_slots != 0 ||
                 s->sweep.max_slots % (uint64_t)s->drop_slots != 0))
        return lte_refuse(
            "%s: code.transmissions = %d, channel.drop_slots = %d, "
            "sweep.round_slots = %d, sweep.max_slots = %llu: with several "
            "transmissions, round_slots and max_slots must be multiples of drop_slots",
            lte_scenario_clash(reading, code, 4), transmissions, s->drop_slots,
            s->sweep.round_slots, (unsigned long long)s->sweep.max_slots);
    if (s->sweep.round_slots % 2 != 0 || s->sweep.max_slots % 2 != 0)
        return lte_refuse("%s: sweep.round_slots = %d, sweep.max_slots = %llu: a transport block "
                          "takes both slots of a subframe: both must be even",
                          lte_scenario_clash(reading, &code[2], 2), s->sweep.round_slots,
                          (unsigned long long)s->sweep.max_slots);
    return LTE_OK;
}

/* ---- what is counted ---- */

/* Mutual information is that of LLRs. */
static lte_status refuse_rate(const lte_scenario_reading *reading)
{
    if (reading->scenario->sweep.target_rate > 0.0)
        return lte_refuse("%s: sweep.target_rate = %g: it needs output = \"llr\", and no code",
                          CLASH(reading, LTE_KEY_TARGET_RATE, LTE_KEY_OUTPUT),
                          reading->scenario->sweep.target_rate);
    return LTE_OK;
}

static lte_status check_hard_output(const lte_scenario_reading *reading)
{
    if (reading->given[LTE_KEY_DEMAPPER] || reading->given[LTE_KEY_LLR_SCALE])
        return lte_refuse("%s: the keys of llr need output = \"llr\" or a code",
                          CLASH(reading, LTE_KEY_OUTPUT, LTE_KEY_DEMAPPER, LTE_KEY_LLR_SCALE));
    return refuse_rate(reading);
}

/* Mutual information that is searched, of what the modulation has, and no error rate. */
static lte_status check_llr_output(const lte_scenario_reading *reading)
{
    const lte_scenario *s = reading->scenario;
    if (s->sweep.target_rate > 0.0 && s->sweep.target_ber > 0.0)
        return lte_refuse("%s: sweep: must have either target_rate or target_ber",
                          CLASH(reading, LTE_KEY_TARGET_RATE, LTE_KEY_TARGET_BER));
    if (s->sweep.target_rate > 0.99 * s->n_bits)
        return lte_refuse("%s: sweep.target_rate = %g: it may be at most 0.99 of the %d bits of a "
                          "symbol of %s",
                          CLASH(reading, LTE_KEY_TARGET_RATE, LTE_KEY_MODULATION),
                          s->sweep.target_rate, s->n_bits, lte_modulation_name(s->n_bits));
    return LTE_OK;
}

static lte_status check_coded_output(const lte_scenario_reading *reading)
{
    const lte_scenario *s = reading->scenario;
    if (s->n_tx > LTE_MAX_ORDER)
        return lte_refuse("%s: antennas.tx = %d: a code takes at most %d layers",
                          CLASH(reading, LTE_KEY_TX, LTE_KEY_CODE_MCS, LTE_KEY_CODE_RATE), s->n_tx,
                          LTE_MAX_ORDER);
    return refuse_rate(reading);
}

const lte_scenario_rules lte_scenario_rules_of[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {.output = check_hard_output, .code = check_uncoded},
    [LTE_COUNTED_LLRS] = {.output = check_llr_output, .code = check_uncoded},
    [LTE_COUNTED_BLOCKS] = {check_coded_output, check_coded, default_coded_drops, check_coded_drops,
                            lte_scenario_make_codes},
};
