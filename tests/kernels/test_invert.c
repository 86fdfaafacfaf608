/*
 * Every inverter, every order and every table of stages, against double precision. Norms are
 * Frobenius norms, u = 2^-24, kappa = |A| |A^-1|:
 *
 *     |I - A X| <= 4 n u |A| |X|,   |X - A^-1| <= 4 kappa u |A^-1|
 */

#include "tests/lib/matrices.h"
#include "tests/lib/plain_elimination.h"
#include "tests/lib/batch.h"

/* An inverter is the state of its cases. */
#define INVERTER(id) static int id = LTE_INVERTER_##id;
LTE_INVERTERS(INVERTER)
#undef INVERTER

static int inverter_of(void **state)
{
    return *(int *)*state;
}

static int max_order_of(void **state)
{
    const int most = lte_inverter_rows[inverter_of(state)].max_order;
    const int tested = is_short() ? LTE_MAX_ORDER + 1 : MATRIX_ORDER; /* one that loops know */
    return most < tested ? most : tested;
}

static const double unit_roundoff = 0x1p-24;

typedef struct {
    int n, n_matrices;
    lte_link link;
    batch b;
} matrices;

static void matrices_init(matrices *m, int inverter, int n, int n_matrices)
{
    m->n = n;
    m->n_matrices = n_matrices;
    m->link = link_of(n_matrices, n, n, 4, LTE_CHANNEL_rayleigh, inverter);
    batch_init(&m->b, &m->link, 0);
}

static void put(matrices *m, int place, const double complex *a)
{
    for (int e = 0; e < m->n * m->n; e++) {
        float *to = &m->b.g[batch_at(m->n * m->n, place, e)];
        to[0] = (float)creal(a[e]);
        to[LTE_LANES] = (float)cimag(a[e]);
    }
}

static void get(const matrices *m, int place, double complex *a)
{
    for (int e = 0; e < m->n * m->n; e++) {
        const float *from = &m->b.g[batch_at(m->n * m->n, place, e)];
        a[e] = CMPLX((double)from[0], (double)from[LTE_LANES]);
    }
}

static gsl_rng *new_rng(unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    return rng;
}

/* Inverts by every usable table; all give the bits and flags of the first, which *m then holds. */
static void invert_by_every_table(matrices *m)
{
    matrices other;
    matrices_init(&other, m->link.receiver.inverter, m->n, m->n_matrices);
    float *before = poisoned(m->b.g_size, 0);
    memcpy(before, m->b.g, m->b.g_size);
    lte_stages_all[0]->invert(&m->link, 0, m->link.carrier.n_groups, m->b.g, m->b.flag, m->b.work);
    for (int t = 1; lte_stages_all[t]; t++) {
        if (!lte_stages_all[t]->usable())
            continue;
        memcpy(other.b.g, before, m->b.g_size);
        lte_stages_all[t]->invert(&m->link, 0, m->link.carrier.n_groups, other.b.g, other.b.flag,
                                  other.b.work);
        assert_memory_equal(other.b.g, m->b.g, m->b.g_size);
        assert_memory_equal(other.b.flag, m->b.flag, m->b.flag_size);
    }
    free(before);
    batch_fini(&other.b);
}

typedef void matrix_check(int n, const double complex *a, const double complex *x);

/* The C of the two bounds. */
static double residual_constant(int n, const double complex *a, const double complex *x)
{
    double complex residual[MATRIX_SIZE];
    multiply(n, a, x, residual);
    for (int i = 0; i < n; i++)
        residual[i * n + i] -= 1.0;
    return norm_of(n * n, residual) / (n * unit_roundoff * norm_of(n * n, a) * norm_of(n * n, x));
}

static void assert_small_residual(int n, const double complex *a, const double complex *x)
{
    assert_near(residual_constant(n, a, x), 0.0, 4.0);
}

