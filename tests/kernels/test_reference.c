/*
 * Reference sequences against TS 36.211: stored vectors (tests/data/test_vectors.json, the tables
 * of 5.5.1.2), what makes them useful (orthogonality, autocorrelation), refusals.
 */
#include "tests/lib/unit.h"

#include <complex.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/methods/reference/reference.h"
#include "kernels/methods/reference/crs.h"
#include "phy/base/gold.h"
#include "phy/base/limits.h"
#include "kernels/methods/reference/prach.h"
#include "phy/estimation/reference_sequence.h"

static json_t *vectors(const char *key)
{
    json_t *root = json_load_file("tests/data/test_vectors.json", 0, NULL);
    assert_non_null(root);
    json_t *found = json_incref(json_object_get(root, key));
    assert_non_null(found);
    json_decref(root);
    return found;
}

static double real_of(const json_t *number)
{
    assert_true(json_is_number(number));
    return json_number_value(number);
}

static void assert_pair(lte_cf32 x, const json_t *pair, double scale)
{
    assert_near(scale * (double)x.re, real_of(json_array_get(pair, 0)), 1e-6);
    assert_near(scale * (double)x.im, real_of(json_array_get(pair, 1)), 1e-6);
}

static double complex value(lte_cf32 x)
{
    return CMPLX(x.re, x.im);
}

/* sum_n a(n) conj(b(n)) / n_terms */
static double complex correlation(int n_terms, const lte_cf32 *a, const lte_cf32 *b)
{
    double complex sum = 0.0;
    for (int n = 0; n < n_terms; n++)
        sum += value(a[n]) * conj(value(b[n]));
    return sum / n_terms;
}

static void gold_bits_are_the_stored_ones(void **state)
{
    (void)state;
    json_t *table = vectors("gold");
    const char *c_init;
    json_t *bits;
    assert_true(json_object_size(table) > 0);
    json_object_foreach(table, c_init, bits)
    {
        const char *text = json_string_value(bits);
        const int n = (int)json_string_length(bits);
        lte_gold gold = lte_gold_at((uint32_t)strtoul(c_init, NULL, 10), 0);
        uint32_t word = 0;
        for (int i = 0; i < n; i++, word >>= 1) {
            if (i % 32 == 0)
                word = lte_gold_word(&gold);
            assert_int_equal(word & 1, text[i] - '0');
        }
    }
    json_decref(table);
}

/* Against the recursion of 7.2, bit by bit, from many places; and one period later. */
static void gold_starts_anywhere(void **state)
{
    (void)state;
    enum { N = 5000, NC = 1600, ALL = N + NC + 31, PERIOD = 0x7fffffff };
    static const uint32_t seeds[] = {0, 1, 0x12345, 0x55555555, PERIOD};
    static uint8_t x1[ALL], x2[ALL];
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        for (int i = 0; i < 31; i++) {
            x1[i] = i == 0;
            x2[i] = seeds[s] >> i & 1;
        }
        for (int i = 0; i + 31 < ALL; i++) {
            x1[i + 31] = x1[i + 3] ^ x1[i];
            x2[i + 31] = x2[i + 3] ^ x2[i + 2] ^ x2[i + 1] ^ x2[i];
        }
        for (int first = 0; first < N - 64; first += first < 100 ? 1 : 97) {
            lte_gold gold = lte_gold_at(seeds[s], (uint64_t)first);
            lte_gold later = lte_gold_at(seeds[s], (uint64_t)first + 5 * (uint64_t)PERIOD);
            uint32_t word[2];
            for (int i = 0; i < 2; i++) {
                word[i] = lte_gold_word(&gold);
                assert_int_equal(word[i], lte_gold_word(&later));
            }
            for (int i = 0; i < 64; i++)
                assert_int_equal(word[i / 32] >> i % 32 & 1,
                                 x1[first + i + NC] ^ x2[first + i + NC]);
            assert_int_equal(lte_gold_number(seeds[s], (uint64_t)first, 8), word[0] & 0xff);
            assert_int_equal(lte_gold_number(seeds[s], (uint64_t)first, 32), word[0]);
        }
    }
}

