#ifndef LTE_SIM_REPORT_RESULTS_H
#define LTE_SIM_REPORT_RESULTS_H
/*
 * The result files: ber.csv, layers.csv, groups.csv, target.csv, timing.csv, latency.csv and
 * run.json.
 *
 *     lte_run_info info = {...};
 *     lte_status status = lte_results_ber(dir, sweep);
 *     status = lte_results_json(dir, &info, sweep, deadline);
 *
 * Reals are written in %.6e, snr_db in %.9g; an unknown cell is empty.
 */

#include <time.h>

#include "kernels/link/inversion_rows.h"
#include "sim/channel/validation.h"
#include "sim/jobs/deadline/deadline.h"
#include "sim/jobs/sweep/sweep.h"
#include "sim/jobs/sweep/part.h"

#define LTE_BER_COLUMNS                                                                            \
    "detector,csi,snr_db,snr_db_measured,slots,bits,bit_errors,ber,ber_low,ber_high,ser,"          \
    "ber_theory,z,flagged,status,seconds"
#define LTE_BER_SOFT_COLUMNS                                                                       \
    ",gmi,gmi_low,gmi_high,gmi_limit,shannon,llr_scale,llr_cut" /* with LLRs */
#define LTE_BLER_COLUMNS                                                                           \
    "detector,csi,snr_db,snr_db_measured,slots,blocks,wrong_first,bler,bler_low,bler_high,wrong,"  \
    "bler_last,bler_last_low,bler_last_high,bits_per_s,peak_bits_per_s,transmissions,iterations,"  \
    "raw_ber,ber,undetected,code_rate,flagged,status,seconds"
#define LTE_ENVELOPE_COLUMNS "detector,csi,snr_db,mcs,bits_per_s,peak_bits_per_s,bler"
#define LTE_RATE_COLUMNS "detector,csi,snr_db,layer,bit,gmi,gmi_low,gmi_high"
#define LTE_LAYERS_COLUMNS                                                                         \
    "detector,csi,snr_db,eb_n0_db,layer,bits,bit_errors,ber,symbol_errors,ser"
#define LTE_GROUPS_COLUMNS                                                                         \
    "detector,csi,snr_db,bits,e0,e1,e2,e3,e4,e5,e6,e7,e8,e9,e10,e11,e12,e13,e14,e15"
#define LTE_GROUPS_SOFT_COLUMNS ",l0,l1,l2,l3,l4,l5,l6,l7,l8,l9,l10,l11,l12,l13,l14,l15"
#define LTE_TARGET_COLUMNS                                                                         \
    "detector,csi,target_ber,snr_db,snr_db_low,snr_db_high,snr_db_theory,slots,status"
#define LTE_TIMING_COLUMNS "detector,placement,stage,p50_us,p99_us,p999_us,max_us,mean_us"
#define LTE_LATENCY_COLUMNS "quantile,latency_us"
#define LTE_CHANNEL_COLUMNS "property,argument,measured,expected,limit,pass"
#define LTE_CHANNEL_GRID_COLUMNS "time_ms,subcarrier,h_db"

/* What run.json says of the run besides its results. */
typedef struct {
    const lte_scenario *scenario;
    const char *command;                /* line that began it; empty or NULL: not known */
    const char *backend;                /* the one that ran, as in cpu:v4 */
    const char *choices;                /* versions and mappings that it chose */
    const lte_inversion_row *inversion; /* the version of the inverter; NULL: processors ran it */
    lte_device device;
    int threads;   /* of rank 0; 0: others have counted, who are in choices */
    int ranks;     /* one of so many processes */
    lte_part part; /* of the slots */
    time_t start, end;
    const lte_channel_validation *proof; /* NULL: the channel was not proved */
} lte_run_info;

/* "n_tx / n0, ...", the SNR definition that tables and files name. */
extern const char lte_snr_definition[];

/*
 * ber.csv, rows csi by csi, layers.csv, each of these rows layer by layer, and groups.csv, their
 * errors by groups of drops; with LLRs rate.csv, what each bit of a layer is worth; of a search
 * target.csv, the SNR that each detector needs.
 */
lte_status lte_results_ber(const char *dir, const lte_sweeps *sweeps);

/* timing.csv, and latency.csv with the distribution of slot latencies from host memory. */
lte_status lte_results_timing(const char *dir, const lte_deadline *run);

/* sweeps (or their number) and deadline may be 0: that job did not run. */
lte_status lte_results_json(const char *dir, const lte_run_info *info, const lte_sweeps *sweeps,
                            const lte_deadline *run);

#endif
