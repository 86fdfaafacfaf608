#ifndef LTE_SIM_METHOD_DEVICE_FIGURES_H
#define LTE_SIM_METHOD_DEVICE_FIGURES_H
/*
 * What the methods took on one device: figures of tests/bench/results, for machines without one.
 *
 *     for (const lte_device_figure *f = lte_device_figures; f->method; f++)
 *         printf("%s %g us\n", f->version, f->us);
 */

typedef struct {
    const char *method;  /* as lte_methods_list has it; NULL ends the list */
    const char *version; /* "gauss-jordan 1" */
    const char *mapping; /* who holds what, in a few words; of product the storage */
    const char *data;
    double us;
    double copy_us; /* of a copy of the same bytes, of reference a fill; 0: not told */
} lte_device_figure;

extern const lte_device_figure lte_device_figures[];

/* The card, and the revision that was measured. */
extern const char lte_device_figures_card[], lte_device_figures_revision[];

#endif