/* Checks the inverses of matrices of one kind, none of which may be flagged. */
static void check_order(int inverter, int n, int n_matrices, matrix_fill *fill, matrix_check *check)
{
    gsl_rng *rng = new_rng((unsigned long)n);
    matrices m;
    matrices_init(&m, inverter, n, n_matrices);
    double complex *a = poisoned((size_t)n_matrices * MATRIX_SIZE * sizeof *a, 0);
    for (int i = 0; i < n_matrices; i++) {
        fill(rng, n, &a[i * MATRIX_SIZE]);
        put(&m, i, &a[i * MATRIX_SIZE]);
        get(&m, i, &a[i * MATRIX_SIZE]); /* as rounded */
    }
    invert_by_every_table(&m);
    for (int i = 0; i < n_matrices; i++) {
        double complex x[MATRIX_SIZE];
        get(&m, i, x);
        if (m.b.flag[i] && check == assert_small_residual && lte_inverter_rows[inverter].definite)
            continue; /* rounding made it indefinite */
        assert_int_equal(m.b.flag[i], 0);
        check(n, &a[i * MATRIX_SIZE], x);
    }
    free(a);
    batch_fini(&m.b);
    gsl_rng_free(rng);
}

static void check_inverses(void **state, matrix_fill *fill, matrix_check *check)
{
    for (int n = 1; n <= max_order_of(state); n++) {
        check_order(inverter_of(state), n, n <= LTE_MAX_ORDER ? 1003 : 103, fill, check);
        check_order(inverter_of(state), n, 1, fill, check);
    }
}

static double error_constant(int n, const double complex *a, const double complex *x)
{
    double complex exact[MATRIX_SIZE], error[MATRIX_SIZE];
    invert_in_double(n, a, exact);
    for (int i = 0; i < n * n; i++)
        error[i] = x[i] - exact[i];
    const double size = norm_of(n * n, exact), kappa = norm_of(n * n, a) * size;
    return norm_of(n * n, error) / (kappa * unit_roundoff * size);
}

static void assert_accurate(int n, const double complex *a, const double complex *x)
{
    assert_near(residual_constant(n, a, x), 0.0, 4.0);
    assert_near(error_constant(n, a, x), 0.0, 4.0);
}

static void gram_matrices_are_inverted(void **state)
{
    check_inverses(state, fill_gram, assert_accurate);
}

static void correlated_gram_matrices_at_30_db_are_inverted(void **state)
{
    check_inverses(state, fill_correlated, assert_accurate);
}

static void graded_gram_matrices_are_inverted(void **state)
{
    check_inverses(state, fill_graded_gram, assert_accurate);
}

static void near_singular_gram_matrices_are_inverted(void **state)
{
    check_inverses(state, fill_near_singular_gram, assert_accurate);
}

static void general_matrices_are_inverted(void **state)
{
    check_inverses(state, fill_general, assert_accurate);
}

static void graded_matrices_are_inverted(void **state)
{
    check_inverses(state, fill_graded, assert_accurate);
}

static void near_singular_matrices_are_inverted(void **state)
{
    check_inverses(state, fill_near_singular, assert_accurate);
}

static void residual_is_small_even_where_no_digit_is_right(void **state)
{
    check_inverses(state, fill_hopeless_gram, assert_small_residual);
}

static void assert_transposed(int n, const double complex *a, const double complex *x)
{
    for (int e = 0; e < n * n; e++)
        assert_true(x[e] == a[e % n * n + e / n]);
}

static void permutations_are_inverted_exactly(void **state)
{
    check_inverses(state, fill_permutation, assert_transposed);
}

static void assert_hermitian(int n, const double complex *a, const double complex *x)
{
    (void)a;
    for (int e = 0; e < n * n; e++)
        assert_true(x[e] == conj(x[e % n * n + e / n]));
}

static void inverse_is_hermitian_to_the_bit(void **state)
{
    check_inverses(state, fill_gram, assert_hermitian);
}

/* Upper triangle and imaginary parts of the diagonal become NaN: not a bit changes. */
static void only_the_lower_triangle_is_read(void **state)
{
    gsl_rng *rng = new_rng(3);
    for (int n = 1; n <= max_order_of(state); n++) {
        matrices m, lower;
        matrices_init(&m, inverter_of(state), n, LTE_LANES);
        matrices_init(&lower, inverter_of(state), n, LTE_LANES);
        for (int i = 0; i < LTE_LANES; i++) {
            double complex a[MATRIX_SIZE];
            fill_gram(rng, n, a);
            put(&m, i, a);
            for (int e = 0; e < n * n; e++) {
                if (e / n < e % n)
                    a[e] = CMPLX(NAN, NAN);
                if (e / n == e % n)
                    a[e] = CMPLX(creal(a[e]), NAN);
            }
            put(&lower, i, a);
        }
        invert_by_every_table(&m);
        invert_by_every_table(&lower);
        assert_memory_equal(m.b.g, lower.b.g, m.b.g_size);
        assert_memory_equal(m.b.flag, lower.b.flag, m.b.flag_size);
        batch_fini(&m.b);
        batch_fini(&lower.b);
    }
    gsl_rng_free(rng);
}

