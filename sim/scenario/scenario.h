#ifndef LTE_SIM_SCENARIO_SCENARIO_H
#define LTE_SIM_SCENARIO_SCENARIO_H
/*
 * A scenario file, read and checked.
 *
 *     lte_scenario *scenario = NULL;
 *     lte_status status = lte_scenario_read("scenarios/20mhz_4x4.cfg", sets, n_sets, &scenario);
 *     ...
 *     lte_scenario_free(scenario);
 *
 * Every key, its range and its default stand in scenarios/README.md. Anything unknown, of a wrong
 * type, out of range or impossible together is refused with one line that names file, line, key,
 * value and what is allowed.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/backends/backend.h"
#include "kernels/coding/coded.h"
#include "phy/base/resource_grid.h"
#include "phy/coding/mcs.h"
#include "phy/coding/soft_buffer.h"
#include "phy/coding/turbo_decoder.h"
#include "phy/channel/correlation.h"
#include "phy/channel/channels.h"
#include "phy/estimation/csi.h"
#include "phy/detection/demap.h"
#include "phy/detection/detectors.h"
#include "phy/theory/information.h"
#include "phy/inversion/inverters.h"
#include "phy/base/limits.h"
#include "phy/base/status.h"
#include "sim/files/channel_file.h"

/* What detectors give. */
enum { LTE_OUTPUT_HARD, LTE_OUTPUT_LLR, LTE_N_OUTPUTS };

enum { LTE_MOST_MCS = 28, LTE_MAX_SNR_POINTS = 1000, LTE_MAX_DETECTORS = 16 };

typedef struct {
    double snr_db[LTE_MAX_SNR_POINTS]; /* ascending grid, or the listed points in their order */
    int n_snr;
    uint64_t min_bit_errors;
    uint64_t min_slots;
    uint64_t max_slots;
    int round_slots;
    int min_clusters;   /* that carry the errors (phy/theory/interval.h) before errors end a row */
    double max_seconds; /* 0: no bound */
    double precision;   /* of a row's rate (phy/theory/interval.h) before errors end it; 0: any */
    /* whose SNR is searched, between the points of snr_db; 0: none; one of both at most */
    double target_ber;
    double target_throughput; /* as a share of the largest */
    double target_rate;       /* mutual information of the LLRs, bits per QAM symbol */
    /* shares of the largest throughput, one for all points or one for each: a row ends when its
       interval has the share on one side */
    double required[LTE_MAX_SNR_POINTS];
    int n_required; /* 0: rows end by their errors */
} lte_scenario_sweep;

/* Different slots by which a time that depends on what is received is known, and times of them. */
enum { LTE_VARIED_SLOTS = 4096, LTE_VARIED_TIMES = 10000 };

typedef struct {
    int slots;             /* slot periods */
    int distinct;          /* different slots made before the clock starts */
    int carriers;          /* slots of a period */
    lte_detector detector; /* phy/detection/detectors.h, default the last listed */
    char plugin[48];       /* its name, of one that was not known where it stands; else empty */
    /* those timed in turn, [n_in_turn] of the listed, and their names as written; 0: none */
    lte_detector in_turn[LTE_MAX_DETECTORS];
    char turn_name[LTE_MAX_DETECTORS][48];
    int n_in_turn;
    int csi;          /* LTE_CSI_*, default the last listed */
    double snr_db;    /* default the last of the sweep */
    double budget_us; /* slot deadline */
    double on_time;   /* share of slots that must meet it, (0, 1] */
    bool paced;       /* release a slot every 500 us */
    int threads;      /* processor threads that share a slot; 0: the run chooses */
} lte_scenario_deadline;

/* Who sends: the base station, or the terminal. */
enum { LTE_DOWNLINK, LTE_UPLINK, LTE_N_LINKS };

/* Antennas that correlate: a published level, or alpha and beta. */
typedef struct {
    bool given;
    int level;   /* LTE_CORRELATION_*; -1: alpha and beta are given */
    int link;    /* LTE_DOWNLINK, LTE_UPLINK */
    int variant; /* 0 adjusted, 1 kron */
    double alpha, beta;
    lte_correlation matrix; /* what all this makes */
} lte_scenario_correlation;

