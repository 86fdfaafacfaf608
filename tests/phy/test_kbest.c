/* K-best against an exhaustive search, and the sorted QR decomposition that it stands on. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "phy/channel/channel.h"
#include "phy/detection/detection.h"
#include "tests/lib/ties.h"
#include "tests/lib/unit.h"

enum { MOST = 16, MOST_RX = MOST + 4, STATE = LTE_TREE_STATE(MOST_RX, MOST), K = 64 };

/* A channel, what is received of a random vector, and the detector at its size. */
typedef struct {
    lte_cplx h[MOST_RX * MOST], y[MOST_RX], state[STATE],
        work[LTE_KBEST_WORK(K, MOST, LTE_MAX_BITS)];
    lte_detector_plan plan;
    lte_word label[MOST];
    float llr[MOST * LTE_MAX_BITS];
    lte_mask flag;
} problem;

static lte_detector kbest(int k, double clip)
{
    return (lte_detector){LTE_DETECTOR_kbest, {k, clip}};
}

static void draw(problem *p, lte_detector detector, int n_rx, int n_tx, int n_bits, uint32_t sc)
{
    const lte_draws draws = lte_draws_of(17, n_rx, n_tx, n_bits);
    lte_word sent[LTE_SLOT_SYMBOLS * MOST];
    lte_cplx z[MOST_RX];
    p->plan = lte_detector_plan_of(detector, n_rx, n_tx, n_bits, true);
    lte_channel_rayleigh(&draws, 0, sc, p->h);
    lte_draw_labels(&draws, 0, sc, sent);
    lte_draw_noise(&draws, 0, sc, 0, z);
    for (int r = 0; r < n_rx; r++) {
        p->y[r] = c_scale(z[r], 0.5f);
        for (int k = 0; k < n_tx; k++)
            p->y[r] = c_mac(p->y[r], p->h[r * n_tx + k], lte_qam_map(n_bits, sent[k]));
    }
}

static void detect(problem *p)
{
    const lte_decision decision = {.label = p->label, .llr = p->llr};
    p->flag = lte_prepare(&p->plan, p->h, lte_white(0.25f), NULL, p->state, p->work);
    assert_int_equal(lte_detect(&p->plan, p->state, p->y, &decision, p->work), 0);
}

/*
 * |y - H x|^2 / n0 of every vector in double: the least, and for each bit of each layer the least
 * where it is 0 and where it is 1.
 */
static double search(const problem *p, double (*least)[LTE_MAX_BITS][2])
{
    const int n_tx = p->plan.n_tx, n_bits = p->plan.n_bits;
    double best = INFINITY;
    for (int i = 0; i < n_tx * n_bits; i++)
        least[i / n_bits][i % n_bits][0] = least[i / n_bits][i % n_bits][1] = INFINITY;
    for (uint32_t v = 0; v < 1u << (n_tx * n_bits); v++) {
        double metric = 0.0;
        for (int r = 0; r < p->plan.n_rx; r++) {
            double re = (double)p->y[r].re, im = (double)p->y[r].im;
            for (int k = 0; k < n_tx; k++) {
                const lte_cplx h = p->h[r * n_tx + k];
                const lte_cplx x = lte_qam_map(n_bits, v >> (k * n_bits) & ((1u << n_bits) - 1));
                re -= (double)h.re * (double)x.re - (double)h.im * (double)x.im;
                im -= (double)h.re * (double)x.im + (double)h.im * (double)x.re;
            }
            metric += (re * re + im * im) / 0.25;
        }
        best = fmin(best, metric);
        for (int i = 0; i < n_tx * n_bits; i++) {
            double *const of_bit = &least[i / n_bits][i % n_bits][v >> i & 1];
            *of_bit = fmin(*of_bit, metric);
        }
    }
    return best;
}

