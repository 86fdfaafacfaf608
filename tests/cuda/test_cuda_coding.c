/*
 * The turbo decoder on the device against the processor's, bit for bit. Skipped (exit 77) without a
 * device. With LTE_TEST_SMALL set for few sizes.
 */

#include "kernels/backends/backend.h"
#include "kernels/coding/turbo_batch.h"
#include "kernels/coding/turbo_cuda.h"
#include "tests/lib/batch.h"
#include "tests/lib/code_blocks.h"
#include "tests/lib/device.h"

enum { POISON = 0xa5, SPARE = 64 };

static uint64_t random_state = 36212;

static lte_turbo_plan plan_of(const lte_code_block *block, int iterations, uint32_t crc)
{
    return (lte_turbo_plan){.block = block,
                            .windows = lte_code_block_windows(block),
                            .iterations = iterations,
                            .crc = crc};
}

/* Decoders of the shortest windows of either kind: what kernels share must not be theirs alone. */
static void create_others(lte_turbo_cuda *others[2])
{
    static const int k[2] = {40, 512};
    for (int i = 0; i < 2; i++) {
        const lte_turbo_plan plan = plan_of(lte_code_block_of(k[i]), 1, 0);
        assert_int_equal(lte_turbo_cuda_create(&plan, &others[i]), LTE_OK);
    }
}

/* n blocks of a plan, and nothing behind them; with other decoders beside it. */
static void check_plan(const lte_turbo_plan *plan, int n)
{
    const int k = plan->block->k;
    const size_t all = (size_t)n * (size_t)k, size = (size_t)n * 3 * (size_t)(k + LTE_TURBO_TAIL);
    uint8_t *bits = poisoned(all + SPARE, POISON), *expected = poisoned(all + SPARE, POISON);
    uint8_t *used = poisoned((size_t)n + SPARE, POISON);
    uint8_t *expected_used = poisoned((size_t)n + SPARE, POISON);
    int8_t *llr = (int8_t *)poisoned(size, 0);
    lte_turbo_batch *host = NULL;
    lte_turbo_cuda *decoder = NULL;
    draw_code_blocks(plan->block, plan->crc ? plan->crc : LTE_CRC_24B, n, &random_state, llr);
    assert_int_equal(lte_turbo_batch_create(lte_turbo_best(), plan, 4, &host), LTE_OK);
    lte_turbo_batch_run(host, n, llr, expected, expected_used);
    lte_turbo_batch_free(host);

    int8_t *d_llr = on_device(llr, size);
    uint8_t *d_bits = on_device(bits, all + SPARE), *d_used = on_device(used, (size_t)n + SPARE);
    assert_int_equal(lte_turbo_cuda_create(plan, &decoder), LTE_OK);
    lte_turbo_cuda *others[2];
    create_others(others);
    assert_int_equal(lte_turbo_cuda_run(decoder, n, d_llr, d_bits, d_used, NULL), LTE_OK);
    to_host(bits, d_bits, all + SPARE);
    to_host(used, d_used, (size_t)n + SPARE);
    lte_turbo_cuda_free(decoder);
    for (int i = 0; i < 2; i++)
        lte_turbo_cuda_free(others[i]);
    ok(cudaFree(d_llr));
    for (int i = 0; i < n; i++) {
        if (memcmp(bits + i * k, expected + i * k, (size_t)k) != 0)
            fail_msg("K = %d, %d iterations: block %d of %d differs", k, plan->iterations, i, n);
    }
    assert_memory_equal(bits, expected, all + SPARE);
    assert_memory_equal(used, expected_used, (size_t)n + SPARE);
    free(bits);
    free(expected);
    free(used);
    free(expected_used);
    free(llr);
}

static void every_size_has_the_bits_of_the_processor(void **state)
{
    (void)state;
    for (int b = 0; b < LTE_N_CODE_BLOCKS; b += small() ? 41 : 1) {
        const lte_turbo_plan all = plan_of(&lte_code_blocks[b], 1 + b % 3, 0);
        const lte_turbo_plan some =
            plan_of(&lte_code_blocks[b], 5, b % 2 ? LTE_CRC_24A : LTE_CRC_24B);
        check_plan(&all, 1 + b % 5);
        check_plan(&some, 37);
    }
}

/* More than the device holds at once. */
static void long_batches_are_gone_through(void **state)
{
    (void)state;
    if (small())
        skip();
    const lte_turbo_plan shortest = plan_of(&lte_code_blocks[0], 3, LTE_CRC_24A);
    const lte_turbo_plan longest = plan_of(&lte_code_blocks[LTE_N_CODE_BLOCKS - 1], 4, LTE_CRC_24B);
    check_plan(&shortest, 150001);
    check_plan(&longest, 2049);
}

static void other_windows_are_taken_or_refused(void **state)
{
    static const struct {
        int k, windows;
        lte_status status;
    } table[] = {{6144, 64, LTE_OK},    {512, 16, LTE_OK},      {512, 4, LTE_EINVAL},
                 {512, 32, LTE_EINVAL}, {6144, 96, LTE_EINVAL}, {6144, 128, LTE_EINVAL},
                 {6144, 0, LTE_EINVAL}, {6144, 63, LTE_EINVAL}};
    int refused = 0;
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lte_turbo_plan plan = plan_of(lte_code_block_of(table[i].k), 2, LTE_CRC_24A);
        lte_turbo_cuda *decoder = NULL;
        plan.windows = table[i].windows;
        if (table[i].status == LTE_OK)
            check_plan(&plan, 9);
        else
            assert_int_equal(lte_turbo_cuda_create(&plan, &decoder), table[i].status);
        refused += table[i].status != LTE_OK;
        assert_null(decoder);
    }
    assert_int_equal(*failures_seen(), refused);
    (void)lte_fail_handler_set(handler);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(cuda_coding, every_size_has_the_bits_of_the_processor),
        LTE_CASE(cuda_coding, long_batches_are_gone_through),
        LTE_CASE(cuda_coding, other_windows_are_taken_or_refused),
    };
    return LTE_RUN_GPU_CASES("cuda_coding", cases);
}