/* Transport blocks that are sent, if there are any. */
typedef struct {
    bool given;
    int link;  /* LTE_DOWNLINK, LTE_UPLINK */
    int mcs;   /* -1: by the rate or the bits; the first that is listed and fits */
    int n_mcs; /* that are listed and fit, if by them */
    int all_mcs[LTE_MOST_MCS + 1];
    int n_unfit; /* that are listed and do not fit */
    int unfit_mcs[LTE_MOST_MCS + 1];
    char mcs_place[320];          /* where mcs is given, for messages */
    int table;                    /* LTE_MCS_NAME_* */
    double rate;                  /* 0: by the mcs or the bits */
    int bits[LTE_MOST_CODEWORDS]; /* of the transport block of each codeword */
    int n_bits;                   /* how many are given; 0: by the mcs or the rate */
    int transmissions;            /* at most */
    int combining;                /* 0 incremental, 1 chase; without versions */
    int versions[LTE_MAX_TRANSMISSIONS];
    int n_versions;  /* that are given; 0: by the combining and the link */
    int category;    /* of the terminal whose soft buffer is kept; 0: not given */
    int soft_bits;   /* of that buffer, N_soft; 0: all are kept */
    int interleaver; /* of the channel: 0 none, 1 that of PUSCH */
    int iterations;  /* of the decoder, at most */
    bool early_stop;
    int fades; /* of a channel without Doppler: LTE_FADES_* */
} lte_scenario_code;

/* When a channel without Doppler changes under a code: from drop to drop, or with each subframe. */
enum { LTE_FADES_DROP, LTE_FADES_TRANSMISSION, LTE_N_FADES };

/* What stands in a title before the settings of --set, which end with "]". */
#define LTE_CHANGED " [changed: "

typedef struct {
    char name[256];  /* file name without folder and .cfg */
    char title[256]; /* first comment line, without the mark, then LTE_CHANGED, what --set has
                        changed, and "]"; may be empty */
    double bandwidth_mhz;
    int first_rb, n_rb; /* resource blocks that are used: carrier.allocation */
    int n_sc;           /* their subcarriers */
    int grid;           /* LTE_GRID_*, of a code; the others have all of it */
    int control_symbols;
    int n_tx, n_rx;
    int n_bits;              /* bits per QAM symbol: 2 4 6 8 */
    int channel;             /* LTE_CHANNEL_* */
    int drop_slots;          /* slots of one realisation, if it moves or comes from a file */
    double doppler_hz;       /* 0: every slot has a realisation of its own */
    char file[1024];         /* of channel.file, from the working folder; empty: not given */
    lte_channel_file stored; /* what is in it; h NULL: not given */
    lte_scenario_correlation correlation;
    int csi[LTE_N_CSI]; /* LTE_CSI_*, as listed */
    int n_csi;
    int noise;          /* to a receiver that estimates its channel: 0 estimated too, 1 known */
    int csi_references; /* that its estimates are made of: 1, or both of a subframe, 2 */
    lte_detector detectors[LTE_MAX_DETECTORS]; /* phy/detection/detectors.h, as listed */
    int n_detectors;
    int inverter;     /* LTE_INVERTER_* */
    int inversion;    /* LTE_INVERSION_*, of a device; no part of a run's identity */
    int output;       /* LTE_OUTPUT_* */
    int counted;      /* LTE_COUNTED_* (kernels/link/link.h), by output and code */
    bool records;     /* --blocks: each transmission is recorded; not a key */
    double llr_scale; /* of LLRs, as the next two */
    int demapper;     /* LTE_DEMAPPER_* */
    bool srs;         /* of grid pusch: the last symbol of a subframe carries no data */
    uint32_t scale_losses[LTE_SCALE_LOSSES]; /* of integers of that scale, */
    uint32_t integer_losses[LTE_LLR_VALUES]; /* phy/theory/information.h */
    lte_scenario_code code;
    lte_code
        *codes[2]; /* of receivers that know the channel, that estimate it; NULL: none listed */
    lte_scenario_sweep sweep;
    lte_scenario_deadline deadline;
    uint64_t seed;
    char backend[LTE_BACKEND_NAME];
} lte_scenario;

/* Names of the keys of channel.correlation. */
extern const lte_name lte_level_names[LTE_N_CORRELATION_LEVELS];
extern const lte_name lte_link_names[LTE_N_LINKS], lte_variant_names[2];

/*
 * Names of the tables of code.mcs: up to 64QAM or 256QAM of the link, and up to 64QAM of the
 * downlink or the uplink, whatever the link. And of the ways to combine, and of the channel
 * interleavers.
 */