/* k vectors of all layers but one are enough for the best one; all of them give every LLR. */
static void enough_vectors_are_the_exhaustive_search(void **state)
{
    static const int shapes[][4] = {/* n_rx, n_tx, n_bits, k */
                                    {1, 1, 8, 1},  {2, 2, 2, 16}, {2, 2, 4, 16}, {5, 3, 2, 64},
                                    {2, 2, 6, 64}, {4, 4, 2, 64}, {3, 2, 4, 16}};
    static const double clip = 9.0;
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const int n_tx = shapes[s][1], n_bits = shapes[s][2], k = shapes[s][3];
        const bool all = 1 << (n_tx * n_bits) <= k;
        for (uint32_t sc = 0; sc < (n_tx * n_bits > 8 ? 6u : 60u); sc++) {
            double least[MOST][LTE_MAX_BITS][2];
            static problem p;
            draw(&p, kbest(k, clip), shapes[s][0], n_tx, n_bits, sc);
            detect(&p);
            const double best = search(&p, least);
            for (int i = 0; i < n_tx * n_bits; i++) {
                const double *const of = least[i / n_bits][i % n_bits];
                const double exact = fmax(-clip, fmin(clip, of[1] - of[0]));
                const int bit = p.label[i / n_bits] >> (i % n_bits) & 1;
                assert_near(of[bit], best, 1e-4 * (1.0 + best));
                assert_true(p.llr[i] == 0.0f || (p.llr[i] < 0.0f) == bit);
                if (all)
                    assert_near((double)p.llr[i], exact, 1e-4 * (1.0 + best));
                else /* of fewer vectors: the same or further from zero */
                    assert_true(fabs((double)p.llr[i]) >= fabs(exact) - 1e-4 * (1.0 + best));
            }
        }
    }
}

/* ---- of equal metrics that of the row that opened first ---- */

enum { TIED = 4, TIED_K = 16, MOST_LEVELS = 8, MOST_ROWS = 2 * TIED_K };

/* A vector so far. */
typedef struct {
    float metric;
    uint32_t label[TIED];
} vector;

/* What is left of a row of R for a vector: levels of both dimensions, by rising distance. */
typedef struct {
    float x[2][MOST_LEVELS], distance[2][MOST_LEVELS];
} levels;

/* A row of children: of which vector, which real part, how many of it are kept. */
typedef struct {
    int of, re, taken;
} open_row;

/* Levels of a dimension in the order of phy/detection/tree_levels.h. */
static void sort_levels(int n_bits, float pivot, float left, float *x, float *distance)
{
    lte_tree_levels all = lte_tree_levels_of(n_bits, pivot, 1.0f / pivot, left);
    for (int l = 0; l < 1 << n_bits / 2; l++) {
        const lte_tree_level next = lte_tree_next_level(&all);
        assert_true(next.is);
        x[l] = next.x;
        distance[l] = next.distance;
        assert_true(l == 0 || fabsf(distance[l]) >= fabsf(distance[l - 1]));
    }
}

static vector child_of(const lte_detector_plan *plan, int i, const vector *of, const levels *at,
                       int re, int im)
{
    const float a = at->distance[0][re], b = at->distance[1][im];
    const lte_cplx x = {at->x[0][re], at->x[1][im]};
    vector child = *of;
    child.metric = of->metric + fmaf(b, b, a * a);
    child.label[i] = lte_qam_slice(plan->n_bits, x);
    return child;
}

/* The best k children of vectors [n], by going through all open rows for each; returns how many. */
static int keep_children(const problem *p, int i, int k, const vector *from, int n, vector *to)
{
    const int n_tx = p->plan.n_tx, n_bits = p->plan.n_bits, n_levels = 1 << n_bits / 2;
    const lte_cplx *const r = &p->state[n_tx * n_tx + i * n_tx]; /* Q' is I before it */
    levels at[TIED_K];
    open_row rows[MOST_ROWS];
    int n_rows = 0, kept = 0;
    for (int c = 0; c < n; c++) {
        lte_cplx left = p->y[i];
        for (int j = n_tx - 1; j > i; j--)
            left = c_nmac(left, r[j], lte_qam_map(n_bits, from[c].label[j]));
        sort_levels(n_bits, r[i].re, left.re, at[c].x[0], at[c].distance[0]);
        sort_levels(n_bits, r[i].re, left.im, at[c].x[1], at[c].distance[1]);
        rows[n_rows++] = (open_row){c, 0, 0};
    }
    if (i > 0 && n << n_bits <= k) { /* all, by their labels */
        for (int e = 0; e < n * n_levels * n_levels; e++) {
            const int c = e >> n_bits, re = e / n_levels % n_levels;
            const vector child = child_of(&p->plan, i, &from[c], &at[c], re, e % n_levels);
            to[(c << n_bits) + (int)child.label[i]] = child;
        }
        return n << n_bits;
    }
    while (kept < k) {
        int best = -1;
        vector least = {.metric = INFINITY};
        for (int e = 0; e < n_rows; e++) {
            const open_row *const a = &rows[e];
            if (a->taken == n_levels)
                continue;
            const vector child = child_of(&p->plan, i, &from[a->of], &at[a->of], a->re, a->taken);
            if (child.metric < least.metric) {
                least = child;
                best = e;
            }
        }
        if (best < 0)
            break;
        to[kept++] = least;
        if (rows[best].taken++ == 0 && rows[best].re + 1 < n_levels)
            rows[n_rows++] = (open_row){rows[best].of, rows[best].re + 1, 0};
    }
    return kept;
}

