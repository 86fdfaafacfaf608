/*
 * Array types: the figures of Cui, Li, Chen (kernels/methods/array/array.h names them), trees of
 * any shape against tables of offsets, what is refused, copies.
 */
#include "tests/lib/array_types.h"

#include <stdio.h>

#include "phy/base/philox.h"

static int dim(const lte_array *a, const char *name)
{
    int d = -1;
    assert_int_equal(lte_array_find(a, name, &d), LTE_OK);
    return d;
}

/* Offset of element i of the dimension of that name. */
static int64_t at(const lte_array *a, const char *name, int64_t i)
{
    return lte_dim_at(a, dim(a, name), i);
}

static int64_t size_of(const lte_array *a, const char *name)
{
    return a->dim[dim(a, name)].size;
}

/* Figures 1 to 3: [[3][2]][4] as one, two and three dimensions, and its dimensions as types. */
static void figure_1_is_a_tree_of_dimensions(void **state)
{
    (void)state;
    const lte_array a = type_of(NULL, "float pinned [[3][2]][4]");
    assert_int_equal(a.element, LTE_FLOAT);
    assert_int_equal(a.memory, LTE_PINNED);
    assert_int_equal(size_of(&a, ""), 24);
    assert_int_equal(size_of(&a, "0"), 6);
    assert_int_equal(size_of(&a, "0_0"), 3);
    assert_int_equal(size_of(&a, "0_1"), 2);
    assert_int_equal(size_of(&a, "1"), 4);
    assert_int_equal(lte_array_room(&a), 24);
    for (int i = 0; i < 24; i++)
        assert_int_equal(lte_at(&a, i), i);
    assert_int_equal(lte_at2(&a, 5, 2), 5 * 4 + 2);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < 4; k++)
                assert_int_equal(at(&a, "0_0", i) + at(&a, "0_1", j) + at(&a, "1", k),
                                 i * 8 + j * 4 + k);
        }
    }
    assert_true(lte_dim_is_contiguous(&a, 0));
    assert_true(lte_dim_is_contiguous(&a, dim(&a, "1")));
    assert_false(lte_dim_is_contiguous(&a, dim(&a, "0")));
    lte_array row;
    assert_int_equal(lte_array_of_dim(&a, dim(&a, "1"), &row), LTE_OK);
    assert_int_equal(lte_array_room(&row), 4);
    assert_int_equal(lte_at(&row, 3), 3);
    assert_int_equal(row.memory, LTE_PINNED);
    lte_array rows;
    assert_int_equal(lte_array_of_dim(&a, dim(&a, "0"), &rows), LTE_OK);
    assert_int_equal(lte_at2(&rows, 2, 1), 20);
}

/* Figure 4: an element written through one type is read through its transposed. */
static void figure_4_is_the_transposed(void **state)
{
    (void)state;
    const lte_array a = type_of(NULL, "float pageable [4][3]");
    const lte_array b = view_of(&a, "float [#A_1][#A_0]");
    float *x;
    assert_int_equal(lte_array_create(&a, (void **)&x), LTE_OK);
    for (int i = 0; i < 12; i++)
        x[lte_at(&a, i)] = (float)i;
    x[lte_at2(&a, 3, 2)] = 123.0f;
    assert_true(x[lte_at2(&b, 2, 3)] == 123.0f); /* NOLINT: the same bits */
    assert_int_equal(size_of(&b, "0"), 3);
    assert_int_equal(size_of(&b, "1"), 4);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++)
            assert_int_equal(lte_at2(&b, j, i), lte_at2(&a, i, j));
    }
    assert_int_equal(lte_at(&b, 5),
                     lte_at2(&b, 1, 1)); /* one dimension, in the order of the view */
    lte_array_destroy(&a, x);
}

