#ifndef LTE_SIM_REPORT_EXPECTED_H
#define LTE_SIM_REPORT_EXPECTED_H
/*
 * About how long a scenario takes on the processors of this machine, before it runs.
 *
 *     lte_pace pace;
 *     double seconds;
 *     lte_status status = lte_pace_measure(&pace);
 *     if (!status)
 *         status = lte_expected_seconds(scenario, &pace, &seconds);
 *
 * Sums the operations of the slots that the sweep will need and divides them by a pace that a short
 * trial has shown; adds the periods of the deadline run, which the clock paces. How far off it is,
 * on two cores with AVX-512, in seconds expected and seconds of a run with its pictures:
 *
 *     quick                  3    2.6        pusch_epa5            15   27.8
 *     20mhz_8x8              5    4.1        eva70_20mhz_4x4       15   10.7
 *     estimated              4    5.0        massive_20mhz_64x8     7    7.3
 *     soft                   7    5.5        massive_20mhz_64x16   15   18.2
 *     bler_10mhz_2x2        15   13.0        massive_20mhz_128x32  40   66.0
 *     throughput_20mhz_4x4  20   13.0
 *
 * A machine that is busy takes longer.
 */

#include "kernels/backends/backend.h"
#include "sim/scenario/scenario.h"

/* Operations on one slot by stage, as phy/detection/operations.h counts them. */
typedef struct {
    double draws, channel, estimation;         /* whatever the detector */
    double gram, inversion, filter, detection; /* of a detector; the first two if it inverts */
    double llrs; /* beyond those of decisions; 0 of a link that asks for none */
} lte_operations;

/* Of a link and a detector, of one that searches with the first vector alone; no decoding. */
lte_operations lte_operations_of(const lte_link *link, lte_detector detector);

/* The SNR that it is tried at: work that depends on what is received may be more at others. */
enum { LTE_TRIED_SNR_DB = 20 };

/* What is tried to learn how long a slot of a sweep takes. */
typedef struct {
    const lte_backend *backend;
    lte_engine *engine;
    const lte_link *link; /* the engine's */
    const lte_detector *detectors;
    int n_detectors;
    int tries;           /* at least so many, */
    double seconds;      /* and for at least so long */
    const char *purpose; /* of its memory, "for the counts of a sweep" */
} lte_slot_trial;

/*
 * The seconds of a slot, the best of all tries, and how many slots each try has had: as few as keep
 * the backend busy, or where these take a second or more one for each thread, tried once; always
 * whole subframes, and with a code of several transmissions whole drops. Returns
 * LTE_ENOMEM, what the backend returns.
 */
lte_status lte_slot_seconds(const lte_slot_trial *trial, int *n_slots, double *seconds);

typedef struct {
    double per_s; /* operations of lte_operations_of, all threads together */
} lte_pace;

/* Takes 0.05 s. Returns LTE_ENOMEM, LTE_EDEVICE. */
lte_status lte_pace_measure(lte_pace *pace);

/*
 * Both jobs and the pictures. The error rates are taken to be those of zero forcing in Rayleigh
 * fading or AWGN, and block error rates to fall from 1 to 1e-3 over the sweep.
 *
 * Returns what lte_scenario_outline does.
 */
lte_status lte_expected_seconds(const lte_scenario *scenario, const lte_pace *pace,
                                double *seconds);

#endif