/* Labels and LLRs are those of lists that are made one child after the other. */
static void of_equal_vectors_the_first_is_kept(void **state)
{
    static const int shapes[][3] = {{4, 2, 16}, {4, 4, 16}, {3, 6, 16}, {2, 4, 7},
                                    {4, 2, 5},  {1, 4, 16}, {2, 2, 16}, {3, 4, 1}};
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const int n_tx = shapes[s][0], n_bits = shapes[s][1], k = shapes[s][2];
        for (uint32_t sc = 0; sc < 200; sc++) {
            static problem p;
            vector list[TIED_K] = {{.metric = 0.0f}}, next[TIED_K];
            int n = 1;
            p.plan = lte_detector_plan_of(kbest(k, 9.0), n_tx, n_tx, n_bits, true);
            make_ties(&p.plan, sc, p.state, p.y);
            for (int i = n_tx - 1; i >= 0; i--) {
                n = keep_children(&p, i, k, list, n, next);
                memcpy(list, next, (size_t)n * sizeof *list);
            }
            for (int soft = 0; soft < 2; soft++) { /* bits alone take the best of the last row */
                const lte_decision decision = {.label = p.label, .llr = soft ? p.llr : NULL};
                assert_int_equal(lte_detect(&p.plan, p.state, p.y, &decision, p.work), 0);
                for (int e = 0; e < n_tx; e++)
                    assert_int_equal(p.label[e], list[0].label[e]);
            }
            for (int e = 0; e < n_tx * n_bits; e++) {
                float least[2] = {LTE_KBEST_NONE, LTE_KBEST_NONE};
                for (int c = n - 1; c >= 0; c--)
                    least[list[c].label[e / n_bits] >> (e % n_bits) & 1] = list[c].metric;
                assert_true(p.llr[e] == fmaxf(-9.0f, fminf(9.0f, least[1] - least[0])));
            }
        }
    }
}

/* Without noise what was sent has metric 0 at each level, and is found however few are kept. */
static void without_noise_all_layers_are_right(void **state)
{
    (void)state;
    for (int i = 0; i < 12 * MOST; i++) {
        const int n_tx = 1 + i % MOST, n_rx = n_tx + i % 5, n_bits = 2 + 2 * (i % 4);
        const lte_draws draws = lte_draws_of(5, n_rx, n_tx, n_bits);
        lte_word sent[LTE_SLOT_SYMBOLS * MOST];
        static problem p;
        draw(&p, kbest(1 + i % 3, 7.5), n_rx, n_tx, n_bits, (uint32_t)i);
        lte_draw_labels(&draws, 0, (uint32_t)i, sent);
        for (int r = 0; r < n_rx; r++) {
            p.y[r] = c_zero();
            for (int k = 0; k < n_tx; k++)
                p.y[r] = c_mac(p.y[r], p.h[r * n_tx + k], lte_qam_map(n_bits, sent[k]));
        }
        detect(&p);
        for (int e = 0; e < n_tx * n_bits; e++) {
            const uint32_t bit = sent[e / n_bits] >> (e % n_bits) & 1;
            assert_int_equal(p.label[e / n_bits] >> (e % n_bits) & 1, bit);
            assert_true(bit ? p.llr[e] < 0.0f : p.llr[e] > 0.0f);
            assert_true(fabsf(p.llr[e]) <= 7.5f);
        }
    }
}