/* Figure 7: 8 x 8 tiles of 16 x 16, turned through a padded tile of which 16 columns are seen. */
static void figure_7_transposes_through_a_padded_tile(void **state)
{
    (void)state;
    static float in[128 * 128], out[128 * 128], tile[16 * 17];
    const lte_array data = type_of(NULL, "float [[128/16][16]][[128/16][16]]");
    const lte_array a = type_of(NULL, "float shared [16][17]");
    const lte_array b = view_of(&a, "float shared [#A_0][16 #A_1]");
    assert_int_equal(size_of(&b, "1"), 16);
    assert_int_equal(lte_array_room(&a), 16 * 17);
    assert_int_equal(lte_at2(&b, 15, 15), 15 * 17 + 15);
    assert_int_equal(lte_at(&b, 16), 17); /* the seventeenth column is not of it */
    for (int i = 0; i < 128 * 128; i++)
        in[i] = (float)i;
    for (int block = 0; block < 64; block++) {
        const int y = block / 8, x = block % 8;
        for (int i = 0; i < 16; i++) {
            for (int j = 0; j < 16; j++)
                tile[lte_at2(&b, i, j)] = in[at(&data, "0_0", y) + at(&data, "0_1", i) +
                                             at(&data, "1_0", x) + at(&data, "1_1", j)];
        }
        for (int i = 0; i < 16; i++) {
            for (int j = 0; j < 16; j++)
                out[at(&data, "0_0", x) + at(&data, "0_1", i) + at(&data, "1_0", y) +
                    at(&data, "1_1", j)] = tile[lte_at2(&b, j, i)];
        }
    }
    for (int i = 0; i < 128; i++) {
        for (int j = 0; j < 128; j++)
            assert_true(out[i * 128 + j] == in[j * 128 + i]); /* NOLINT: the same bits */
    }
}

/* Figures 12 and 13: dimensions of one element say nothing; 1024 x 1024 threads. */
static void figures_12_and_13_differ_in_dimensions_of_one(void **state)
{
    (void)state;
    const lte_array a = type_of(NULL, "float device [[1024][1]][[1024][1]]");
    const lte_array b = type_of(NULL, "float device [1024][1024]");
    assert_int_equal(size_of(&a, "0"), 1024);
    assert_int_equal(size_of(&a, "0_1"), 1);
    assert_int_equal(size_of(&a, "1_0"), 1024);
    assert_int_equal(size_of(&a, "1_1"), 1);
    assert_int_equal(lte_array_room(&a), 1024 * 1024);
    for (int i = 0; i < 1024; i++) {
        for (int j = 0; j < 1024; j++) {
            assert_int_equal(lte_at2(&b, i, j), i * 1024 + j);
            assert_int_equal(at(&a, "0_0", i) + at(&a, "0_1", 0) + at(&a, "1_0", j) +
                                 at(&a, "1_1", 0),
                             i * 1024 + j);
        }
    }
    lte_threads threads;
    assert_int_equal(lte_threads_parse(&threads, "cuda [1024][1024]"), LTE_OK);
    for (int64_t tid = 0; tid < 1024 * 1024; tid += 1021) {
        assert_int_equal(lte_tid(&threads, tid, dim(&threads.dims, "0")), tid / 1024);
        assert_int_equal(lte_tid(&threads, tid, dim(&threads.dims, "1")), tid % 1024);
    }
}

/* Figures 16 to 18: halves, quarters and blocks stored one after the other are 1024 x 1024. */
static void figures_16_to_18_are_stored_in_parts(void **state)
{
    (void)state;
    const lte_array halves = type_of(NULL, "float [2][1024][512]");
    const lte_array quarters = type_of(NULL, "float [4][1024][256]");
    const lte_array blocks = type_of(NULL, "float [2][2][512][512]");
    const lte_array m[] = {view_of(&halves, "float [#A_1][[#A_0][#A_2]]"),
                           view_of(&quarters, "float [#A_1][[#A_0][#A_2]]"),
                           view_of(&blocks, "float [[#A_0][#A_2]][[#A_1][#A_3]]")};
    static char seen[3][1024 * 1024];
    for (int v = 0; v < 3; v++) {
        assert_int_equal(size_of(&m[v], "0"), 1024);
        assert_int_equal(size_of(&m[v], "1"), 1024);
        assert_int_equal(lte_array_room(&m[v]), 1024 * 1024);
    }
    for (int64_t i = 0; i < 1024; i++) {
        for (int64_t j = 0; j < 1024; j++) {
            const int64_t expected[] = {
                j / 512 * (1024 * 512) + i * 512 + j % 512,
                j / 256 * (1024 * 256) + i * 256 + j % 256,
                (i / 512 * 2 + j / 512) * (512 * 512) + i % 512 * 512 + j % 512,
            };
            for (int v = 0; v < 3; v++) {
                assert_int_equal(lte_at2(&m[v], i, j), expected[v]);
                seen[v][expected[v]]++;
            }
        }
    }
    for (int v = 0; v < 3; v++) {
        for (int i = 0; i < 1024 * 1024; i++)
            assert_int_equal(seen[v][i], 1);
    }
}

