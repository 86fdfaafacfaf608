#ifndef LTE_SIM_SCENARIO_PARTS_H
#define LTE_SIM_SCENARIO_PARTS_H
/*
 * The parts of the scenario reader, included by nobody else: the text is checked first (syntax.c),
 * then read by libconfig and taken over key by key (find.c, keys.c), then checked as a whole
 * (check.c).
 */

#include <libconfig.h>
#include <stdbool.h>
#include <stddef.h>

#include "phy/base/carrier.h"
#include "phy/base/status.h"
#include "phy/detection/detectors.h"
#include "phy/inversion/inverters.h"
#include "sim/scenario/scenario.h"

enum {
    LTE_SCENARIO_PATH = 128, /* room of a key path with its final NUL */
    LTE_VERSION_NAME = 24    /* and of the name of a version */
};

/* Where a text stands: "file:line" or "--set path=value". */
typedef struct {
    char text[320];
} lte_scenario_place;

lte_scenario_place lte_scenario_place_file(const char *file, int line);
lte_scenario_place lte_scenario_place_set(const char *set);

/* The keys, in the order of entries in keys.c. */
typedef enum {
    LTE_KEY_TITLE,
    LTE_KEY_BANDWIDTH,
    LTE_KEY_ALLOCATION,
    LTE_KEY_GRID,
    LTE_KEY_CONTROL,
    LTE_KEY_SRS,
    LTE_KEY_TX,
    LTE_KEY_RX,
    LTE_KEY_MODULATION,
    LTE_KEY_CHANNEL,
    LTE_KEY_FILE,
    LTE_KEY_DOPPLER,
    LTE_KEY_DROP_SLOTS,
    LTE_KEY_FADES,
    LTE_KEY_LEVEL,
    LTE_KEY_LINK,
    LTE_KEY_VARIANT,
    LTE_KEY_ALPHA,
    LTE_KEY_BETA,
    LTE_KEY_CSI,
    LTE_KEY_NOISE,
    LTE_KEY_REFERENCES,
    LTE_KEY_DETECTORS,
    LTE_KEY_INVERTER,
    LTE_KEY_VERSION,
    LTE_KEY_OUTPUT,
    LTE_KEY_DEMAPPER,
    LTE_KEY_LLR_SCALE,
    LTE_KEY_CODE_LINK,
    LTE_KEY_CODE_MCS,
    LTE_KEY_CODE_TABLE,
    LTE_KEY_CODE_RATE,
    LTE_KEY_CODE_BITS,
    LTE_KEY_CODE_TRANSMISSIONS,
    LTE_KEY_CODE_COMBINING,
    LTE_KEY_CODE_VERSIONS,
    LTE_KEY_CODE_CATEGORY,
    LTE_KEY_CODE_SOFT_BITS,
    LTE_KEY_CODE_INTERLEAVER,
    LTE_KEY_CODE_ITERATIONS,
    LTE_KEY_CODE_EARLY,
    LTE_KEY_SNR_GRID,
    LTE_KEY_SNR_POINTS,
    LTE_KEY_MIN_BIT_ERRORS,
    LTE_KEY_MIN_SLOTS,
    LTE_KEY_MAX_SLOTS,
    LTE_KEY_ROUND_SLOTS,
    LTE_KEY_MIN_CLUSTERS,
    LTE_KEY_MAX_SECONDS,
    LTE_KEY_PRECISION,
    LTE_KEY_TARGET_BER,
    LTE_KEY_TARGET_THROUGHPUT,
    LTE_KEY_TARGET_RATE,
    LTE_KEY_REQUIRED,
    LTE_KEY_DEADLINE_SLOTS,
    LTE_KEY_DISTINCT,
    LTE_KEY_CARRIERS,
    LTE_KEY_DEADLINE_DETECTOR,
    LTE_KEY_DEADLINE_DETECTORS,
    LTE_KEY_DEADLINE_CSI,
    LTE_KEY_DEADLINE_SNR,
    LTE_KEY_BUDGET,
    LTE_KEY_ON_TIME,
    LTE_KEY_PACED,
    LTE_KEY_DEADLINE_THREADS,
    LTE_KEY_SEED,
    LTE_KEY_BACKEND,
    LTE_N_KEYS
} lte_scenario_key;

/* A scenario while it is read. */
typedef struct {
    lte_scenario *scenario;
    char version[LTE_VERSION_NAME]; /* of the inverter, by name; empty: not given */
    char folder[400]; /* of the file, with a slash behind it; empty: the working one */
    bool given[LTE_N_KEYS];
    int at;                               /* what is read: 0 the file, i + 1 override i */
    int counts_from[LTE_N_KEYS];          /* what a key is given before this counts for nothing */
    lte_scenario_place place[LTE_N_KEYS]; /* of the given ones: the last that set it */
} lte_scenario_reading;

/*
 * What a scenario's keys mean and must hold by what is counted, rows for LTE_COUNTED_*; each verb
 * returns LTE_EINVAL for what it refuses, and some are NULL where there is nothing to do.
 */
typedef struct {
    lte_status (*output)(const lte_scenario_reading *reading); /* keys of LLRs, layers */
    lte_status (*code)(const lte_scenario_reading *reading);   /* grid, code and targets */
    void (*default_drops)(const lte_scenario_reading *reading);
    lte_status (*drops)(const lte_scenario_reading *reading); /* drops, rounds and sweeps */
    lte_status (*make)(lte_scenario *scenario);               /* what the run needs beside keys */
} lte_scenario_rules;
extern const lte_scenario_rules lte_scenario_rules_of[LTE_N_COUNTED];