static void what_has_no_answer_is_decided_as_zero(void **state)
{
    static const float broken[] = {0.0f, NAN, INFINITY};
    (void)state;
    for (int i = 0; i < 6; i++) {
        static problem p;
        draw(&p, kbest(16, 5.0), 4, 3, 6, (uint32_t)i); /* 64QAM: zero is not label 0 */
        if (i < 3) {                                    /* a column of the channel */
            for (int r = 0; r < 4; r++)
                p.h[r * 3 + 1] = (lte_cplx){broken[i], 0.0f};
        } else if (i > 3) {
            p.y[2].im = broken[i - 3];
        }
        detect(&p);
        assert_int_equal(p.flag != 0, i == 1 || i == 2);
        for (int e = 0; e < 3 && i != 0 && i != 3; e++) {
            assert_int_equal(p.label[e], lte_qam_slice(6, c_zero()));
            for (int bit = 0; bit < 6; bit++)
                assert_true(p.llr[e * 6 + bit] == 0.0f);
        }
    }
}

static void sorted_qr_is_one_of_the_columns_in_their_order(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        const int n_tx = 1 + i % MOST, n_rx = n_tx + i % 3;
        const lte_qr_order order = i % 2 ? LTE_QR_STRONGEST_FIRST : LTE_QR_WEAKEST_FIRST;
        static problem p;
        lte_cplx q[MOST_RX * MOST], r[MOST * MOST];
        float layer[MOST];
        draw(&p, kbest(1, 5.0), n_rx, n_tx, 2, (uint32_t)i);
        memcpy(q, p.h, sizeof q);
        assert_int_equal(lte_sorted_qr(n_rx, n_tx, order, 0.0f, NULL, q, r, layer), 0);
        for (int e = 0; e < n_rx * n_tx; e++) {
            const int row = e / n_tx, k = e % n_tx;
            lte_cplx sum = c_zero();
            for (int j = 0; j <= k; j++)
                sum = c_mac(sum, q[row * n_tx + j], r[j * n_tx + k]);
            assert_near(sum.re, p.h[row * n_tx + (int)layer[k]].re, 1e-5);
            assert_near(sum.im, p.h[row * n_tx + (int)layer[k]].im, 1e-5);
        }
        for (int e = 0; e < n_tx * n_tx; e++) {
            const int a = e / n_tx, b = e % n_tx;
            double length = 0.0; /* of column b among those from a on */
            lte_cplx product = c_zero();
            for (int row = 0; row < n_rx; row++)
                product = c_cmac(product, q[row * n_tx + a], q[row * n_tx + b]);
            assert_near(product.re, a == b, 1e-5);
            assert_near(product.im, 0.0, 1e-5);
            for (int j = a; j <= b; j++)
                length += (double)c_abs2(r[j * n_tx + b]);
            const double gap = length - (double)c_abs2(r[a * n_tx + a]);
            assert_true(b < a || (order == LTE_QR_WEAKEST_FIRST ? gap : -gap) >= -1e-5);
        }
    }
}

/* Columns of one norm, as those of a unit matrix are, stay where they are. */
static void of_equal_columns_the_first_comes_first(void **state)
{
    (void)state;
    for (int order = LTE_QR_WEAKEST_FIRST; order <= LTE_QR_STRONGEST_FIRST; order++) {
        lte_cplx q[MOST * MOST], r[MOST * MOST];
        float layer[MOST];
        for (int e = 0; e < MOST * MOST; e++)
            q[e] = (lte_cplx){e % (MOST + 1) == 0 ? 1.0f : 0.0f, 0.0f};
        assert_int_equal(lte_sorted_qr(MOST, MOST, (lte_qr_order)order, 0.0f, NULL, q, r, layer),
                         0);
        for (int k = 0; k < MOST; k++)
            assert_true(layer[k] == (float)k);
        for (int e = 0; e < 9; e++) /* norms 2, 2, 1 or 1, 1, 2: the last moves to the front */
            q[e] = (lte_cplx){e % 4 > 0                                     ? 0.0f
                              : (e == 8) == (order == LTE_QR_WEAKEST_FIRST) ? 1.0f
                                                                            : 2.0f,
                              0.0f};
        assert_int_equal(lte_sorted_qr(3, 3, (lte_qr_order)order, 0.0f, NULL, q, r, layer), 0);
        assert_true(layer[0] == 2.0f && layer[1] == 0.0f && layer[2] == 1.0f);
    }
}