/* Figure 21: dimensions cut for blocks and threads, with the offsets of any of those orders. */
static void figure_21_cuts_any_storage_order(void **state)
{
    (void)state;
    const lte_array rows = type_of(NULL, "float device [1024][1024]");
    const lte_array quarters = type_of(NULL, "float device [4][1024][256]");
    const lte_array blocks = type_of(NULL, "float device [2][2][512][512]");
    const lte_array types[] = {rows, view_of(&quarters, "float device [#A_1][[#A_0][#A_2]]"),
                               view_of(&blocks, "float device [[#A_0][#A_2]][[#A_1][#A_3]]")};
    for (int v = 0; v < 3; v++) {
        const lte_array_name type[] = {{"type", &types[v]}, {NULL, NULL}};
        const lte_array a =
            type_of(type, "float device [[1024/16][[4][4]] #type_0][[1024/32][32] #type_1]");
        const lte_array b =
            type_of(type, "float device [[1024/32][32] #type_0][[1024/256][[128][2]] #type_1]");
        const lte_array_name both[] = {{"A", &a}, {"B", &b}, {NULL, NULL}};
        const lte_array c = type_of(both, "float device [#A_0][#B_1]");
        const lte_array_name names[] = {{"C", &c}, {NULL, NULL}};
        const lte_array c0 = type_of(names, "float device [#C_0_1][#C_1_1_1]");
        assert_int_equal(size_of(&c0, "0"), 16);
        assert_int_equal(size_of(&c0, "1"), 2);
        assert_true(lte_dim_is_contiguous(&b, dim(&b, "1_1_1")));
        for (int64_t i = 0; i < 1024; i += 7) {
            for (int64_t j = 0; j < 1024; j += 5) {
                const int64_t expected = lte_at2(&types[v], i, j);
                assert_int_equal(at(&a, "0_0", i / 16) + at(&a, "0_1_0", i / 4 % 4) +
                                     at(&a, "0_1_1", i % 4) + at(&a, "1_0", j / 32) +
                                     at(&a, "1_1", j % 32),
                                 expected);
                assert_int_equal(at(&b, "0_0", i / 32) + at(&b, "0_1", i % 32) +
                                     at(&b, "1_0", j / 256) + at(&b, "1_1_0", j / 2 % 128) +
                                     at(&b, "1_1_1", j % 2),
                                 expected);
                assert_int_equal(lte_at2(&c, i, j), expected);
            }
        }
    }
}

static uint32_t drawn(uint64_t *count)
{
    const lte_philox_key key = lte_philox_key_of(4);
    return lte_philox(&key, (*count)++, 0).v[0];
}

static int pick(uint64_t *count, int n)
{
    return (int)(drawn(count) % (uint32_t)n);
}

/* What a table is made from while its text is written. */
typedef struct {
    uint64_t *count;
    const tree *pool;
    int n_pool;
    tree *t;
    char text[256];
    bool refuses; /* a cut whose offsets do not add up */
} sketch;

static void write_text(sketch *s, const char *format, int a, int b)
{
    const size_t length = strlen(s->text);
    (void)snprintf(s->text + length, sizeof s->text - length, format, a, b);
}

static int new_node(sketch *s, int n)
{
    table *node = &s->t->node[s->t->n_nodes];
    assert_true(s->t->n_nodes < NODES);
    node->n = n;
    node->n_sub = 0;
    return s->t->n_nodes++;
}

static int copy_node(sketch *s, const tree *from, int i)
{
    const table *const f = &from->node[i];
    const int made = new_node(s, f->n);
    table *const node = &s->t->node[made];
    memcpy(node->at, f->at, sizeof node->at);
    node->n_sub = f->n_sub;
    for (int k = 0; k < f->n_sub; k++)
        s->t->node[made].sub[k] = copy_node(s, from, f->sub[k]);
    return made;
}

/* True if a table repeats itself in whole runs, all the way up. */
static bool is_regular(const int64_t *offset, int n, int step)
{
    int run = 1;
    while (run < n && offset[run * step] == run * offset[step])
        run++;
    if (run == n)
        return true;
    if (n % run != 0)
        return false;
    for (int i = 0; i < n; i++) {
        if (offset[i * step] != offset[i / run * run * step] + offset[i % run * step])
            return false;
    }
    return is_regular(offset, n / run, step * run);
}

