/* Inverses of a program's own matrices: its choices, and the backend's table. */
#include "ltesim/inversion.h"

#include <stdlib.h>

#include "kernels/backends/backend.h"
#include "kernels/methods/inverse/inverse.h"
#include "phy/base/names.h"
#include "sim/library/choices.h"

struct lte_inversion {
    const lte_matrix_ops *ops;
    lte_matrices *matrices;
    int n, element;
};

/* Whether an inverter takes such matrices; one by one they may have any order and precision. */
static bool takes(int inverter, int n, int element)
{
    const lte_inverter *row = &lte_inverter_rows[inverter];
    return row->layout == LTE_LAYOUT_MATRIX ? n <= LTE_INVERSE_MAX_ORDER
                                            : n <= row->max_order && element == LTE_CFLOAT;
}

static lte_status choose_inverter(const lte_inversion_plan *plan, lte_matrices_plan *chosen)
{
    const lte_names names = LTE_NAMES(lte_inverter_rows);
    chosen->inverter = LTE_INVERTER_gauss_jordan;
    if (!plan->inverter && !takes(chosen->inverter, plan->n, chosen->element))
        chosen->inverter = LTE_INVERTER_lu_delayed;
    if (plan->inverter)
        chosen->inverter = lte_name_find(&names, plan->inverter);
    if (chosen->inverter < 0)
        return lte_refuse_name("inverter", plan->inverter, &names);
    if (plan->n < 1 || !takes(chosen->inverter, plan->n, chosen->element))
        return LTE_FAIL(LTE_EINVAL, "inverter %s does not take n=%d in %s precision",
                        lte_inverter_rows[chosen->inverter].name, plan->n,
                        chosen->element == LTE_CFLOAT ? "single" : "double");
    return LTE_OK;
}

lte_status lte_inversion_create(const lte_inversion_plan *plan, lte_inversion **inversion)
{
    const lte_backend *backend;
    lte_matrices_plan chosen = {.n = plan->n, .n_threads = plan->n_threads};
    *inversion = NULL;
    if (plan->precision != LTE_SINGLE_PRECISION && plan->precision != LTE_DOUBLE_PRECISION)
        return LTE_FAIL(LTE_EINVAL, "precision=%d (0 or 1)", (int)plan->precision);
    chosen.element = plan->precision == LTE_SINGLE_PRECISION ? LTE_CFLOAT : LTE_CDOUBLE;
    lte_status status = choose_inverter(plan, &chosen);
    if (!status)
        status = lte_choose_backend(plan->backend, plan->n_threads, &backend, &chosen.device);
    if (status)
        return status;
    lte_inversion *made = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for an inversion");
    made->ops = backend->matrices;
    made->n = plan->n;
    made->element = chosen.element;
    status = made->ops->create(backend, &chosen, &made->matrices);
    if (status)
        free(made);
    else
        *inversion = made;
    return status;
}

lte_status lte_inversion_run(lte_inversion *inversion, int n_matrices, const void *a, void *x,
                             uint8_t *flag)
{
    lte_status status = lte_need_array("a", a);
    if (!status)
        status = lte_need_array("x", x);
    if (!status)
        status = lte_need_array("flag", flag);
    if (!status)
        status = lte_inverse_check(inversion->element, inversion->n, n_matrices, a, x);
    return status ? status : inversion->ops->invert(inversion->matrices, n_matrices, a, x, flag);
}

void lte_inversion_free(lte_inversion *inversion)
{
    if (!inversion)
        return;
    inversion->ops->free(inversion->matrices);
    free(inversion);
}
