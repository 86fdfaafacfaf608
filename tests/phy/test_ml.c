/* Maximum likelihood against an exhaustive search: bit for bit, ties too, and in double. */
#include <string.h>

#include "tests/lib/detected.h"
#include "tests/lib/ties.h"

enum { MOST = 5 };

static const int shapes[][3] = {/* n_rx, n_tx, n_bits */
                                {1, 1, 4}, {1, 1, 10}, {2, 2, 2}, {2, 2, 4}, {2, 2, 6}, {3, 2, 4},
                                {3, 3, 2}, {3, 3, 4},  {4, 4, 2}, {5, 4, 2}, {5, 5, 2}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static void draw(element *p, const int *shape, float n0, uint32_t sc)
{
    element_draw(p, shape[0], shape[1], shape[2], n0, sc);
}

enum { MANY_NODES = 1000000000 };

static void prepare(element *p, int demapper, double clip)
{
    element_prepare(p, (lte_detector){LTE_DETECTOR_ml, {demapper, clip}});
}

/* The same state with so many nodes. */
static void bound_nodes(element *p, double most)
{
    p->plan.detector.value[LTE_ML_BUDGET] = most;
}

/* What a search of all ways finds by the formula of phy/detection/tree.h, rows of R in the order of
 * the tree: the best vector, and of each bit the least metrics. */
typedef struct {
    uint32_t label[MOST];
    float best, least[MOST * LTE_MAX_BITS][2];
} found;

static void count_way(const element *p, const uint32_t *way, float above, lte_cplx rest, found *f)
{
    const int n_bits = p->plan.n_bits, n_tx = p->plan.n_tx;
    const float pivot = lte_tree_r(&p->plan, (lte_cplx *)p->state)[0].re;
    const uint32_t last = lte_qam_slice(n_bits, c_scale(rest, 1.0f / pivot));
    const float nearest = above + c_abs2(c_add_scaled(rest, lte_qam_map(n_bits, last), -pivot));
    if (nearest < f->best) { /* the first of equals: ways come by rising labels */
        f->best = nearest;
        memcpy(f->label, way, sizeof f->label);
        f->label[0] = last;
    }
    for (int e = n_bits; e < n_tx * n_bits; e++) {
        float *const of = &f->least[e][way[e / n_bits] >> e % n_bits & 1];
        *of = fminf(*of, nearest);
    }
    for (uint32_t a = 0; a < 1u << n_bits; a++) {
        const float d = above + c_abs2(c_add_scaled(rest, lte_qam_map(n_bits, a), -pivot));
        for (int bit = 0; bit < n_bits; bit++) {
            float *const of = &f->least[bit][a >> bit & 1];
            const uint32_t other = 0x55555555u << (bit + 1) % 2; /* the other dimension's bits */
            if (!((a ^ last) & other))
                *of = fminf(*of, fmaxf(d, nearest));
        }
    }
}

static void search(element *p, found *f)
{
    const int n_tx = p->plan.n_tx, n_bits = p->plan.n_bits;
    const lte_cplx *const r = lte_tree_r(&p->plan, p->state);
    f->best = INFINITY;
    for (int e = 0; e < n_tx * n_bits; e++)
        f->least[e][0] = f->least[e][1] = INFINITY;
    for (uint32_t v = 0; v < 1u << (n_tx - 1) * n_bits; v++) {
        uint32_t way[MOST] = {0};
        lte_cplx rest[MOST];
        float above = 0.0f;
        for (int i = 0; i < n_tx; i++)
            rest[i] = lte_tree_received(&p->plan, i, p->state, p->y);
        for (int i = n_tx - 1; i > 0; i--) {
            way[i] = v >> (i - 1) * n_bits & ((1u << n_bits) - 1);
            const lte_cplx x = lte_qam_map(n_bits, way[i]);
            above = above + c_abs2(c_add_scaled(rest[i], x, -r[i * n_tx + i].re));
            for (int row = 0; row < i; row++)
                rest[row] = c_nmac(rest[row], r[row * n_tx + i], x);
        }
        count_way(p, way, above, rest[0], f);
    }
}

/* Compares what was detected with what was found; returns how many bits are undecided. */
static int compare(element *p, const found *f, float clip)
{
    const lte_real *const layer = lte_tree_layers(&p->plan, p->state);
    int ties = 0;
    for (int e = 0; e < p->plan.n_tx * p->plan.n_bits; e++) {
        const int i = e / p->plan.n_bits, bit = e % p->plan.n_bits, l = (int)layer[i];
        const float gap = f->least[e][1] - f->least[e][0];
        assert_int_equal(p->label[l], f->label[i]);
        ties += gap == 0.0f;
        if (p->plan.llrs)
            assert_true(p->llr[l * p->plan.n_bits + bit] == fmaxf(-clip, fminf(clip, gap)));
    }
    return ties;
}

/* Without a budget and within one, labels alone and with LLRs. */
static void it_is_the_exhaustive_search(void **state)
{
    static const float clip = 9.0f;
    int ties = 0;
    (void)state;
    for (int s = 0; s < N_SHAPES; s++) {
        for (uint32_t sc = 0; sc < 60; sc++) {
            static element p;
            found f;
            draw(&p, shapes[s], sc % 3 ? 0.02f : 0.5f, sc);
            prepare(&p, LTE_DEMAPPER_max_log, clip);
            if (sc % 3 == 2)
                make_ties(&p.plan, sc, p.state, p.y);
            search(&p, &f);
            for (int turn = 0; turn < 4; turn++) {
                bound_nodes(&p, turn / 2 ? MANY_NODES : 0);
                p.plan.llrs = turn % 2;
                element_detect(&p);
                ties += compare(&p, &f, clip);
            }
        }
    }
    assert_true(ties > 400);
}

/*
 * Within the nodes that a search needs it finishes, with one less it does not, and what it has then
 * is no better; with n_tx nodes it has the vector of successive decisions at least.
 */
static void a_search_ends_after_its_nodes(void **state)
{
    static const int of[][3] = {{2, 2, 4}, {4, 4, 4}, {5, 5, 2}, {4, 3, 6}};
    int best = 0, worse = 0;
    (void)state;
    for (size_t s = 0; s < sizeof of / sizeof *of; s++) {
        for (uint32_t sc = 0; sc < 200; sc++) {
            static element p;
            lte_word label[MOST];
            draw(&p, of[s], 0.1f, sc);
            prepare(&p, LTE_DEMAPPER_max_log, 4.0);
            p.plan.llrs = sc % 2;
            element_detect(&p);
            memcpy(label, p.label, sizeof label);
            double few = p.plan.n_tx - 1, enough = MANY_NODES;
            while (enough - few > 1.0) { /* by halves, on a scale of ratios first */
                const double middle =
                    floor(few < enough / 4 ? sqrt(few * enough) : (few + enough) / 2);
                bound_nodes(&p, middle);
                if (element_detect_within(&p))
                    few = middle;
                else
                    enough = middle;
            }
            bound_nodes(&p, enough);
            element_detect(&p);
            assert_memory_equal(p.label, label, (size_t)p.plan.n_tx * sizeof *label);
            bound_nodes(&p, p.plan.n_tx);
            const bool ended = element_detect_within(&p) != 0;
            const bool differs = memcmp(p.label, label, (size_t)p.plan.n_tx * sizeof *label) != 0;
            assert_true(ended == (enough > p.plan.n_tx));
            assert_true(ended || !differs);
            best += ended && !differs;
            worse += differs;
        }
    }
    assert_true(best > 50 && worse > 50);
}

/* Without noise the first vector is it, and takes a node in each row but one. */
static void the_first_vector_takes_few_nodes(void **state)
{
    (void)state;
    for (uint32_t sc = 0; sc < 50; sc++) {
        static element p;
        draw(&p, (const int[]){5, 4, 4}, 0.0f, sc);
        prepare(&p, LTE_DEMAPPER_max_log, 4.0);
        p.plan.llrs = false;
        bound_nodes(&p, 3);
        element_detect(&p);
        assert_memory_equal(p.label, p.sent, 4 * sizeof *p.sent);
        bound_nodes(&p, 2);
        assert_true(element_detect_within(&p) != 0);
    }
}

/* ln of sums over all vectors, in double and of H itself. */
static void exact_llrs_are_sums_of_all_vectors(void **state)
{
    (void)state;
    for (int s = 0; s < N_SHAPES; s++) {
        const int n_tx = shapes[s][1], n_bits = shapes[s][2];
        for (uint32_t sc = 0; sc < 6 && n_tx * n_bits <= 12; sc++) {
            static element p;
            static double metric[1 << 12];
            double best = INFINITY;
            draw(&p, shapes[s], 0.2f, sc);
            prepare(&p, LTE_DEMAPPER_exact, 30.0);
            element_detect(&p);
            for (uint32_t v = 0; v < 1u << n_tx * n_bits; v++) {
                metric[v] = metric_of(&p, v);
                best = fmin(best, metric[v]);
            }
            for (int e = 0; e < n_tx * n_bits; e++) {
                double sum[2] = {0.0, 0.0};
                for (uint32_t v = 0; v < 1u << n_tx * n_bits; v++)
                    sum[v >> e & 1] += exp(best - metric[v]);
                const double llr = fmax(-30.0, fmin(30.0, log(sum[0]) - log(sum[1])));
                assert_near((double)p.llr[e], llr, 1e-5 * (1.0 + fabs(llr)));
            }
        }
    }
}

/* Enough vectors of K-best are all that matter. */
static void kbest_of_enough_vectors_decides_alike(void **state)
{
    static const int of[][4] = {{2, 2, 4, 16}, {4, 4, 2, 64}, {3, 3, 2, 16}};
    (void)state;
    for (size_t s = 0; s < sizeof of / sizeof *of; s++) {
        for (uint32_t sc = 0; sc < 500; sc++) {
            static element p;
            static lte_cplx work[LTE_KBEST_WORK(64, MOST, LTE_MAX_BITS)];
            lte_word label[MOST];
            const lte_decision decision = {.label = label};
            draw(&p, of[s], sc % 2 ? 0.02f : 0.5f, sc);
            prepare(&p, LTE_DEMAPPER_max_log, 16.0);
            element_detect(&p);
            const lte_detector_plan plan =
                lte_detector_plan_of((lte_detector){LTE_DETECTOR_kbest, {of[s][3], 5.0}}, of[s][0],
                                     of[s][1], of[s][2], false);
            assert_int_equal(lte_prepare(&plan, p.h, lte_white(p.n0), NULL, p.state, work), p.flag);
            assert_int_equal(lte_detect(&plan, p.state, p.y, &decision, work), 0);
            for (int l = 0; l < plan.n_tx; l++)
                assert_int_equal(label[l], p.label[l]);
        }
    }
}

/* A channel that is not finite, and y that is not: labels of zero, LLRs of 0. */
static void nothing_is_told_of_what_is_not_there(void **state)
{
    static const int shape[] = {3, 3, 4};
    (void)state;
    for (int turn = 0; turn < 6; turn++) {
        static element p;
        const int i = turn / 2;
        draw(&p, shape, 0.1f, 1);
        for (int r = 0; r < 3 && i == 0; r++)
            p.h[r * 3 + 1].re = NAN;
        if (i == 1)
            p.y[2].im = NAN;
        if (i == 2)
            p.y[0].re = INFINITY;
        prepare(&p, i == 1 ? LTE_DEMAPPER_exact : LTE_DEMAPPER_max_log, 8.0);
        if (turn % 2 && i != 1)
            bound_nodes(&p, 3);
        element_detect(&p);
        assert_int_equal(p.flag != 0, i == 0);
        for (int e = 0; e < 12; e++) {
            assert_int_equal(p.label[e / 4], lte_qam_slice(4, c_zero()));
            assert_true(p.llr[e] == 0.0f);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(ml, it_is_the_exhaustive_search),
        LTE_CASE(ml, a_search_ends_after_its_nodes),
        LTE_CASE(ml, the_first_vector_takes_few_nodes),
        LTE_CASE(ml, exact_llrs_are_sums_of_all_vectors),
        LTE_CASE(ml, kbest_of_enough_vectors_decides_alike),
        LTE_CASE(ml, nothing_is_told_of_what_is_not_there),
    };
    return cmocka_run_group_tests_name("ml", cases, NULL, NULL);
}