static void crs_values_are_the_stored_ones(void **state)
{
    (void)state;
    json_t *table = vectors("crs");
    const char *key;
    json_t *entry;
    assert_true(json_object_size(table) > 0);
    json_object_foreach(table, key, entry)
    {
        int n_id, n_rb, slot, symbol;
        lte_cf32 r[2 * LTE_CRS_MAX_RB];
        const json_t *first = json_object_get(entry, "r_first8_times_sqrt2");
        /* NOLINTNEXTLINE(cert-err34-c): the file is ours */
        assert_int_equal(sscanf(key, "cell%d nrb%d ns%d l%d", &n_id, &n_rb, &slot, &symbol), 4);
        assert_int_equal(lte_crs_values(n_id, n_rb, slot, symbol, r), LTE_OK);
        for (size_t m = 0; m < 8; m++)
            assert_pair(r[m], json_array_get(first, m), sqrt(2.0));
    }
    json_decref(table);
}

/* A narrow carrier's values are the middle of the widest one's. */
static void crs_values_are_centred(void **state)
{
    (void)state;
    lte_cf32 wide[2 * LTE_CRS_MAX_RB], narrow[2 * LTE_CRS_MAX_RB];
    assert_int_equal(lte_crs_values(301, LTE_CRS_MAX_RB, 13, 4, wide), LTE_OK);
    for (int n_rb = 1; n_rb <= LTE_CRS_MAX_RB; n_rb++) {
        assert_int_equal(lte_crs_values(301, n_rb, 13, 4, narrow), LTE_OK);
        assert_memory_equal(narrow, &wide[LTE_CRS_MAX_RB - n_rb],
                            2 * (size_t)n_rb * sizeof *narrow);
    }
}

static void crs_positions_are_the_stored_ones(void **state)
{
    (void)state;
    json_t *table = vectors("crs_k_offset");
    const char *key;
    json_t *entry;
    assert_true(json_object_size(table) > 0);
    json_object_foreach(table, key, entry)
    {
        int n_id, port, symbol, slot, first;
        /* NOLINTNEXTLINE(cert-err34-c): the file is ours */
        assert_int_equal(sscanf(key, "cell%d p%d l%d ns%d", &n_id, &port, &symbol, &slot), 4);
        assert_int_equal(lte_crs_position(port, n_id, slot, symbol, &first), LTE_OK);
        assert_near(first, real_of(entry), 0);
    }
    json_decref(table);
}

/* Ports never meet; 8 resource elements per pair of blocks on ports 0 and 1, 4 on 2 and 3. */
static void crs_ports_do_not_meet(void **state)
{
    (void)state;
    for (int n_id = 0; n_id <= LTE_MAX_CELL_ID; n_id++) {
        int per_pair[LTE_CRS_PORTS] = {0};
        for (int slot = 0; slot < 2; slot++) {
            for (int symbol = 0; symbol < LTE_SLOT_SYMBOLS; symbol++) {
                bool taken[6] = {false};
                for (int port = 0; port < LTE_CRS_PORTS; port++) {
                    int first;
                    assert_int_equal(lte_crs_position(port, n_id, slot, symbol, &first), LTE_OK);
                    if (first < 0)
                        continue;
                    assert_true(first < 6 && !taken[first]);
                    taken[first] = true;
                    per_pair[port] += 2;
                }
            }
        }
        for (int port = 0; port < LTE_CRS_PORTS; port++)
            assert_int_equal(per_pair[port], port < 2 ? 8 : 4);
    }
}

static bool prime(int n)
{
    for (int divisor = 2; divisor < n; divisor++) {
        if (n % divisor == 0)
            return false;
    }
    return n > 1;
}