/*
 * A bad matrix among good ones is flagged and all zero bits; its neighbours are flagged or
 * changed by nothing. Two groups, the second partly used.
 */
static void assert_flagged_alone(int inverter, int n, const double complex *bad)
{
    enum { N = LTE_LANES + 3 };
    static const int places[] = {0, 5, LTE_LANES - 1, N - 1};
    gsl_rng *rng = new_rng(4);
    matrices good, spoiled;
    matrices_init(&good, inverter, n, N);
    matrices_init(&spoiled, inverter, n, N);
    for (int i = 0; i < N; i++) {
        double complex a[MATRIX_SIZE];
        fill_gram(rng, n, a);
        put(&good, i, a);
        put(&spoiled, i, a);
    }
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++)
        put(&spoiled, places[p], bad);
    invert_by_every_table(&good);
    invert_by_every_table(&spoiled);
    const double complex zero[MATRIX_SIZE] = {0.0};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; p++) {
        assert_int_equal(spoiled.b.flag[places[p]], 1);
        put(&good, places[p], zero);
        good.b.flag[places[p]] = 1;
    }
    assert_memory_equal(spoiled.b.g, good.b.g, good.b.g_size);
    assert_memory_equal(spoiled.b.flag, good.b.flag, good.b.flag_size);
    batch_fini(&good.b);
    batch_fini(&spoiled.b);
    gsl_rng_free(rng);
}

static void zero_matrix_is_flagged(void **state)
{
    const double complex zero[MATRIX_SIZE] = {0.0};
    for (int n = 1; n <= max_order_of(state); n++)
        assert_flagged_alone(inverter_of(state), n, zero);
}

/* A good Gram matrix with layer k all zero: row and column k. */
static void zero_column_is_flagged(void **state)
{
    gsl_rng *rng = new_rng(5);
    for (int n = 1; n <= max_order_of(state); n++) {
        for (int k = 0; k < n; k++) {
            double complex a[MATRIX_SIZE];
            fill_gram(rng, n, a);
            for (int i = 0; i < n; i++)
                a[i * n + k] = a[k * n + i] = 0.0;
            assert_flagged_alone(inverter_of(state), n, a);
        }
    }
    gsl_rng_free(rng);
}

/* All ones; and two equal layers in a matrix of whole numbers, where nothing is rounded. */
static void singular_matrix_is_flagged(void **state)
{
    for (int n = 2; n <= max_order_of(state); n++) {
        double complex a[MATRIX_SIZE];
        for (int e = 0; e < n * n; e++)
            a[e] = 1.0;
        assert_flagged_alone(inverter_of(state), n, a);
        for (int e = 0; e < n * n; e++)
            a[e] = e / n == e % n ? 4.0 : 0.0;
        a[(n - 1) * n] = a[n - 1] = 4.0;
        assert_flagged_alone(inverter_of(state), n, a);
    }
}

/* value in either part of each element and of its mirror image; the diagonal stays real. */
static void assert_spoiling_is_flagged(int inverter, double value)
{
    gsl_rng *rng = new_rng(6);
    for (int n = 1; n <= lte_inverter_rows[inverter].max_order && n <= LTE_MAX_ORDER; n++) {
        for (int e = 0; e < n * n; e += is_short() ? 5 : 1) {
            for (int part = 0; part < 2; part++) {
                double complex a[MATRIX_SIZE];
                fill_gram(rng, n, a);
                const int mirror = e % n * n + e / n;
                if (part == 1 && e == mirror)
                    continue;
                a[e] = part ? CMPLX(creal(a[e]), value) : CMPLX(value, cimag(a[e]));
                a[mirror] = conj(a[e]);
                assert_flagged_alone(inverter, n, a);
            }
        }
    }
    gsl_rng_free(rng);
}

static void nan_is_flagged(void **state)
{
    assert_spoiling_is_flagged(inverter_of(state), NAN);
}

static void infinity_is_flagged(void **state)
{
    assert_spoiling_is_flagged(inverter_of(state), INFINITY);
    assert_spoiling_is_flagged(inverter_of(state), -INFINITY);
}