enum {
    LTE_MCS_NAME_64QAM,
    LTE_MCS_NAME_256QAM,
    LTE_MCS_NAME_DOWNLINK,
    LTE_MCS_NAME_UPLINK,
    LTE_N_MCS_NAMES
};
extern const lte_name lte_mcs_names[LTE_N_MCS_NAMES], lte_combining_names[2];
extern const lte_name lte_interleaver_names[2];

/* The table of phy/coding/mcs.h that a scenario's code.mcs is of. */
int lte_scenario_mcs_table(const lte_scenario *scenario);

/* Names of LTE_FADES_*. */
extern const lte_name lte_fades_names[LTE_N_FADES];

/* Names of what detectors give, and of the demappers. */
extern const lte_name lte_output_names[LTE_N_OUTPUTS], lte_demapper_names[LTE_N_DEMAPPERS];

/* Names of the values of noise. */
extern const lte_name lte_noise_names[2];

/* The name of a modulation; "unknown" for another n_bits. */
const char *lte_modulation_name(int n_bits);

/*
 * Reads and checks the file at path, then applies the overrides "path=value" of sets [n_sets] in
 * order; what must hold between keys is checked after all of them. Channels in a file are read too,
 * those of the slots that its jobs may use: channel.file is sought from the scenario's folder, in
 * an override from the working folder.
 *
 * Returns LTE_EINVAL for anything wrong in file or overrides (also a file that cannot be read),
 * LTE_ENOMEM, LTE_EDEVICE for channels in a file where HDF5 is not built in; on failure *scenario
 * is NULL. The caller frees it.
 */
lte_status lte_scenario_read(const char *path, const char *const *sets, int n_sets,
                             lte_scenario **scenario);

/*
 * Sees to it that a slot's channel is there, where channels are from a file: reads more of it if
 * need be. Returns LTE_EINVAL, LTE_ENOMEM; then there are none.
 */
lte_status lte_scenario_reach(lte_scenario *scenario, uint64_t slot);

/*
 * The scenario that lte_scenario_json has made the object of; channels in a file are read again.
 * source is for messages.
 *
 * Returns LTE_EINVAL for an object that is of no scenario, or of one that is no more what it was
 * (another checksum of its channels); otherwise as lte_scenario_read.
 */
lte_status lte_scenario_from_json(const json_t *json, const char *source, lte_scenario **scenario);

/*
 * The text of a file that says what such an object says, but for its name and backend, with so many
 * digits of reals; NULL without memory. The caller frees it.
 */
char *lte_scenario_text(const json_t *json, int digits);

/*
 * Takes the name of a backend, in upper or lower case, into backend [size], as --list writes it.
 * place is for the message.
 *
 * Returns LTE_EINVAL for a name that is of no backend; the message lists those there are.
 */
lte_status lte_scenario_read_backend(const char *name, const char *place, char *backend,
                                     size_t size);

void lte_scenario_free(lte_scenario *scenario);

/* True if the scenario lists the csi. */
bool lte_scenario_has_csi(const lte_scenario *scenario, int csi);

/* True if channel.fades says when its channel changes: a code, no Doppler, and no file. */
bool lte_scenario_fades(const lte_scenario *scenario);

/* True if the channel of a code stands still in each drop, and changes from one to the next. */
bool lte_scenario_stands_still(const lte_scenario *scenario);

/* True if it lists several MCS, each of which is run by itself. */
bool lte_scenario_is_list(const lte_scenario *scenario);

/* What a search seeks the SNR of: a rate of errors, or a share of what there is at most. */
enum { LTE_SEEKS_NOTHING, LTE_SEEKS_ERRORS, LTE_SEEKS_THROUGHPUT, LTE_SEEKS_INFORMATION };
typedef struct {
    int seeks;        /* LTE_SEEKS_* */
    const char *key;  /* of the group sweep */
    double value;     /* as it is given */
    double unreached; /* what falls with the SNR to that: the rate, or the share that is lacking */
    const char *noun; /* what rises with the SNR: "throughput"; NULL: nothing does */
} lte_target;
lte_target lte_scenario_target(const lte_scenario *scenario);

/* True if the SNR of a target is searched. */
bool lte_scenario_searches(const lte_scenario *scenario);

/* Whether llr.demapper holds for one of its detectors. */
bool lte_scenario_shares_demapper(const lte_scenario *scenario);

/* True if it lists one that is estimated. */
bool lte_scenario_estimates(const lte_scenario *scenario);

/* The scenario as run, every key, as a new JSON object (NULL without memory); the caller owns it.
 */
json_t *lte_scenario_json(const lte_scenario *scenario);

#endif