static void lengths_are_the_largest_primes(void **state)
{
    (void)state;
    json_t *table = vectors("ul_nzc");
    const char *n_rb;
    json_t *length;
    assert_true(json_object_size(table) > 0);
    json_object_foreach(table, n_rb, length)
        assert_near(lte_base_sequence_length((int)strtol(n_rb, NULL, 10)), real_of(length), 0);
    json_decref(table);
    for (int i = LTE_ZC_RB; i <= LTE_MAX_UPLINK_RB; i++) {
        const int n = lte_base_sequence_length(i);
        assert_true(prime(n) && n < 12 * i);
        for (int larger = n + 1; larger < 12 * i; larger++)
            assert_false(prime(larger));
    }
}

static void base_sequences_are_the_stored_ones(void **state)
{
    (void)state;
    json_t *table = vectors("ul_base");
    const char *key;
    json_t *entry;
    assert_true(json_object_size(table) > 0);
    json_object_foreach(table, key, entry)
    {
        int n_rb, u, v;
        lte_cf32 r[LTE_MAX_SC];
        lte_zc zc;
        lte_zc_row row;
        /* NOLINTNEXTLINE(cert-err34-c): the file is ours */
        assert_int_equal(sscanf(key, "RB%d u%d v%d", &n_rb, &u, &v), 3);
        assert_int_equal(lte_base_sequence(n_rb, u, v, 0, r), LTE_OK);
        assert_int_equal(lte_base_sequence_row(n_rb, u, v, 0, &zc, &row), LTE_OK);
        assert_near(row.root, real_of(json_object_get(entry, "q")), 0);
        assert_near(zc.length, real_of(json_object_get(entry, "N_ZC")), 0);
        for (size_t n = 0; n < 4; n++)
            assert_pair(r[n], json_array_get(json_object_get(entry, "first4"), n), 1.0);
        assert_pair(r[12 * n_rb - 1], json_object_get(entry, "last"), 1.0);
    }
    json_decref(table);
}

static void short_sequences_are_those_of_the_tables(void **state)
{
    (void)state;
    FILE *file = fopen("tests/data/ul_rs_phi_tables.csv", "r");
    char line[128];
    int n_lines = 0;
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* M_sc,u,phi */
    while (fgets(line, sizeof line, file)) {
        char *at = line;
        lte_cf32 r[24];
        const int n_sc = (int)strtol(at, &at, 10), u = (int)strtol(at + 1, &at, 10);
        at++;
        assert_int_equal(lte_base_sequence(n_sc / 12, u, 0, 0, r), LTE_OK);
        for (int n = 0; n < n_sc; n++) {
            const double angle = (double)strtol(at, &at, 10) * M_PI / 4.0;
            assert_near(r[n].re, cos(angle), 1e-6);
            assert_near(r[n].im, sin(angle), 1e-6);
        }
        n_lines++;
    }
    (void)fclose(file);
    assert_int_equal(n_lines, 60);
}

/* Every allocation, root and sequence, as 5.5.1 writes it, in double. */
static void base_sequences_follow_the_definition(void **state)
{
    (void)state;
    for (int n_rb = LTE_ZC_RB; n_rb <= LTE_MAX_UPLINK_RB; n_rb++) {
        const int length = lte_base_sequence_length(n_rb);
        for (int u = 0; u < LTE_BASE_GROUPS; u += n_rb % 10 ? 29 : 1) {
            for (int v = 0; v <= (n_rb >= LTE_TWO_SEQUENCES_RB); v++) {
                const double qbar = length * (u + 1) / 31.0;
                const int sign = (int)floor(2.0 * qbar) % 2 ? -1 : 1;
                const int q = (int)floor(qbar + 0.5) + v * sign;
                const int shift = (n_rb + u + v) % 12;
                lte_cf32 r[LTE_MAX_SC];
                assert_int_equal(lte_base_sequence(n_rb, u, v, shift, r), LTE_OK);
                for (int n = 0; n < 12 * n_rb; n++) {
                    const int m = n % length;
                    const double zc = (double)((int64_t)q * m * (m + 1) % (2 * length)) / length;
                    const double angle = M_PI * (shift * n % 12 / 6.0 - zc);
                    assert_near(r[n].re, cos(angle), 3e-7);
                    assert_near(r[n].im, sin(angle), 3e-7);
                }
            }
        }
    }
}