static void denormal_matrix_is_flagged(void **state)
{
    gsl_rng *rng = new_rng(7);
    for (int n = 1; n <= max_order_of(state); n++) {
        double complex a[MATRIX_SIZE];
        fill_gram(rng, n, a);
        for (int e = 0; e < n * n; e++)
            a[e] *= 1e-40;
        assert_flagged_alone(inverter_of(state), n, a);
    }
    gsl_rng_free(rng);
}

/* Scales at which |.|^2 leaves the range of float: the answer may be missing, but not wrong. */
static void huge_or_tiny_matrix_is_right_or_flagged(void **state)
{
    static const double scales[] = {1e-38, 1e-30, 1e-22, 1e-15, 1.0, 1e15, 1e18, 1e19, 1e20, 1e30};
    gsl_rng *rng = new_rng(8);
    for (int n = 1; n <= max_order_of(state); n++) {
        matrices m;
        double complex a[sizeof scales / sizeof scales[0]][MATRIX_SIZE];
        const int n_scales = sizeof scales / sizeof scales[0];
        matrices_init(&m, inverter_of(state), n, n_scales);
        for (int i = 0; i < n_scales; i++) {
            fill_gram(rng, n, a[i]);
            for (int e = 0; e < n * n; e++)
                a[i][e] *= scales[i];
            put(&m, i, a[i]);
            get(&m, i, a[i]);
        }
        invert_by_every_table(&m);
        for (int i = 0; i < n_scales; i++) {
            double complex x[MATRIX_SIZE];
            get(&m, i, x);
            if (!m.b.flag[i])
                assert_accurate(n, a[i], x);
            else
                assert_true(norm_of(n * n, x) == 0.0);
        }
        batch_fini(&m.b);
    }
    gsl_rng_free(rng);
}

static void take(const matrices *m, int place, plain *a)
{
    for (int e = 0; e < m->n * m->n; e++) {
        const float *from = &m->b.g[batch_at(m->n * m->n, place, e)];
        a[e].re = from[0];
        a[e].im = from[LTE_LANES];
    }
}

/* Returns how many of 1003 inverses differ in bits from those by the plain one under a rule. */
static int count_unlike(int n, matrix_fill *fill, tie_rule rule)
{
    gsl_rng *rng = new_rng(9);
    matrices m;
    matrices_init(&m, LTE_INVERTER_gauss_jordan, n, 1003);
    plain(*expected)[MATRIX_SIZE] = poisoned(1003 * sizeof *expected, 0);
    int flag[1003], unlike = 0;
    for (int i = 0; i < 1003; i++) {
        double complex a[MATRIX_SIZE];
        fill(rng, n, a);
        put(&m, i, a);
        take(&m, i, expected[i]);
        flag[i] = plain_gauss_jordan(n, expected[i], rule);
    }
    invert_by_every_table(&m);
    for (int i = 0; i < 1003; i++) {
        plain x[MATRIX_SIZE];
        take(&m, i, x);
        unlike +=
            m.b.flag[i] != flag[i] || memcmp(x, expected[i], (size_t)(n * n) * sizeof *x) != 0;
    }
    free(expected);
    batch_fini(&m.b);
    gsl_rng_free(rng);
    return unlike;
}

static void bits_are_those_of_a_plain_elimination(void **state)
{
    (void)state;
    for (int n = 1; n <= max_order_of(state); n++) {
        assert_int_equal(count_unlike(n, fill_general, LOWEST_ROW_THEN_COLUMN), 0);
        assert_int_equal(count_unlike(n, fill_gram, LOWEST_ROW_THEN_COLUMN), 0);
    }
}

static void pivot_ties_go_to_the_lowest_row_then_column(void **state)
{
    (void)state;
    for (int n = 1; n <= max_order_of(state); n++)
        assert_int_equal(count_unlike(n, fill_small_integers, LOWEST_ROW_THEN_COLUMN), 0);
    for (int n = 4; n <= max_order_of(state); n++) { /* the choice shows in the bits */
        assert_true(count_unlike(n, fill_small_integers, HIGHEST_ROW_THEN_COLUMN) > 100);
        assert_true(count_unlike(n, fill_small_integers, LOWEST_COLUMN_THEN_ROW) > 100);
    }
}