/* Offsets of a dimension's parts out of its own: one whose later indices are zero. */
static void cut(sketch *s, int i)
{
    const table *const node = &s->t->node[i];
    int step = node->n;
    for (int k = 0; k < node->n_sub; k++) {
        table *const sub = &s->t->node[node->sub[k]];
        step /= sub->n;
        for (int e = 0; e < sub->n; e++)
            sub->at[e] = node->at[e * step];
        for (int e = 0; e < node->n; e++)
            s->refuses |= node->at[e] != node->at[e / step * step] + node->at[e % step];
        cut(s, node->sub[k]);
    }
    if (node->n_sub == 0)
        s->refuses |= !is_regular(node->at, node->n, 1);
}

/* Sizes alone: at most `most` elements. */
static int draw_sizes(sketch *s, int most, int depth)
{
    if (depth == 0 || most < 4 || pick(s->count, 3) == 0) {
        const int n = 1 + pick(s->count, most < 12 ? most : 12);
        write_text(s, "[%d]", n, 0);
        return new_node(s, n);
    }
    const int made = new_node(s, 1), n_sub = 1 + pick(s->count, 3);
    write_text(s, "[", 0, 0);
    for (int k = 0; k < n_sub; k++) {
        const int sub = draw_sizes(s, most / s->t->node[made].n, depth - 1);
        s->t->node[made].sub[s->t->node[made].n_sub++] = sub;
        s->t->node[made].n *= s->t->node[sub].n;
    }
    write_text(s, "]", 0, 0);
    return made;
}

/* A bracket that refers to a dimension of the pool, in one of the three ways; -1: nothing fits. */
static int draw_reference(sketch *s, int most, int depth);

static int draw_referring(sketch *s, int most)
{
    const int from = pick(s->count, s->n_pool);
    const tree *const t = &s->pool[from];
    char path[32] = "";
    int i = 0;
    while (t->node[i].n_sub > 0 && pick(s->count, 3) > 0) {
        const int k = pick(s->count, t->node[i].n_sub);
        const size_t length = strlen(path);
        (void)snprintf(path + length, sizeof path - length, "_%d", k);
        i = t->node[i].sub[k];
    }
    const table *const node = &t->node[i];
    const int way = pick(s->count, 3);
    const bool copies = way == 0 && node->n <= most;
    int made = -1;
    if (copies) {
        write_text(s, "[#T%d", from, 0);
        made = copy_node(s, t, i);
    } else if (way == 1) {
        const int n = 1 + pick(s->count, node->n < most ? node->n : most);
        write_text(s, "[%d #T%d", n, from);
        made = new_node(s, n);
    } else {
        made = draw_sizes(s, node->n < most ? node->n : most, 2);
        if (s->t->node[made].n_sub > 0)
            s->text[strlen(s->text) - 1] = '\0'; /* before its bracket */
        else
            return -1; /* the same as a size */
        write_text(s, " #T%d", from, 0);
    }
    if (!copies) {
        memcpy(s->t->node[made].at, node->at, sizeof node->at);
        cut(s, made);
    }
    const size_t length = strlen(s->text);
    (void)snprintf(s->text + length, sizeof s->text - length, "%s]", path);
    return made;
}

static int draw_reference(sketch *s, int most, int depth)
{
    if (depth == 0 || pick(s->count, 2) == 0)
        return draw_referring(s, most);
    const int made = new_node(s, 1), n_sub = 1 + pick(s->count, 3);
    write_text(s, "[", 0, 0);
    for (int k = 0; k < n_sub; k++) {
        const int sub = draw_reference(s, most / s->t->node[made].n, depth - 1);
        if (sub < 0)
            return -1;
        s->t->node[made].sub[s->t->node[made].n_sub++] = sub;
        s->t->node[made].n *= s->t->node[sub].n;
    }
    write_text(s, "]", 0, 0);
    return made;
}