/* The form for kernels and lanes whose vectors are one word, against the one for all. */
static void usual_form_is_that_of_any(void **state)
{
    enum { USUAL_TX = 8 };
    int n_usual = 0, n_others = 0;
    (void)state;
    for (int n_tx = 1; n_tx <= USUAL_TX; n_tx++) {
        for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
            for (uint32_t sc = 0; sc < 20; sc++) {
                static problem usual, any;
                const lte_decision told = {.label = usual.label, .llr = usual.llr},
                                   of_any = {.label = any.label, .llr = any.llr};
                draw(&any, kbest(LTE_KBEST_USUAL, 8.0), n_tx, n_tx, n_bits, sc);
                any.flag =
                    lte_prepare(&any.plan, any.h, lte_white(0.25f), NULL, any.state, any.work);
                usual = any;
                if (!lte_kbest_is_usual(any.plan.detector, n_tx, n_bits)) {
                    n_others++;
                    continue;
                }
                n_usual++;
                (void)lte_kbest_detect_usual(&usual.plan, usual.state, usual.y, &told, usual.work);
                (void)lte_kbest_detect_any(&any.plan, any.state, any.y, &of_any, any.work);
                assert_memory_equal(usual.label, any.label, (size_t)n_tx * sizeof *any.label);
                assert_memory_equal(usual.llr, any.llr, (size_t)(n_tx * n_bits) * sizeof *any.llr);
            }
        }
    }
    assert_int_equal(n_usual, 20 * 28); /* 8 layers of QPSK, 8, 5, 4 and 3 of the others */
    assert_int_equal(n_others, 20 * 12);
    assert_false(lte_kbest_is_usual(kbest(15, 8.0), 2, 2));
}

/* The pivots of R in double: columns of H in the order of a state, each less those before it. */
static void pivots_of(const problem *p, const float *layer, double n0, double *pivot)
{
    const int n_rx = p->plan.n_rx, n_tx = p->plan.n_tx;
    double complex q[MOST][MOST_RX];
    for (int i = 0; i < n_tx; i++) {
        double power = 0.0;
        for (int r = 0; r < n_rx; r++) {
            const lte_cplx h = p->h[r * n_tx + (int)layer[i]];
            q[i][r] = CMPLX((double)h.re, (double)h.im);
        }
        for (int j = 0; j < i; j++) {
            double complex along = 0.0;
            for (int r = 0; r < n_rx; r++)
                along += conj(q[j][r]) * q[i][r];
            for (int r = 0; r < n_rx; r++)
                q[i][r] -= along * q[j][r];
        }
        for (int r = 0; r < n_rx; r++)
            power += creal(q[i][r] * conj(q[i][r]));
        for (int r = 0; r < n_rx; r++)
            q[i][r] /= power > 0.0 ? sqrt(power) : 1.0;
        pivot[i] = sqrt(power / n0);
    }
}

/* 2 d sqrt((k n! prod_i r_ii^2)^(1/n) / n) over the n rows behind those of silent layers. */
static double rule(const problem *p, int k, int n_silent, const double *pivot)
{
    const int n = p->plan.n_tx - n_silent;
    const double d = sqrt(6.0 / (double)((1 << p->plan.n_bits) - 1));
    double product = k;
    for (int i = 0; i < n; i++)
        product *= (i + 1) * fmax(d * d * pivot[n_silent + i] * pivot[n_silent + i], 1.0 / 64.0);
    if (n * p->plan.n_bits <= 6 && 1 << (n * p->plan.n_bits) <= k)
        return 16.0;
    return fmin(2.0 * sqrt(pow(product, 1.0 / n) / n), 16.0);
}

