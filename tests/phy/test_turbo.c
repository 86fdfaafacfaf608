/* The decoder of the turbo code: clean blocks, error rates, batches, early ends. */
#include "tests/lib/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/coding/turbo_batch.h"
#include "phy/coding/turbo.h"
#include "phy/coding/turbo_decoder.h"
#include "tests/lib/code_blocks.h"
#include "tests/lib/log_map.h"

static uint64_t random_state = 36212;

/* The LLR of an element that was sent by BPSK, with noise of a variance. */
static double received(uint8_t bit, double noise, double variance)
{
    return 2.0 / variance * ((bit ? -1.0 : 1.0) + sqrt(variance) * noise);
}

/* ---- decoding ---- */

static lte_turbo_plan plan_of(const lte_code_block *block, int windows, int iterations)
{
    return (lte_turbo_plan){.block = block,
                            .windows = windows ? windows : lte_code_block_windows(block),
                            .iterations = iterations};
}

static void decode(const lte_turbo_plan *plan, const int8_t *llr, uint8_t *bits, int *used)
{
    void *work = malloc(lte_turbo_work(plan));
    assert_non_null(work);
    *used = lte_turbo_decode(plan, llr, work, bits);
    free(work);
}

static void clean_blocks_come_back(void **state)
{
    static uint8_t bits[MOST_K], d[MOST_D], decided[MOST_K];
    static int8_t llr[MOST_D];
    static const int strength[] = {1, 20, 127, 128};
    (void)state;
    for (int b = 0; b < LTE_N_CODE_BLOCKS; b++) {
        const lte_code_block *block = &lte_code_blocks[b];
        lte_turbo_plan plan = plan_of(block, 0, b % 3 + 1);
        int used;
        draw_bits(&random_state, bits, block->k - LTE_CRC_BITS);
        lte_crc_attach(LTE_CRC_24A, bits, block->k - LTE_CRC_BITS);
        lte_turbo_encode(block, bits, d);
        for (int i = 0; i < 3 * lte_code_block_stream(block); i++)
            llr[i] = (int8_t)(d[i] ? -strength[b % 4] : strength[b % 4] - (b % 4 == 3));
        plan.crc = b % 2 ? LTE_CRC_24A : 0;
        decode(&plan, llr, decided, &used);
        assert_memory_equal(decided, bits, block->k);
        assert_int_equal(used, plan.crc ? 1 : plan.iterations);
    }
}

/* Blocks that fail of so many over AWGN, BPSK, at rate 1/3 (the tail is not counted). */
static int failed_blocks(const lte_turbo_plan *plan, double eb_n0_db, int n,
                         double *mean_iterations)
{
    static uint8_t bits[MOST_K], d[MOST_D], decided[MOST_K];
    static int8_t llr[MOST_D];
    const int k = plan->block->k, length = 3 * lte_code_block_stream(plan->block);
    const double variance = 1.5 / pow(10.0, eb_n0_db / 10.0);
    int failed = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        int used;
        draw_bits(&random_state, bits, k);
        if (plan->crc)
            lte_crc_attach(plan->crc, bits, k - LTE_CRC_BITS);
        lte_turbo_encode(plan->block, bits, d);
        for (int e = 0; e < length; e++) {
            const double noise = random_normal(&random_state);
            llr[e] = row_of(4.0 * received(d[e], noise, variance), -127.0);
        }
        decode(plan, llr, decided, &used);
        failed += memcmp(decided, bits, (size_t)k) != 0;
        sum += used;
    }
    *mean_iterations = (double)sum / n;
    return failed;
}

/*
 * K = 6144, 6 iterations, 64 windows: 0.234, 0.052 and 0.009 at 0.6, 0.7 and 0.8 dB, or better;
 * within three standard errors of so few blocks. Longer windows lose less.
 */
static void long_blocks_fail_no_more_often_than_known(void **state)
{
    const int blocks = share_of(200);
    static const double table[][2] = {{0.6, 0.234}, {0.7, 0.052}, {0.8, 0.009}};
    const lte_code_block *block = lte_code_block_of(6144);
    double iterations;
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const lte_turbo_plan plan = plan_of(block, 0, 6);
        const double p = table[i][1];
        const int failed = failed_blocks(&plan, table[i][0], blocks, &iterations);
        print_message("K = 6144 at %.1f dB: %d of %d failed\n", table[i][0], failed, blocks);
        assert_true(failed <= blocks * p + 3.0 * sqrt(blocks * p * (1.0 - p)));
    }
}

/*
 * Every instruction set decides the bits of the plain decoder, noise, weak blocks and -128
 * included.
 */
