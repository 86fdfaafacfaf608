/* Flags of matrices: what is told of spoiled ones, by every detector on every backend. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backend.h"
#include "kernels/backends/program_parts.h"
#include "ltesim/ltesim.h"
#include "tests/lib/unit.h"

enum { N_SC = 75, N_RX = 4, N_TX = 3, N_BITS = 4, N_SLOTS = 3 };
enum { H_SIZE = N_SLOTS * N_SC * N_RX * N_TX * 2, Y_SIZE = N_SLOTS * 7 * N_SC * N_RX * 2 };

/* Numbers of -0.5 to 0.5. */
static void fill(float *x, int n)
{
    uint32_t random = 1;
    for (int i = 0; i < n; i++) {
        random = random * 1664525u + 1013904223u;
        x[i] = (float)(random >> 8) * 0x1p-24f - 0.5f;
    }
}

enum { SILENT_SC = 3, EMPTY_SC = 5, NAN_SC = 7, INFINITE_SC = 66, SAME_SC = 70, LOST_SC = 74 };

static float *element_of(float *h, size_t slot, int sc, int rx, int tx)
{
    return &h[(((slot * N_SC + (size_t)sc) * N_RX + (size_t)rx) * N_TX + (size_t)tx) * 2];
}

/* Spoils matrices of slot 1; flags [N_SC] out: what is to be told of them, by the detector. */
static void spoil(const lte_detector_row *row, float *h, uint8_t *flags)
{
    /* without a loading there is no inverse where a column is zero or there twice */
    const bool inverts = strcmp(row->name, "zf") == 0;
    memset(flags, 0, N_SC);
    for (int rx = 0; rx < N_RX; rx++) {
        for (int part = 0; part < 2; part++) {
            element_of(h, 1, SILENT_SC, rx, 1)[part] = 0.0f;
            for (int tx = 0; tx < N_TX; tx++) {
                element_of(h, 1, EMPTY_SC, rx, tx)[part] = part ? -0.0f : 0.0f;
                element_of(h, 1, LOST_SC, rx, tx)[part] = tx == 2 ? 0x1p-149f : 500.0f;
            }
            for (int tx = 0; tx < N_TX; tx++) /* columns 0 and 2 are equal */
                element_of(h, 1, SAME_SC, rx, tx)[part] = part == 0 && rx == tx % 2 ? 1.0f : 0.0f;
        }
        element_of(h, 1, LOST_SC, rx, 0)[rx % 2] *= -0.5f;
    }
    element_of(h, 1, NAN_SC, 1, 2)[1] = NAN;
    element_of(h, 1, INFINITE_SC, 3, 0)[0] = -INFINITY;
    flags[SILENT_SC] = flags[EMPTY_SC] = flags[LOST_SC] =
        LTE_DETECTION_SILENT | (inverts ? LTE_DETECTION_NO_STATE : 0);
    flags[NAN_SC] = flags[INFINITE_SC] = LTE_DETECTION_NOT_FINITE | LTE_DETECTION_NO_STATE;
    flags[SAME_SC] = inverts ? LTE_DETECTION_NO_STATE : 0;
}

static void matrices_are_flagged_alike_everywhere(void **state)
{
    _Alignas(8) static float h[H_SIZE], y[Y_SIZE];
    static uint8_t flags[N_SLOTS * N_SC];
    uint8_t expected[N_SLOTS * N_SC] = {0};
    (void)state;
    fill(y, Y_SIZE);
    for (int detector = 0; detector < LTE_N_DETECTORS; detector++) {
        const lte_detector_row *row = &lte_detector_rows[detector];
        fill(h, H_SIZE);
        spoil(row, h, &expected[N_SC]);
        for (int b = 0; lte_backends[b]; b++) {
            const lte_detection_plan plan = {.n_sc = N_SC,
                                             .n_rx = N_RX,
                                             .n_tx = N_TX,
                                             .n_bits = N_BITS,
                                             .n_slots = N_SLOTS,
                                             .detector = row->name,
                                             .backend = lte_backends[b]->name};
            lte_detection *detection = NULL;
            if (lte_backends[b]->n_devices() < 1 || (!lte_backends[b]->stages && !row->on_devices))
                continue;
            assert_int_equal(lte_detection_create(&plan, &detection), LTE_OK);
            uint8_t *bits = malloc(N_SLOTS * 7 * lte_detection_row(detection));
            assert_non_null(bits);
            assert_int_equal(lte_detection_run(detection, N_SLOTS, 0.1f, h, y, bits), LTE_OK);
            for (int n = 1; n <= N_SLOTS; n++) {
                memset(flags, 0xa5, sizeof flags);
                assert_int_equal(lte_detection_flags(detection, n, flags), LTE_OK);
                for (int i = 0; i < n * N_SC; i++) {
                    if (flags[i] != expected[i])
                        fail_msg("%s on %s, slot %d, subcarrier %d: flags %d, not %d", row->name,
                                 plan.backend, i / N_SC, i % N_SC, flags[i], expected[i]);
                }
                for (size_t i = (size_t)n * N_SC; i < sizeof flags; i++)
                    assert_int_equal(flags[i], 0xa5);
            }
            free(bits);
            lte_detection_free(detection);
        }
    }
}

static void flags_are_of_slots_that_ran(void **state)
{
    const lte_detection_plan plan = {
        .n_sc = 72, .n_rx = 2, .n_tx = 1, .n_bits = 2, .n_slots = 3, .demapper = "exact"};
    _Alignas(8) static float h[3 * 72 * 2 * 2], y[3 * 7 * 72 * 2 * 2];
    static int8_t llr[3 * 7 * 72 * 2];
    uint8_t flags[3 * 72] = {0};
    lte_detection *detection = NULL;
    (void)state;
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_detection_create(&plan, &detection), LTE_OK);
    assert_int_equal(lte_detection_flags(detection, 1, flags), LTE_EINVAL);
    assert_int_equal(lte_detection_run_llr(detection, 2, 0.0f, h, y, llr), LTE_EINVAL);
    assert_int_equal(lte_detection_flags(detection, 1, flags), LTE_EINVAL);
    assert_int_equal(lte_detection_run_llr(detection, 2, 0.1f, h, y, llr), LTE_OK);
    assert_int_equal(lte_detection_flags(detection, 0, flags), LTE_EINVAL);
    assert_int_equal(lte_detection_flags(detection, 3, flags), LTE_EINVAL);
    assert_int_equal(flags[0], 0);
    assert_int_equal(lte_detection_run_llr(detection, 2, -1.0f, h, y, llr), LTE_EINVAL);
    assert_int_equal(lte_detection_flags(detection, 2, flags), LTE_OK); /* of the run before */
    assert_int_equal(flags[0], LTE_DETECTION_SILENT);
    assert_int_equal(flags[2 * 72 - 1], LTE_DETECTION_SILENT);
    assert_int_equal(flags[2 * 72], 0);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 6);
    lte_detection_free(detection);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(library_flags, matrices_are_flagged_alike_everywhere),
        LTE_CASE(library_flags, flags_are_of_slots_that_ran),
    };
    return cmocka_run_group_tests_name("library_flags", cases, NULL, NULL);
}
