/* Sums over drops from which a channel's statistics follow. */
#include "sim/channel/statistics.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_math.h>

#include "phy/base/carrier.h"

const double lte_statistics_levels[LTE_STATISTICS_LEVELS] = {0.3, 0.7, 1.0};

/* Slots of a drop: no more than six turns, where little is left of the autocorrelation. */
static void plan_slots(lte_channel_statistics *s, const lte_channel_model *model)
{
    const double most = 6.0 / (model->doppler_hz * LTE_SLOT_S);
    int last = model->drop_slots - 1;
    if (most < last)
        last = (int)most;
    s->slot_step = last < LTE_STATISTICS_SLOTS ? 1 : last / (LTE_STATISTICS_SLOTS - 1);
    s->n_slots = last / s->slot_step + 1;
    s->n_times = s->n_slots * LTE_SLOT_SYMBOLS;
    s->drop_slots = (uint64_t)model->drop_slots;
}

static void plan(lte_channel_statistics *s, const lte_link *link, const lte_channel_model *model)
{
    /* 2000 drops tell a correlation to some percent, 8000 in some seconds where H is small */
    const uint64_t most = 8000, least = 2000, entries = 64000;
    const bool drawn = lte_channel_rows[model->channel].fading != LTE_FADING_CONSTANT;
    s->n_entries = link->n_rx * link->n_tx;
    s->n_drops = entries / (uint64_t)s->n_entries;
    s->n_drops = s->n_drops > most ? most : s->n_drops < least ? least : s->n_drops;
    if (!drawn)
        s->n_drops = 16;
    s->n_spacings = link->carrier.n_sc - 1 < LTE_STATISTICS_SPACINGS ? link->carrier.n_sc - 1
                                                                     : LTE_STATISTICS_SPACINGS;
    s->n_sc = s->n_spacings < LTE_STATISTICS_SC - 1 ? 1 : LTE_STATISTICS_SC;
    for (int k = 0; k < s->n_sc; k++)
        s->sc[k] = k * s->n_spacings / (LTE_STATISTICS_SC - 1);
    s->n_slots = s->slot_step = 1;
    s->drop_slots = (uint64_t)link->channel.hold_slots;
    if (model->doppler_hz > 0.0)
        plan_slots(s, model);
    s->n_envelopes = s->n_drops * (size_t)(model->correlation ? 1 : s->n_entries);
    s->n_h = link->channel.n_h;
    s->n_groups = s->n_spacings / LTE_LANES + 1;
}

static bool follows(const lte_channel_statistics *s, int t)
{
    return t % LTE_SLOT_SYMBOLS > 0 || (t > 0 && s->slot_step == 1);
}

lte_status lte_channel_statistics_create(const lte_link *link, const lte_channel_model *model,
                                         lte_channel_statistics **sums)
{
    lte_channel_statistics *s = calloc(1, sizeof *s);
    *sums = s;
    if (!s)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the channel's statistics");
    plan(s, link, model);
    const size_t n = (size_t)s->n_entries, n_d = (size_t)s->n_spacings + 1;
    const size_t n_t = (size_t)s->n_times + 1, n_sc = (size_t)s->n_sc;
    s->matrix = lte_pool_zeros(&s->pool, n * n * sizeof *s->matrix);
    s->frequency = lte_pool_zeros(&s->pool, n_d * sizeof *s->frequency);
    s->frequency_power = lte_pool_zeros(&s->pool, n_d * sizeof *s->frequency_power);
    s->envelope = lte_pool_zeros(&s->pool, s->n_envelopes * sizeof *s->envelope);
    s->time_s = lte_pool_zeros(&s->pool, n_t * sizeof *s->time_s);
    s->time = lte_pool_zeros(&s->pool, n_t * sizeof *s->time);
    s->time_power = lte_pool_zeros(&s->pool, n_t * sizeof *s->time_power);
    s->time_gap2 = lte_pool_zeros(&s->pool, n_t * sizeof *s->time_gap2);
    s->first = lte_pool_zeros(&s->pool, n_sc * n * sizeof *s->first);
    s->before = lte_pool_zeros(&s->pool, n * sizeof *s->before);
    s->last = lte_pool_zeros(&s->pool, n_sc * n * sizeof *s->last);
    s->h =
        lte_pool_zeros(&s->pool, (size_t)(s->n_groups * s->n_h) * n * 2 * LTE_LANES * sizeof *s->h);
    s->work = lte_pool_take(&s->pool, lte_stage_work(link));
    const lte_status status = lte_pool_check(&s->pool, "the channel's statistics");
    if (status) {
        lte_channel_statistics_free(s);
        *sums = NULL;
        return status;
    }
    for (int t = 0; t < s->n_times; t++) {
        const uint64_t slot = (uint64_t)(t / LTE_SLOT_SYMBOLS) * (uint64_t)s->slot_step;
        s->time_s[t] = lte_symbol_start_s(slot, t % LTE_SLOT_SYMBOLS);
        if (follows(s, t))
            s->watched_s += s->time_s[t] - s->time_s[t - 1];
        if (model->doppler_hz * s->time_s[t] <= 2.0)
            s->far_from = t + 1;
    }
    return LTE_OK;
}