/* Largest correlation of two shifts over 12 subcarriers in a row, among all pairs and windows. */
static void shifts_are_orthogonal_over_a_block(void **state)
{
    (void)state;
    static const int blocks[] = {1, 2, 3, 25, 100};
    json_t *stored = vectors("dmrs_shift_crosscorr_max");
    const double exact = real_of(stored);
    json_decref(stored);
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        static lte_cf32 r[LTE_CYCLIC_SHIFTS][LTE_MAX_SC];
        const int n_sc = 12 * blocks[b];
        for (int s = 0; s < LTE_CYCLIC_SHIFTS; s++)
            assert_int_equal(lte_base_sequence(blocks[b], 17, 0, s, r[s]), LTE_OK);
        for (int s = 0; s < LTE_CYCLIC_SHIFTS; s++) {
            for (int t = 0; t < s; t++) {
                assert_near(cabs(correlation(n_sc, r[s], r[t])), exact, 2e-7);
                for (int n = 0; n + 12 <= n_sc; n += 5)
                    assert_near(cabs(correlation(12, &r[s][n], &r[t][n])), 0.0, 3e-7);
            }
        }
    }
}

static void layers_are_orthogonal(void **state)
{
    (void)state;
    for (int field = 0; field < 8; field++) {
        const lte_pusch_reference pusch = {.n_id = 100 + field,
                                           .cyclic_shift = field,
                                           .shift_field = field,
                                           .group_hopping = field % 2,
                                           .sequence_hopping = field > 3};
        for (int slot = 0; slot < LTE_FRAME_SLOTS; slot++) {
            static lte_cf32 r[LTE_UPLINK_LAYERS][LTE_MAX_SC];
            for (int i = 0; i < LTE_UPLINK_LAYERS; i++) {
                assert_int_equal(lte_pusch_sequence(&pusch, 6, slot, i, r[i]), LTE_OK);
                assert_near(creal(correlation(72, r[i], r[i])), 1.0, 1e-6);
                for (int j = 0; j < i; j++) {
                    for (int n = 0; n + 12 <= 72; n++)
                        assert_near(cabs(correlation(12, &r[i][n], &r[j][n])), 0.0, 3e-7);
                }
            }
        }
    }
}

