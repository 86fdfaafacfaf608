#ifndef LTE_SIM_CHANNEL_VALIDATION_H
#define LTE_SIM_CHANNEL_VALIDATION_H
/*
 * A channel held against its model: what the stages draw, measured over independent drops, beside
 * what theory expects of it.
 *
 *     const lte_channel_model model = {LTE_CHANNEL_eva, .doppler_hz = 70.0, .drop_slots = 8};
 *     lte_channel_validation *validation = NULL;
 *     lte_status status = lte_channel_validation_run(&link, &model, lte_stages_best()->channel,
 *                                                    &validation);
 *     printf("%d of %d lines fail\n", validation->n_failed, validation->n_lines);
 *     lte_channel_validation_free(validation);
 *
 * A line passes if measured is within limit of expected. The limit is LTE_VALIDATION_ERRORS
 * standard errors of the measured value if the model holds, from theory wherever there is a
 * formula, so that a wrong channel does not widen it; beside it stands only what rounding and
 * sampling in time take. With thousands of lines a run, six standard errors let less than one right
 * channel in a thousand fail.
 */

#include "sim/channel/statistics.h"

#define LTE_VALIDATION_ERRORS 6.0

typedef struct {
    const char *property;
    char argument[24]; /* subcarriers, seconds, entries "i j", ...; may be empty */
    double measured, expected, limit;
    const char *untested; /* the reason, if it was not tested: then it is no failure; else NULL */
    bool pass;
    bool listed; /* stands for itself in a table, not only as one of many */
} lte_validation_line;

typedef struct {
    lte_validation_line *lines; /* [n_lines], those of a property next to each other */
    int n_lines, n_failed, n_untested;
    uint64_t drops;             /* 0: the channel is given, not drawn: no lines */
    int slots_drawn, slot_step; /* of each drop */
    bool interrupted;           /* by a signal: no lines */
} lte_channel_validation;

/*
 * Draws with a stage of a link, slots from 0 on, and checks. The link need not be the model's: that
 * it is, is what is checked.
 *
 * Returns LTE_ENOMEM. Some seconds on one core at most. The caller frees the validation.
 */
lte_status lte_channel_validation_run(const lte_link *link, const lte_channel_model *model,
                                      lte_channel_fn *channel, lte_channel_validation **validation);
void lte_channel_validation_free(lte_channel_validation *validation);

/* What a failing line says: what was measured, and what it must be. LTE_VALIDATION_TEXT bytes hold
 * it. */
#define LTE_VALIDATION_TEXT 160
void lte_validation_text(const lte_validation_line *line, char *text, size_t size);

/* The worst line of [from, to): the one with the largest gap between measured and expected in
 * units of its limit; -1 if none of them was tested. */
int lte_channel_validation_worst(const lte_channel_validation *validation, int from, int to);

#endif
