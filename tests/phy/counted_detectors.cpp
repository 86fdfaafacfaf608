/* The detectors over a number type that counts. */
#define LTE_REAL_HEADER "tests/lib/real_counting.h"
#include "tests/phy/counted_detectors.h"

#include "phy/detection/detection.h"
#include "phy/inversion/inversion.h"

static lte_cplx number(const float *x)
{
    return {{x[0], false}, {x[1], false}};
}

static lte_inverse_fn *inverse_of(int inverter)
{
#define FIND(id)                                                                                   \
    if (inverter == LTE_INVERTER_##id)                                                             \
        return lte_##id;
    LTE_INVERTERS(FIND)
#undef FIND
    return NULL;
}

void count_detector(const lte_detector_plan *plan, int inverter, const float *h, float n0,
                    const float *y, operations_counted *prepare, operations_counted *detect)
{
    enum { MOST_RX = 32, MOST_TX = LTE_MAX_ORDER, STATE = 4096 };
    static lte_cplx matrix[MOST_RX * MOST_TX], received[MOST_RX], state[STATE], work[STATE];
    static lte_word label[MOST_TX];
    static lte_real llr[MOST_TX * LTE_MAX_BITS];
    for (int e = 0; e < plan->n_rx * plan->n_tx; e++)
        matrix[e] = number(&h[2 * e]);
    for (int r = 0; r < plan->n_rx; r++)
        received[r] = number(&y[2 * r]);
    lte_decision decision = {};
    decision.label = plan->llrs ? NULL : label;
    decision.llr = plan->llrs ? llr : NULL;
    counted = operations_counted();
    (void)lte_prepare(plan, matrix, lte_white(lte_real{n0, false}), inverse_of(inverter), state,
                      work);
    *prepare = counted;
    counted = operations_counted();
    (void)lte_detect(plan, state, received, &decision, work);
    *detect = counted;
}