/* At several n0, with and without a silent layer; LLRs are those of clip 100, cut. */
static void clip_that_is_not_given_is_its_formula(void **state)
{
    static const int shapes[][4] = {/* n_rx, n_tx, n_bits, k */
                                    {1, 1, 6, 16}, {2, 2, 2, 4},  {2, 2, 2, 16}, {2, 2, 6, 16},
                                    {3, 3, 4, 5},  {4, 4, 6, 16}, {8, 4, 4, 64}, {8, 8, 6, 16}};
    int n_cut = 0, n_most = 0, n_floor = 0;
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        for (uint32_t sc = 0; sc < 24; sc++) {
            static problem own, wide;
            const int n_rx = shapes[s][0], n_tx = shapes[s][1], n_bits = shapes[s][2];
            const int k = shapes[s][3], n_silent = n_tx > 1 && sc % 4 == 3;
            const float n0 = ldexpf(4.0f, (int)(sc % 5) * -2);
            const lte_decision told = {.label = own.label, .llr = own.llr},
                               all = {.label = wide.label, .llr = wide.llr};
            double pivot[MOST];
            draw(&wide, kbest(k, 100.0), n_rx, n_tx, n_bits, sc);
            for (int r = 0; r < n_rx && n_silent; r++)
                wide.h[r * n_tx + n_tx / 2] = c_zero();
            own = wide;
            own.plan = lte_detector_plan_of(kbest(k, 0.0), n_rx, n_tx, n_bits, true);
            (void)lte_prepare_scaled(&wide.plan, n_silent, wide.h, lte_white(n0), NULL, wide.state,
                                     wide.work);
            (void)lte_prepare_scaled(&own.plan, n_silent, own.h, lte_white(n0), NULL, own.state,
                                     own.work);
            const float clip = *lte_kbest_clip(&own.plan, own.state);
            pivots_of(&own, lte_tree_layers(&own.plan, own.state), (double)n0, pivot);
            assert_near((double)clip, rule(&own, k, n_silent, pivot), 1e-4 * (double)clip);
            (void)lte_detect(&wide.plan, wide.state, wide.y, &all, wide.work);
            (void)lte_detect(&own.plan, own.state, own.y, &told, own.work);
            for (int e = 0; e < n_tx * n_bits; e++) {
                assert_true(own.llr[e] == fmaxf(-clip, fminf(clip, wide.llr[e])));
                n_cut += fabsf(wide.llr[e]) > clip;
            }
            n_most += clip == LTE_KBEST_MOST_CLIP;
            n_floor += pivot[n_silent] * pivot[n_silent] * 6.0 / ((1 << n_bits) - 1) < 1.0 / 64.0;
            assert_memory_equal(own.label, wide.label, (size_t)n_tx * sizeof *own.label);
        }
    }
    assert_true(n_cut > 100 && n_most > 10 && n_most < 150 && n_floor > 3);
}

static void names_have_both_parameters(void **state)
{
    static const char *const names[] = {"kbest-16",     "kbest-16-clip12", "kbest-16-clip2.5",
                                        "kbest-64",     "kbest-16-clip5",  "mmse-exact",
                                        "mmse-max-log", "cg-4-max-log",    "mmse"};
    static const char *const none[] = {
        "mmse-max",          "mmse-max-logs",        "mmse-exact-exact",
        "cg-max-log-4",      "kbest-16-exact",       "kbest-65",
        "kbest-0",           "kbest-16-clip",        "kbest-16-clip0",
        "kbest-16-clip0.5",  "kbest-16-clip101",     "kbest-16-4",
        "kbest-16-clip1e1",  "kbest-16-clip4-clip5", "kbest-16.5",
        "kbest-16-clip2.50", "kbest-16-clip04",      "kbest-16-clip2.5001",
        "kbest-16-clip.5"};
    lte_detector found;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(lte_detector_find(names[i], &found));
        assert_string_equal(lte_detector_named(found).text, names[i]);
    }
    assert_true(lte_detector_find("kbest", &found));
    assert_string_equal(lte_detector_named(found).text, "kbest-16");
    assert_true(lte_detector_find("Kbest-Clip4", &found));
    assert_string_equal(lte_detector_named(found).text, "kbest-16-clip4");
    assert_true(lte_detector_find("cg-MAX-LOG", &found));
    assert_string_equal(lte_detector_named(found).text, "cg-4-max-log");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(lte_detector_find(none[i], &found));
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(kbest, enough_vectors_are_the_exhaustive_search),
    LTE_CASE(kbest, of_equal_vectors_the_first_is_kept),
    LTE_CASE(kbest, without_noise_all_layers_are_right),
    LTE_CASE(kbest, what_has_no_answer_is_decided_as_zero),
    LTE_CASE(kbest, sorted_qr_is_one_of_the_columns_in_their_order),
    LTE_CASE(kbest, of_equal_columns_the_first_comes_first),
    LTE_CASE(kbest, usual_form_is_that_of_any),
    LTE_CASE(kbest, clip_that_is_not_given_is_its_formula),
    LTE_CASE(kbest, names_have_both_parameters),
};

int main(void)
{
    return cmocka_run_group_tests_name("kbest", cases, NULL, NULL);
}