void lte_channel_statistics_free(lte_channel_statistics *sums)
{
    if (!sums)
        return;
    lte_pool_free(&sums->pool);
    free(sums);
}

/* Entry e of a subcarrier; a channel at rest has one matrix for all symbols. */
static double complex entry(const lte_channel_statistics *s, int symbol, int sc, int e)
{
    const int i = symbol < s->n_h ? symbol : 0;
    const float *p = &s->h[lte_batch_at(s->n_h, s->n_entries, sc, i, e)];
    return (double)p[0] + (double)p[LTE_LANES] * (double complex)I;
}

static double abs2(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

/*
 * The derivative of h at subcarrier 2 by the central difference of fourth order, times j / (2 pi):
 * u = sum_l tau_l g_l exp(...), of which (2 pi 15 kHz tau_l)^4 / 30 is missing, 0.2 % at 5 us.
 */
static void add_slope(lte_channel_statistics *s)
{
    if (s->n_spacings < 4)
        return;
    for (int e = 0; e < s->n_entries; e++) {
        const double complex near = entry(s, 0, 3, e) - entry(s, 0, 1, e);
        const double complex far = entry(s, 0, 4, e) - entry(s, 0, 0, e);
        const double complex h = entry(s, 0, 2, e);
        const double complex u =
            (8.0 * near - far) / (12.0 * LTE_SUBCARRIER_HZ) * (double complex)I / (2.0 * M_PI);
        s->slope += u * conj(h);
        s->slope_power += abs2(u);
        s->slope_h_power += abs2(h);
    }
}

/* What the first symbol of a drop tells. */
static void add_first(lte_channel_statistics *s)
{
    const int n = s->n_entries;
    for (int e = 0; e < n; e++) {
        const double complex h0 = entry(s, 0, 0, e);
        for (int d = 0; d <= s->n_spacings; d++) {
            const double complex h = entry(s, 0, d, e);
            s->frequency[d] += h * conj(h0);
            s->frequency_power[d] += abs2(h);
        }
        s->next_drop += h0 * conj(s->before[e]);
        s->before[e] = h0;
    }
    for (int k = 0; k < s->n_sc; k++) {
        double complex *first = &s->first[(ptrdiff_t)k * n];
        for (int e = 0; e < n; e++)
            first[e] = entry(s, 0, s->sc[k], e);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++)
                s->matrix[(ptrdiff_t)i * n + j] += first[i] * conj(first[j]);
        }
    }
    add_slope(s);
}

/* Envelopes of the last symbol drawn: all of them, or one of a drop if they correlate. */
static void add_envelope(lte_channel_statistics *s)
{
    const uint64_t n = (uint64_t)s->n_entries;
    for (uint64_t e = 0; e < n; e++) {
        const double envelope = cabs(entry(s, LTE_SLOT_SYMBOLS - 1, 0, (int)e));
        if (s->n_envelopes > s->n_drops)
            s->envelope[s->done * n + e] = envelope;
        else if (s->done % n == e)
            s->envelope[s->done] = envelope;
    }
}

/* Symbol t of those drawn of a drop; the crossings up to it from the one before and the powers far
 * from the first, to be added. */
static void add_time(lte_channel_statistics *s, int t, int *ups, double *far)
{
    for (int k = 0; k < s->n_sc; k++) {
        for (int e = 0; e < s->n_entries; e++) {
            const ptrdiff_t i = (ptrdiff_t)k * s->n_entries + e;
            const double complex h = entry(s, t % LTE_SLOT_SYMBOLS, s->sc[k], e);
            const double power = abs2(h), power0 = abs2(s->first[i]), gap = power - power0;
            s->time[t] += h * conj(s->first[i]);
            s->time_power[t] += power;
            s->time_gap2[t] += gap * gap;
            if (t >= s->far_from)
                *far += (power - 1.0) * (power0 - 1.0);
            for (int level = 0; level < LTE_STATISTICS_LEVELS && follows(s, t); level++) {
                const double at = lte_statistics_levels[level] * lte_statistics_levels[level];
                ups[level] += s->last[i] < at && power >= at;
            }
            s->last[i] = power;
        }
    }
}

void lte_channel_statistics_add(lte_channel_statistics *sums, lte_channel_fn *channel,
                                const lte_link *link)
{
    lte_channel_statistics *s = sums;
    int ups[LTE_STATISTICS_LEVELS] = {0};
    double far = 0.0;
    for (int k = 0; k < s->n_slots; k++) {
        channel(link, s->done * s->drop_slots + (uint64_t)(k * s->slot_step), 0, s->n_groups, s->h,
                s->work);
        if (k == 0)
            add_first(s);
        for (int l = 0; l < LTE_SLOT_SYMBOLS && s->n_times > 0; l++)
            add_time(s, k * LTE_SLOT_SYMBOLS + l, ups, &far);
    }
    add_envelope(s);
    s->far += far;
    s->far2 += far * far;
    for (int level = 0; level < LTE_STATISTICS_LEVELS; level++) {
        s->crossings[level] += ups[level];
        s->crossings2[level] += (double)ups[level] * ups[level];
    }
    s->done++;
}
