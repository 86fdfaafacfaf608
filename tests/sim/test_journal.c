/*
 * Journals, whole and damaged in every place, and sweeps that go on from one as if they had never
 * stopped.
 */
#include "tests/lib/sweeps.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/files/journal.h"

static char dir[] = "/tmp/ltesim-journal-XXXXXX";

static const char *const lines[] = {"first", "", "a b  c", "d"};
enum { N_LINES = sizeof lines / sizeof *lines, MOST_BYTES = 512 };

static char *path_of(const char *name)
{
    static char path[sizeof dir + 32];
    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void write_lines(void)
{
    lte_journal journal = {0};
    assert_int_equal(lte_journal_begin(&journal, dir, "it is"), LTE_OK);
    for (int i = 0; i < N_LINES; i++)
        assert_int_equal(lte_journal_put(&journal, lines[i]), LTE_OK);
    assert_int_equal(lte_journal_keep(&journal), LTE_OK);
    lte_journal_close(&journal);
}

/* What came out, as far as it is what went in. */
typedef struct {
    int whats, lines;
} seen;

static lte_status see_what(const char *line, void *user)
{
    assert_string_equal(line, "it is");
    ((seen *)user)->whats++;
    return LTE_OK;
}

static lte_status see_line(const char *line, void *user)
{
    seen *s = user;
    assert_true(s->lines < N_LINES);
    assert_string_equal(line, lines[s->lines]);
    s->lines++;
    return LTE_OK;
}

/* The bytes of the journal; its size. */
static size_t read_bytes(char *bytes)
{
    FILE *file = fopen(path_of(LTE_JOURNAL_NAME), "rb");
    assert_non_null(file);
    const size_t n = fread(bytes, 1, MOST_BYTES, file);
    assert_true(n < MOST_BYTES);
    (void)fclose(file);
    return n;
}

static void write_bytes(const char *bytes, size_t n)
{
    FILE *file = fopen(path_of(LTE_JOURNAL_NAME), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void lines_come_back(void **state)
{
    seen s = {0};
    uint64_t lost = 1;
    (void)state;
    write_lines();
    assert_true(lte_journal_there(dir));
    assert_int_equal(lte_journal_read(dir, see_what, see_line, &s, &lost), LTE_OK);
    assert_int_equal(s.whats, 1);
    assert_int_equal(s.lines, N_LINES);
    assert_int_equal(lost, 0);
}

/* Reads bytes [n], of which the first `good` are as written; ends[i]: where line i ended, whole. */
static void check_damaged(const char *bytes, size_t n, size_t good, const size_t *ends)
{
    seen s = {0};
    uint64_t lost = 0;
    int whole = -1; /* lines, the first one not counted */
    while (whole < N_LINES && ends[whole + 1] <= good)
        whole++;
    write_bytes(bytes, n);
    lte_fail_handler handler = expect_failures();
    const lte_status status = lte_journal_read(dir, see_what, see_line, &s, &lost);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(status, whole < 0 ? LTE_EINVAL : LTE_OK);
    assert_int_equal(s.lines, whole < 0 ? 0 : whole);
    if (whole >= 0)
        assert_int_equal(lost, n - ends[whole]);
}

static void the_good_prefix_of_a_damaged_one_is_used(void **state)
{
    char bytes[MOST_BYTES], damaged[MOST_BYTES];
    size_t ends[N_LINES + 2] = {0};
    (void)state;
    write_lines();
    const size_t n = read_bytes(bytes);
    for (size_t i = 0, line = 0; i < n; i++) {
        if (bytes[i] == '\n')
            ends[line++] = i + 1;
    }
    ends[N_LINES + 1] = SIZE_MAX;
    assert_int_equal(ends[N_LINES], n);
    for (size_t cut = 0; cut < n; cut++)
        check_damaged(bytes, cut, cut, ends);
    for (size_t i = 0; i < n; i++) {
        for (int bit = 0; bit < 8; bit++) {
            memcpy(damaged, bytes, n);
            damaged[i] = (char)(damaged[i] ^ 1 << bit);
            check_damaged(damaged, n, i, ends);
        }
    }
    /* a line that is missing, and two in another order */
    memcpy(damaged, bytes, n);
    memmove(damaged + ends[1], damaged + ends[2], n - ends[2]);
    check_damaged(damaged, n - (ends[2] - ends[1]), ends[1], ends);
    memcpy(damaged + ends[0], bytes + ends[1], ends[2] - ends[1]);
    memcpy(damaged + ends[0] + (ends[2] - ends[1]), bytes + ends[0], ends[1] - ends[0]);
    memcpy(damaged + ends[2], bytes + ends[2], n - ends[2]);
    check_damaged(damaged, n, ends[0], ends);
}

static void one_that_is_not_kept_leaves_the_earlier_one(void **state)
{
    lte_journal journal = {0};
    char before[MOST_BYTES], after[MOST_BYTES];
    (void)state;
    write_lines();
    const size_t n = read_bytes(before);
    assert_int_equal(lte_journal_begin(&journal, dir, "another"), LTE_OK);
    assert_int_equal(lte_journal_put(&journal, "line"), LTE_OK);
    lte_journal_close(&journal);
    assert_int_equal(read_bytes(after), n);
    assert_memory_equal(after, before, n);
    assert_int_equal(unlink(path_of(LTE_JOURNAL_NAME)), 0);
    assert_int_equal(rmdir(dir), 0); /* nothing else was left */
    assert_int_equal(mkdir(dir, 0700), 0);
    assert_false(lte_journal_there(dir));
}

/* ---- sweeps ---- */

static const double snr_db[] = {0.0, 6.0, 12.0};
enum { N_SNR = sizeof snr_db / sizeof *snr_db };

/* Stopped after any number of chunks and gone on with by another sweep, it comes to the same. */
static void sweeps_go_on_inside_a_point(void **state)
{
    (void)state;
    for (int r = 0; r < N_STOP_RULES; r++) {
        const lte_scenario s = small_scenario(&stop_rules[r], snr_db, N_SNR);
        lte_sweep *whole = new_sweep(&s);
        run_some(&s, whole, INT_MAX, -1);
        assert_true(lte_sweep_complete(whole));
        for (int first = 1, size = 5; first < 200; first = 2 * first + 1, size = 69 - size) {
            lte_sweep *sweep = new_sweep(&s);
            run_some(&s, sweep, size, first);
            lte_sweep *copy = copy_of(&s, sweep);
            const bool complete = lte_sweep_complete(sweep);
            assert_int_equal(lte_sweep_complete(copy), complete);
            run_some(&s, copy, size, 3);
            lte_sweep *last = copy_of(&s, copy);
            run_some(&s, last, INT_MAX, -1);
            assert_same_sweeps(last, whole);
            lte_sweep_free(last);
            lte_sweep_free(copy);
            lte_sweep_free(sweep);
            if (complete)
                break;
        }
        lte_sweep_free(whole);
    }
}

static void points_of_others_are_refused(void **state)
{
    const lte_scenario s = small_scenario(&stop_rules[0], snr_db, N_SNR);
    static const char *const wrong[] = {"",  "x",     "3 0",     "-1 0",
                                        "0", "0 0 0", "0 9 0 0", "99999999999999999999 0"};
    lte_sweep *sweep = new_sweep(&s);
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lte_sweep_take_point(sweep, wrong[i]), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    lte_sweep_free(sweep);
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(journal, lines_come_back),
        LTE_CASE(journal, the_good_prefix_of_a_damaged_one_is_used),
        LTE_CASE(journal, one_that_is_not_kept_leaves_the_earlier_one),
        LTE_CASE(journal, sweeps_go_on_inside_a_point),
        LTE_CASE(journal, points_of_others_are_refused),
    };
    if (!mkdtemp(dir))
        return 1;
    const int failed = cmocka_run_group_tests_name("journal", cases, NULL, NULL);
    (void)unlink(path_of(LTE_JOURNAL_NAME));
    (void)rmdir(dir);
    return failed;
}