static void batches_keep_to_their_groups(void **state)
{
    gsl_rng *rng = new_rng(10);
    matrices whole, part;
    const int n = max_order_of(state) < 4 ? max_order_of(state) : 4;
    matrices_init(&whole, inverter_of(state), n, 1003);
    matrices_init(&part, inverter_of(state), n, 1003);
    for (int i = 0; i < 1003; i++) {
        double complex a[MATRIX_SIZE];
        fill_gram(rng, n, a);
        put(&whole, i, a);
        put(&part, i, a);
    }
    float *before = poisoned(part.b.g_size, 0);
    memcpy(before, part.b.g, part.b.g_size);
    memset(part.b.flag, 7, part.b.flag_size);
    const size_t group = part.b.g_size / (size_t)part.link.carrier.n_groups / sizeof(float);
    invert_by_every_table(&whole);
    const lte_stages *stages = lte_stages_best();
    stages->invert(&part.link, 2, 5, part.b.g, part.b.flag, part.b.work);
    assert_memory_equal(part.b.g, before, 2 * group * sizeof(float));
    assert_memory_equal(&part.b.g[2 * group], &whole.b.g[2 * group], 3 * group * sizeof(float));
    assert_memory_equal(&part.b.g[5 * group], &before[5 * group],
                        part.b.g_size - 5 * group * sizeof(float));
    for (int i = 0; i < part.link.carrier.n_groups * LTE_LANES; i++)
        assert_int_equal(part.b.flag[i], i / LTE_LANES >= 2 && i / LTE_LANES < 5 ? 0 : 7);
    free(before);
    batch_fini(&whole.b);
    batch_fini(&part.b);
    gsl_rng_free(rng);
}

/* A case run with the inverter it is named after. */
#define INVERTER_CASE(inverter, claim)                                                             \
    {                                                                                              \
#inverter "." #claim, claim, NULL, NULL, &(inverter)                                       \
    }

/* A claim about inverters of any matrix, for each of them. */
#define GENERAL_CASE(claim)                                                                        \
    static void general_##claim(void **state)                                                      \
    {                                                                                              \
        (void)state;                                                                               \
        for (int i = 0; i < LTE_N_INVERTERS; i++) {                                                \
            void *one = &i;                                                                        \
            if (!lte_inverter_rows[i].hermitian)                                                   \
                claim(&one);                                                                       \
        }                                                                                          \
    }
GENERAL_CASE(general_matrices_are_inverted)
GENERAL_CASE(graded_matrices_are_inverted)
GENERAL_CASE(near_singular_matrices_are_inverted)
GENERAL_CASE(permutations_are_inverted_exactly)
#undef GENERAL_CASE
#define GENERAL(claim)                                                                             \
    {                                                                                              \
        "general." #claim, general_##claim, NULL, NULL, NULL                                       \
    }

/* What every inverter does. */
#define EVERY_CASE(id)                                                                             \
    INVERTER_CASE(id, gram_matrices_are_inverted),                                                 \
        INVERTER_CASE(id, correlated_gram_matrices_at_30_db_are_inverted),                         \
        INVERTER_CASE(id, graded_gram_matrices_are_inverted),                                      \
        INVERTER_CASE(id, near_singular_gram_matrices_are_inverted),                               \
        INVERTER_CASE(id, residual_is_small_even_where_no_digit_is_right),                         \
        INVERTER_CASE(id, zero_matrix_is_flagged), INVERTER_CASE(id, zero_column_is_flagged),      \
        INVERTER_CASE(id, singular_matrix_is_flagged), INVERTER_CASE(id, nan_is_flagged),          \
        INVERTER_CASE(id, infinity_is_flagged), INVERTER_CASE(id, denormal_matrix_is_flagged),     \
        INVERTER_CASE(id, huge_or_tiny_matrix_is_right_or_flagged),                                \
        INVERTER_CASE(id, batches_keep_to_their_groups),

static const struct CMUnitTest cases[] = {
    LTE_INVERTERS(EVERY_CASE) /* of each */
    GENERAL(general_matrices_are_inverted),
    GENERAL(graded_matrices_are_inverted),
    GENERAL(near_singular_matrices_are_inverted),
    GENERAL(permutations_are_inverted_exactly),
    INVERTER_CASE(gauss_jordan, bits_are_those_of_a_plain_elimination),
    INVERTER_CASE(gauss_jordan, pivot_ties_go_to_the_lowest_row_then_column),
    INVERTER_CASE(ldl, inverse_is_hermitian_to_the_bit),
    INVERTER_CASE(ldl, only_the_lower_triangle_is_read),
};

int main(void)
{
    return cmocka_run_group_tests_name("invert", cases, NULL, NULL);
}