/* f_gh, v and n_PN as 5.5.1.3, 5.5.1.4 and 5.5.2.1.1 write them, from bits of the Gold sequence. */
static void hopping_follows_the_definition(void **state)
{
    (void)state;
    static const int n1[8] = {0, 2, 3, 4, 6, 8, 9, 10};
    static const int n2[8][4] = {{0, 6, 3, 9},  {6, 0, 9, 3},  {3, 9, 6, 0},  {4, 10, 7, 1},
                                 {2, 8, 5, 11}, {8, 2, 11, 5}, {10, 4, 1, 7}, {9, 3, 0, 6}};
    for (int n_id = 0; n_id <= LTE_MAX_CELL_ID; n_id += 37) {
        const int delta_ss = n_id % 30, f_ss = (n_id % 30 + delta_ss) % 30;
        const uint32_t c_init = (uint32_t)(n_id / 30 * 32 + f_ss);
        for (int slot = 0; slot < LTE_FRAME_SLOTS; slot++) {
            const uint64_t ns = (uint64_t)slot;
            lte_pusch_reference p = {.n_id = n_id, .delta_ss = delta_ss, .cyclic_shift = slot % 8};
            int u, v, shift, f_gh = 0, n_pn = 0;
            assert_int_equal(lte_pusch_base(&p, 6, slot, &u, &v), LTE_OK);
            assert_true(u == f_ss && v == 0);
            for (uint64_t i = 0; i < 8; i++) {
                lte_gold groups = lte_gold_at((uint32_t)n_id / 30, 8 * ns + i);
                lte_gold shifts = lte_gold_at(c_init, 8 * 7 * ns + i);
                f_gh += (int)(lte_gold_word(&groups) & 1) << i;
                n_pn += (int)(lte_gold_word(&shifts) & 1) << i;
            }
            for (int layer = 0; layer < 4; layer++) {
                for (int k = 0; k < 8; k++) {
                    p.shift_field = k;
                    assert_int_equal(lte_pusch_shift(&p, slot, layer, &shift), LTE_OK);
                    assert_int_equal(shift, (n1[slot % 8] + n2[k][layer] + n_pn) % 12);
                }
            }
            p.sequence_hopping = true;
            assert_int_equal(lte_pusch_base(&p, 6, slot, &u, &v), LTE_OK);
            lte_gold sequences = lte_gold_at(c_init, ns);
            assert_int_equal(u, f_ss);
            assert_int_equal(v, lte_gold_word(&sequences) & 1);
            assert_int_equal(lte_pusch_base(&p, 5, slot, &u, &v), LTE_OK);
            assert_int_equal(v, 0);
            p.group_hopping = true;
            assert_int_equal(lte_pusch_base(&p, 6, slot, &u, &v), LTE_OK);
            assert_int_equal(u, (f_gh % 30 + f_ss) % 30);
            assert_int_equal(v, 0);
        }
    }
}

/* The table is that of 5.7.2; the last shift of a root leaves room for its zone. */
static void zones_are_those_of_the_table(void **state)
{
    (void)state;
    static const int n_cs[] = {0, 13, 15, 18, 22, 26, 32, 38, 46, 59, 76, 93, 119, 167, 279, 419};
    lte_zc zc;
    lte_zc_row row;
    assert_memory_equal(n_cs, lte_prach_n_cs, sizeof n_cs);
    for (int i = 1; i < LTE_PRACH_ZONES; i++) {
        const int last = LTE_PRACH_LONG / n_cs[i] - 1;
        assert_int_equal(lte_prach_row(LTE_PRACH_LONG, 1, last, n_cs[i], &zc, &row), LTE_OK);
        assert_true(row.first == (uint32_t)(last * n_cs[i]) &&
                    row.first + (uint32_t)n_cs[i] <= LTE_PRACH_LONG);
    }
}

static void preambles_are_the_stored_ones(void **state)
{
    (void)state;
    json_t *stored = vectors("prach");
    const json_t *cross = json_object_get(stored, "cross_corr_u129_u710");
    static lte_cf32 a[LTE_PRACH_LONG], b[LTE_PRACH_LONG];
    assert_int_equal(lte_prach_sequence(LTE_PRACH_LONG, 129, 0, 0, a), LTE_OK);
    for (size_t n = 0; n < 4; n++)
        assert_pair(a[n], json_array_get(json_object_get(stored, "u129_first4"), n), 1.0);
    for (int v = 0; v < LTE_PRACH_LONG / 13; v++) {
        assert_int_equal(lte_prach_sequence(LTE_PRACH_LONG, 710, v, 13, b), LTE_OK);
        assert_near(cabs(correlation(LTE_PRACH_LONG, a, b)), real_of(json_object_get(cross, "min")),
                    1e-6);
        assert_near(real_of(json_object_get(cross, "max")), 1.0 / sqrt(839.0), 1e-12);
    }
    json_decref(stored);
}