/* Reads and checks a scenario's text; the file in channel.file is meant from the working folder. */
lte_status lte_scenario_read_text(const char *text, const char *source, lte_scenario **scenario);

/*
 * Checks a scenario text, [length] characters and a NUL, against what libconfig reads the same way
 * in all its versions: grammar, no key twice, integers that fit, finite reals, arrays of one type,
 * no @include. title [size] gets the first comment line; *n_lines the number of lines.
 */
lte_status lte_scenario_check_text(const char *text, const char *file, char *title, size_t size,
                                   int *n_lines);

/* The same for the value of an override of the key path. */
lte_status lte_scenario_check_value(const char *value, const char *path,
                                    const lte_scenario_place *place);

/* What a word of a scenario is, by its form alone. */
typedef enum {
    LTE_WORD_NAME,
    LTE_WORD_BOOL,
    LTE_WORD_INT,
    LTE_WORD_INT64,
    LTE_WORD_HEX,
    LTE_WORD_HEX64,
    LTE_WORD_REAL,
    LTE_WORD_OTHER
} lte_scenario_word;

lte_scenario_word lte_scenario_classify(const char *word);

/* Checks that a word is a value, and one that libconfig keeps as written; path is for messages. */
lte_status lte_scenario_check_word(const char *word, const char *path,
                                   const lte_scenario_place *place);

/* Copies n characters of text as clean UTF-8 on one line, cut to what fits. */
void lte_scenario_copy_text(char *to, size_t size, const char *text, size_t n);

/* Takes over every member of a parsed file. */
lte_status lte_scenario_read_all(const config_setting_t *root, const char *file,
                                 lte_scenario_reading *reading);

/* Takes over one value; the key is found by lte_scenario_find_key. */
lte_status lte_scenario_read_key(lte_scenario_key key, const config_setting_t *value,
                                 const lte_scenario_place *place, lte_scenario_reading *reading);

/*
 * What must hold between keys, once all are there; makes what follows from several, the correlation
 * of antennas, and reads the channels of a file. n_lines is the length of the scenario at path.
 */
lte_status lte_scenario_check(lte_scenario_reading *reading, const char *path, int n_lines);

/* That a detector and an inverter take the layers of a scenario. */
lte_status lte_scenario_check_layers(const lte_scenario_reading *reading,
                                     const lte_detector_row *detector,
                                     const lte_inverter *inverter);

/* Where keys clash, for a message: at an override if there is one, else at the last given. */
const char *lte_scenario_clash(const lte_scenario_reading *reading, const lte_scenario_key *keys,
                               int n);

/*
 * Of a code: what its link is, before the modulation follows from an MCS; that an MCS is in its
 * table; then the grid, what else follows from the link, and that all fits.
 */
void lte_scenario_default_link(const lte_scenario_reading *reading);
lte_status lte_scenario_check_mcs(const lte_scenario_reading *reading);

/* An integer; a number; an integer that is not negative, or such a real that is one: 1e6. */
bool lte_scenario_integer(const config_setting_t *setting, long long *x);
bool lte_scenario_real(const config_setting_t *setting, double *x);
bool lte_scenario_count(const config_setting_t *setting, long long *x);

/* True for an array or a list. */
bool lte_scenario_is_sequence(const config_setting_t *setting);

/* A value for a message, cut if it is long. */
void lte_scenario_show_value(const config_setting_t *value, char *text, size_t size);

/*
 * Chooses a detector of the deadline run by its name; a plug-in may be listed behind it. False: the
 * name is too long.
 */
bool lte_scenario_choose_detector(const char *name, lte_scenario *scenario);

/* Finds it in the list, where it is a plug-in. */
bool lte_scenario_find_plugin(lte_scenario *scenario);

/* The value of deadline.detectors: a list of names, which lte_scenario_find_in_turn looks up. */
lte_status lte_scenario_read_in_turn(const config_setting_t *list, const lte_scenario_place *place,
                                     lte_scenario *scenario);

/* Finds them among detectors; returns the first name that is not there, or there twice, or NULL. */
const char *lte_scenario_find_in_turn(lte_scenario *scenario);

/*
 * The value of detectors: a list of names and of groups with a name and the detector's parameters,
 * or with a plug-in, which is sought from a folder; no two the same.
 */
lte_status lte_scenario_read_detectors(const config_setting_t *list, const char *folder,
                                       const lte_scenario_place *place, lte_scenario *scenario);

/*
 * Refuses a name at path that is none of those there are: the message lists them and says which one
 * it may mean: unknown detector "mmsee"; there are zf, mmse, ...; did you mean mmse?
 */
lte_status lte_scenario_refuse_name(const lte_scenario_place *place, const char *path,
                                    const char *kind, const char *name, const lte_names *names);

/* "a, b, c" appended to text. */
void lte_scenario_append_names(char *text, size_t size, const lte_names *names);

/* The key of a path; refuses an unknown one with what it may have meant. */
lte_status lte_scenario_find_key(const char *path, const lte_scenario_place *place,
                                 lte_scenario_key *key);

const char *lte_scenario_key_path(lte_scenario_key key);
const char *lte_scenario_key_range(lte_scenario_key key, char *text, size_t size);
bool lte_scenario_key_required(lte_scenario_key key);

/* x rounded to 1e-6 dB: equal points of different grids are equal doubles, and none is -0. */
double lte_scenario_round_db(double x);

/*
 * The points start, start + step, ... up to stop (kept within half of 1e-6 dB), each rounded.
 * Returns their number, also where it is more than LTE_MAX_SNR_POINTS (then none is written).
 */
double lte_scenario_grid(double start, double stop, double step, double *points);

#endif
