#ifndef LTE_SIM_JOBS_MACHINE_USE_H
#define LTE_SIM_JOBS_MACHINE_USE_H
/*
 * What the machine has kept from this process: before and after a run, the difference is what it
 * took from the run.
 *
 *     const lte_machine_use before = lte_machine_use_now();
 *     ...
 *     const lte_machine_use after = lte_machine_use_now();
 *     const double taken_s = lte_machine_use_taken(&before, &after);
 *
 * Source: Linux, proc(5), /proc/stat, and Documentation/scheduler/sched-stats.rst, schedstat. 0
 * where a system does not tell.
 */

typedef struct {
    double delay_s; /* threads of this process were ready and had no processor, all of them */
    double steal_s; /* the hypervisor had the processors elsewhere, all of them */
} lte_machine_use;

lte_machine_use lte_machine_use_now(void);

static inline double lte_machine_use_taken(const lte_machine_use *before,
                                           const lte_machine_use *after)
{
    const double delay_s = after->delay_s - before->delay_s; /* threads that ended took theirs */
    const double steal_s = after->steal_s - before->steal_s;
    return (delay_s > 0.0 ? delay_s : 0.0) + (steal_s > 0.0 ? steal_s : 0.0);
}

#endif