/* Periodic: nothing off the peak for one root, 1 / sqrt(N_ZC) everywhere for two. */
static void preambles_correlate_as_zadoff_chu(void **state)
{
    (void)state;
    static const int lengths[] = {LTE_PRACH_LONG, LTE_PRACH_SHORT};
    static lte_cf32 a[LTE_PRACH_LONG], b[LTE_PRACH_LONG], c[LTE_PRACH_LONG];
    for (int i = 0; i < 2; i++) {
        const int n_zc = lengths[i];
        assert_int_equal(lte_prach_sequence(n_zc, 1, 0, 0, a), LTE_OK);
        for (int v = 0; v < n_zc; v++) {
            assert_int_equal(lte_prach_sequence(n_zc, 1, v, 1, b), LTE_OK);
            assert_int_equal(lte_prach_sequence(n_zc, n_zc - 1, v, 1, c), LTE_OK);
            assert_memory_equal(b, &a[v], (size_t)(n_zc - v) * sizeof *a);
            assert_memory_equal(&b[n_zc - v], a, (size_t)v * sizeof *a);
            assert_near(cabs(correlation(n_zc, a, b)), v == 0 ? 1.0 : 0.0, 1e-6);
            assert_near(cabs(correlation(n_zc, a, c)), 1.0 / sqrt(n_zc), 1e-6);
        }
    }
}

static void refuse(lte_status status)
{
    static int n_refused;
    assert_int_equal(status, LTE_EINVAL);
    assert_int_equal(*failures_seen(), ++n_refused);
}