/* Offsets of a dimension whose parts have theirs. */
static void add_up(sketch *s, int i, bool top)
{
    table *const node = &s->t->node[i];
    if (!top && node->at[1] != -1)
        return;
    for (int k = 0; k < node->n_sub; k++)
        add_up(s, node->sub[k], false);
    for (int e = 0; e < node->n; e++) {
        int rest = e;
        node->at[e] = 0;
        for (int k = node->n_sub - 1; k >= 0; k--) {
            const table *const sub = &s->t->node[node->sub[k]];
            node->at[e] += sub->at[rest % sub->n];
            rest /= sub->n;
        }
    }
}

static void check_tree(const lte_array *a, const tree *t, int i, int d)
{
    const table *const node = &t->node[i];
    assert_int_equal(a->dim[d].size, node->n);
    for (int e = 0; e < node->n; e++)
        assert_int_equal(lte_dim_at(a, d, e), node->at[e]);
    bool follows = true;
    for (int e = 0; e < node->n; e++)
        follows = follows && node->at[e] == e;
    assert_int_equal(lte_dim_is_contiguous(a, d), follows);
    for (int k = 0; k < node->n_sub; k++) {
        const int sub = lte_dim_in(a, d, k);
        assert_true(sub >= 0);
        check_tree(a, t, node->sub[k], sub);
    }
}

/* The type of the text, and whether it is one, as the tables say. Returns -1 for no text. */
static int draw_tree(sketch *s)
{
    const bool natural = s->n_pool == 0 || pick(s->count, 4) == 0;
    s->t->n_nodes = 0;
    s->refuses = false;
    (void)strcpy(s->text, "cfloat ");
    for (int i = 0; i < NODES; i++)
        s->t->node[i].at[1] = -1; /* not known yet */
    const int made = new_node(s, 1), n_sub = 1 + pick(s->count, 3);
    for (int k = 0; k < n_sub; k++) {
        const int most = MOST / s->t->node[made].n;
        const int sub = natural ? draw_sizes(s, most, 2) : draw_reference(s, most, 1);
        if (sub < 0)
            return -1;
        s->t->node[made].sub[s->t->node[made].n_sub++] = sub;
        s->t->node[made].n *= s->t->node[sub].n;
    }
    if (natural) {
        for (int e = 0; e < MOST; e++)
            s->t->node[made].at[e] = e;
        cut(s, made);
    } else {
        add_up(s, made, true);
    }
    return made;
}

static void trees_have_the_offsets_of_their_tables(void **state)
{
    (void)state;
    static tree pool[POOL], next;
    uint64_t count = 0;
    int n_types = 0, n_refused = 0, n_pool = 0;
    lte_array_name names[POOL + 1] = {{NULL, NULL}};
    static const char *const name[POOL] = {"T0", "T1", "T2", "T3", "T4", "T5"};
    lte_fail_handler handler = expect_failures();
    while (n_types + n_refused < TREES) {
        sketch s = {&count, pool, n_pool, &next, "", false};
        if (draw_tree(&s) < 0)
            continue;
        const lte_status status = lte_array_parse(&next.type, names, "%s", s.text);
        if (status && next.type.fault == LTE_ARRAY_DEEP)
            continue; /* a limit of its own */
        if (s.refuses) {
            if (next.type.fault != LTE_ARRAY_UNEVEN)
                fail_msg("%s: fault %d", s.text, (int)next.type.fault);
            assert_int_equal(status, LTE_EINVAL);
            n_refused++;
            continue;
        }
        if (status)
            fail_msg("%s: fault %d", s.text, (int)next.type.fault);
        check_tree(&next.type, &next, 0, 0);
        n_types++;
        const int slot = n_pool < POOL ? n_pool++ : pick(&count, POOL);
        pool[slot] = next;
        names[slot] = (lte_array_name){name[slot], &pool[slot].type};
    }
    (void)lte_fail_handler_set(handler);
    assert_true(n_types > TREES / 2 && n_refused > TREES / 100);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(array, figure_1_is_a_tree_of_dimensions),
    LTE_CASE(array, figure_4_is_the_transposed),
    LTE_CASE(array, figure_7_transposes_through_a_padded_tile),
    LTE_CASE(array, figures_12_and_13_differ_in_dimensions_of_one),
    LTE_CASE(array, figures_16_to_18_are_stored_in_parts),
    LTE_CASE(array, figure_21_cuts_any_storage_order),
    LTE_CASE(array, trees_have_the_offsets_of_their_tables),
};

int main(void)
{
    return cmocka_run_group_tests_name("array", cases, NULL, NULL);
}