static void batches_have_the_bits_of_single_blocks(void **state)
{
    enum { BLOCKS = 37 };
    static uint8_t bits[BLOCKS * MOST_K], plain[BLOCKS * MOST_K], used[BLOCKS], plain_used[BLOCKS];
    static int8_t llr[BLOCKS * MOST_D];
    (void)state;
    for (int b = 0; b < LTE_N_CODE_BLOCKS; b += is_short() ? 11 : b % 17 ? 1 : 4) {
        const lte_code_block *block = &lte_code_blocks[b];
        const int k = block->k;
        lte_turbo_plan plan = plan_of(block, 0, 1 + b % 4);
        plan.crc = b % 3 == 0 ? LTE_CRC_24B : 0;
        draw_code_blocks(block, LTE_CRC_24B, BLOCKS, &random_state, llr);
        for (int v = 0; lte_turbo_versions[v]; v++) {
            lte_turbo_batch *batch = NULL;
            if (!lte_turbo_versions[v]->usable())
                continue;
            assert_int_equal(
                lte_turbo_batch_create(lte_turbo_versions[v], &plan, 1 + v % 2, &batch), LTE_OK);
            memset(bits, 2, sizeof bits);
            lte_turbo_batch_run(batch, BLOCKS, llr, v ? bits : plain, v ? used : plain_used);
            lte_turbo_batch_free(batch);
            if (v && memcmp(bits, plain, (size_t)BLOCKS * (size_t)k) != 0)
                fail_msg("%s, K = %d: other bits", lte_turbo_versions[v]->name, k);
            if (v)
                assert_memory_equal(used, plain_used, BLOCKS);
        }
    }
}

/*
 * With 0.15 dB more it fails no more often than log-MAP in double over the whole block, of the same
 * noise: short blocks, and longer ones in windows.
 */
static void little_is_lost_against_log_map(void **state)
{
    static const struct {
        int k, blocks;
        double eb_n0_db;
    } table[] = {
        {40, 640, 1.5}, {104, 640, 1.2}, {512, 640, 0.8}, {1008, 320, 0.65}, {2112, 160, 0.5}};
    enum { SCALE = 8 };
    static uint8_t bits[MOST_K], d[MOST_D], decided[MOST_K];
    static int8_t llr[MOST_D];
    static double noise[MOST_D], exact[MOST_D];
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const lte_code_block *block = lte_code_block_of(table[i].k);
        const lte_turbo_plan plan = plan_of(block, 0, 6);
        const int length = 3 * lte_code_block_stream(block);
        const double variance = 1.5 / pow(10.0, table[i].eb_n0_db / 10.0);
        const double less = variance / pow(10.0, 0.015);
        int failed = 0, failed_exact = 0, used;
        random_state = 12345;
        const int blocks = is_long() ? table[i].blocks : table[i].blocks / 2;
        for (int n = 0; n < blocks; n++) {
            draw_bits(&random_state, bits, block->k);
            lte_turbo_encode(block, bits, d);
            for (int e = 0; e < length; e++) {
                noise[e] = random_normal(&random_state);
                llr[e] = row_of(SCALE * received(d[e], noise[e], less), -127.0);
                exact[e] = received(d[e], noise[e], variance);
            }
            decode(&plan, llr, decided, &used);
            failed += memcmp(decided, bits, block->k) != 0;
            assert_true(log_map_decode(block, 6, exact, decided));
            failed_exact += memcmp(decided, bits, block->k) != 0;
        }
        print_message("K = %d: %d of %d failed, of log-MAP 0.15 dB below %d\n", block->k, failed,
                      blocks, failed_exact);
        assert_true(failed_exact >= (is_long() ? 10 : 5) && failed <= failed_exact);
    }
}

/* Early stopping spares iterations and decides the same. */
static void a_crc_ends_the_work(void **state)
{
    const lte_code_block *block = lte_code_block_of(1008);
    lte_turbo_plan plan = plan_of(block, 0, 8);
    double all, some;
    (void)state;
    random_state = 7;
    const int failed = failed_blocks(&plan, 1.5, 50, &all);
    plan.crc = LTE_CRC_24B;
    random_state = 7;
    const int failed_early = failed_blocks(&plan, 1.5, 50, &some);
    assert_true(all == 8.0 && some < 5.0);
    assert_true(failed <= 2 && failed_early <= 2);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(turbo, clean_blocks_come_back),
    LTE_CASE(turbo, batches_have_the_bits_of_single_blocks),
    LTE_CASE(turbo, a_crc_ends_the_work),
};
static const struct CMUnitTest more[] = {
    LTE_CASE(turbo, long_blocks_fail_no_more_often_than_known),
    LTE_CASE(turbo, little_is_lost_against_log_map),
};

int main(void)
{
    return RUN_CASES_AND_MORE("turbo");
}