static void what_is_out_of_range_is_refused(void **state)
{
    (void)state;
    lte_cf32 x[LTE_MAX_SC];
    float re[1], im[1];
    int first, u, v, shift;
    lte_zc zc = lte_zc_of(71);
    lte_zc_row row = {1, 0, 0};
    lte_fail_handler before = expect_failures();

    static const int crs[][4] = {{-1, 6, 0, 0}, {504, 6, 0, 0}, {0, 0, 0, 0},  {0, 111, 0, 0},
                                 {0, 6, -1, 0}, {0, 6, 20, 0},  {0, 6, 0, -1}, {0, 6, 0, 7}};
    for (size_t i = 0; i < sizeof crs / sizeof *crs; i++)
        refuse(lte_crs_values(crs[i][0], crs[i][1], crs[i][2], crs[i][3], x));
    static const int positions[][4] = {{-1, 0, 0, 0}, {4, 0, 0, 0},  {0, -1, 0, 0}, {0, 504, 0, 0},
                                       {0, 0, -1, 0}, {0, 0, 20, 0}, {0, 0, 0, -1}, {0, 0, 0, 7}};
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
        const int *p = positions[i];
        refuse(lte_crs_position(p[0], p[1], p[2], p[3], &first));
    }

    static const int bases[][4] = {{0, 0, 0, 0},  {101, 0, 0, 0}, {-1, 0, 0, 0}, {6, -1, 0, 0},
                                   {6, 30, 0, 0}, {6, 0, -1, 0},  {6, 0, 2, 0},  {5, 0, 1, 0},
                                   {1, 0, 1, 0},  {2, 30, 0, 0},  {6, 0, 0, -1}, {6, 0, 0, 12},
                                   {1, 0, 0, 12}};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        const int *b = bases[i];
        refuse(lte_base_sequence(b[0], b[1], b[2], b[3], x));
        refuse(lte_base_sequence_row(b[0], b[1], b[2], b[3], &zc, &row));
    }
    refuse(lte_base_sequence_row(2, 0, 0, 0, &zc, &row));

    static const lte_pusch_reference cells[] = {
        {.n_id = -1},        {.n_id = 504},       {.delta_ss = -1},   {.delta_ss = 30},
        {.cyclic_shift = 8}, {.shift_field = -1}, {.shift_field = 8}, {.cyclic_shift = -1}};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        refuse(lte_pusch_base(&cells[i], 6, 0, &u, &v));
        refuse(lte_pusch_shift(&cells[i], 0, 0, &shift));
        refuse(lte_pusch_sequence(&cells[i], 6, 0, 0, x));
    }
    const lte_pusch_reference good = {0};
    static const int grants[][3] = {{0, 0, 0},  {101, 0, 0}, {6, -1, 0},
                                    {6, 20, 0}, {6, 0, -1},  {6, 0, 4}}; /* n_rb, slot, layer */
    for (size_t i = 0; i < sizeof grants / sizeof *grants; i++)
        refuse(lte_pusch_sequence(&good, grants[i][0], grants[i][1], grants[i][2], x));

    static const int preambles[][4] = {{838, 1, 0, 0},   {839, 0, 0, 0},  {839, 839, 0, 0},
                                       {139, 139, 0, 0}, {839, 1, 1, 0},  {839, 1, -1, 13},
                                       {839, 1, 64, 13}, {839, 1, 0, -1}, {839, 1, 0, 840},
                                       {139, 1, 10, 13}, {839, 1, 839, 1}};
    for (size_t i = 0; i < sizeof preambles / sizeof *preambles; i++) {
        const int *p = preambles[i];
        refuse(lte_prach_sequence(p[0], p[1], p[2], p[3], x));
        refuse(lte_prach_row(p[0], p[1], p[2], p[3], &zc, &row));
    }

    refuse(lte_reference_zc(&zc, &row, 0, 1, x));
    refuse(lte_reference_zc(&zc, &row, 1, 0, x));
    const lte_sar sar = {.range = 1e5,
                         .range_step = -1.0,
                         .speed = 1e3,
                         .wavelength = 0.1,
                         .interval = 1e-3,
                         .centre = 0.0};
    lte_sar wrong[] = {sar, sar, sar, sar, sar};
    wrong[0].range = 0.0;
    wrong[1].wavelength = -0.1;
    wrong[2].interval = 300.0; /* 100 turns a second from the centre, 9e6 then */
    wrong[2].centre = 1.0;
    wrong[3].speed = (double)NAN;
    wrong[4].range = (double)NAN;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse(lte_reference_sar(&wrong[i], 1, 1, re, im));
    refuse(lte_reference_sar(&sar, 0, 1, re, im));
    refuse(lte_reference_sar(&sar, 1, 0, re, im));
    refuse(lte_reference_sar_check(&sar, 100001, 1)); /* the last row at range 0 */
    refuse(lte_reference_sar_check(&sar, 100002, 1)); /* behind the radar */
    assert_int_equal(lte_reference_sar_check(&sar, 100000, 1), LTE_OK);
    (void)lte_fail_handler_set(before);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(reference, gold_bits_are_the_stored_ones),
    LTE_CASE(reference, gold_starts_anywhere),
    LTE_CASE(reference, crs_values_are_the_stored_ones),
    LTE_CASE(reference, crs_values_are_centred),
    LTE_CASE(reference, crs_positions_are_the_stored_ones),
    LTE_CASE(reference, crs_ports_do_not_meet),
    LTE_CASE(reference, lengths_are_the_largest_primes),
    LTE_CASE(reference, base_sequences_are_the_stored_ones),
    LTE_CASE(reference, short_sequences_are_those_of_the_tables),
    LTE_CASE(reference, base_sequences_follow_the_definition),
    LTE_CASE(reference, shifts_are_orthogonal_over_a_block),
    LTE_CASE(reference, layers_are_orthogonal),
    LTE_CASE(reference, hopping_follows_the_definition),
    LTE_CASE(reference, zones_are_those_of_the_table),
    LTE_CASE(reference, preambles_are_the_stored_ones),
    LTE_CASE(reference, preambles_correlate_as_zadoff_chu),
    LTE_CASE(reference, what_is_out_of_range_is_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("reference", cases, NULL, NULL);
}
