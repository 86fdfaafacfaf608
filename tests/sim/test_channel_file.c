/* Files of channels: what is written is read, by this program and by others. */
#include <hdf5.h>
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "phy/channel/channels.h"
#include "sim/files/channel_file.h"
#include "tests/lib/unit.h"

/* Odd sizes, so that no two of them can be exchanged. */
enum { N_SLOTS = 3, N_RX = 5, N_TX = 2, N_SC = 1003 };

static char folder[] = "/tmp/ltesim_channel_file_XXXXXX";
static char path[64], temporary[80];

static const lte_channel_origin origin = {
    .scenario = "a", .model = "eva", .doppler_hz = 70.0, .seed = 1};

static size_t slot_size(int n_h)
{
    return (size_t)N_RX * N_TX * N_SC * (size_t)n_h;
}

/* Number i of the channels; all differ. */
static lte_cf32 number_at(size_t i)
{
    lte_cf32 z;
    z.re = 0x1p-8f * (float)i;
    z.im = -0x1p-10f * (float)i - 1.0f;
    return z;
}

static lte_channel_shape shape_of(int n_h, int drop_slots)
{
    return (lte_channel_shape){.n_slots = N_SLOTS,
                               .n_rx = N_RX,
                               .n_tx = N_TX,
                               .n_h = n_h,
                               .n_sc = N_SC,
                               .drop_slots = drop_slots};
}

/* Puts all slots, from the last to the first. */
static void put_all(lte_channel_writer *writer, int n_h)
{
    const size_t n = slot_size(n_h);
    lte_cf32 *planes = malloc(n * sizeof *planes);
    assert_non_null(planes);
    for (size_t slot = N_SLOTS; slot-- > 0;) {
        for (size_t i = 0; i < n; i++)
            planes[i] = number_at(slot * n + i);
        assert_int_equal(lte_channel_writer_put(writer, slot, planes), LTE_OK);
    }
    free(planes);
}

static void write_all(const lte_channel_shape *shape)
{
    lte_channel_writer *writer = NULL;
    assert_int_equal(lte_channel_writer_create(path, shape, &origin, &writer), LTE_OK);
    put_all(writer, shape->n_h);
    assert_int_equal(lte_channel_writer_finish(writer), LTE_OK);
    lte_channel_writer_free(writer);
    assert_int_not_equal(access(temporary, F_OK), 0);
}

static lte_channel_file read_all(void)
{
    lte_channel_file file;
    assert_int_equal(lte_channel_file_read(path, "test", N_RX, N_TX, N_SC, UINT64_MAX, &file),
                     LTE_OK);
    return file;
}

static void assert_numbers(const lte_channel_file *file)
{
    const size_t n = N_SLOTS * slot_size(file->shape.n_h);
    for (size_t i = 0; i < n; i++) {
        assert_true(file->h[i].re == number_at(i).re);
        assert_true(file->h[i].im == number_at(i).im);
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    for (int n_h = 1; n_h <= 7; n_h += 6) {
        const lte_channel_shape shape = shape_of(n_h, n_h);
        write_all(&shape);
        lte_channel_file file = read_all();
        assert_int_equal(file.shape.n_slots, N_SLOTS);
        assert_int_equal(file.shape.n_h, n_h);
        assert_int_equal(file.shape.drop_slots, n_h);
        assert_int_equal(file.model, LTE_CHANNEL_eva);
        double power = 0.0;
        const size_t n = N_SLOTS * slot_size(n_h);
        for (size_t i = 0; i < n; i++)
            power += pow(cabs(CMPLX(number_at(i).re, number_at(i).im)), 2.0) / (double)n;
        assert_near(file.power, power, 1e-9 * power);
        assert_numbers(&file);
        lte_channel_file_fini(&file);
        assert_null(file.h);
    }
}

static void no_more_slots_are_read_than_wanted(void **state)
{
    (void)state;
    for (int n_h = 1; n_h <= 7; n_h += 6) {
        const lte_channel_shape shape = shape_of(n_h, 1);
        lte_channel_file file;
        write_all(&shape);
        assert_int_equal(lte_channel_file_read(path, "x", N_RX, N_TX, N_SC, 2, &file), LTE_OK);
        assert_int_equal(file.shape.n_slots, N_SLOTS);
        assert_int_equal(file.n_read, 2);
        assert_true(file.h[2 * slot_size(n_h) - 1].re == number_at(2 * slot_size(n_h) - 1).re);
        lte_channel_file_fini(&file);
        file = read_all();
        assert_int_equal(file.n_read, N_SLOTS);
        lte_channel_file_fini(&file);
    }
}

/* More than is handed over at a time: many small slots, and few that are larger than that. */
static void large_files_are_read_in_parts(void **state)
{
    (void)state;
    const lte_channel_shape shapes[] = {
        {.n_slots = 9001, .n_rx = 2, .n_tx = 2, .n_h = 1, .n_sc = 72, .drop_slots = 1},
        {.n_slots = 2, .n_rx = 16, .n_tx = 8, .n_h = 7, .n_sc = 1200, .drop_slots = 1}};
    for (int k = 0; k < 2; k++) {
        const lte_channel_shape *s = &shapes[k];
        const size_t n = (size_t)s->n_rx * (size_t)s->n_tx * (size_t)s->n_h * (size_t)s->n_sc;
        lte_cf32 *planes = malloc(n * sizeof *planes);
        lte_channel_writer *writer = NULL;
        lte_channel_file file;
        assert_non_null(planes);
        assert_int_equal(lte_channel_writer_create(path, s, &origin, &writer), LTE_OK);
        for (size_t slot = 0; slot < s->n_slots; slot++) {
            for (size_t i = 0; i < n; i++)
                planes[i] = number_at((slot * n + i) % 65521);
            assert_int_equal(lte_channel_writer_put(writer, slot, planes), LTE_OK);
        }
        assert_int_equal(lte_channel_writer_finish(writer), LTE_OK);
        lte_channel_writer_free(writer);
        free(planes);
        assert_int_equal(
            lte_channel_file_read(path, "x", s->n_rx, s->n_tx, s->n_sc, UINT64_MAX, &file), LTE_OK);
        for (size_t i = 0; i < s->n_slots * n; i++)
            assert_true(file.h[i].re == number_at(i % 65521).re &&
                        file.h[i].im == number_at(i % 65521).im);
        lte_channel_file_fini(&file);
    }
}

/* All bytes of the file at path; the caller frees them. */
static char *bytes_of(size_t *n)
{
    struct stat info;
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fstat(fileno(stream), &info), 0);
    *n = (size_t)info.st_size;
    char *bytes = malloc(*n);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, stream), *n);
    assert_int_equal(fclose(stream), 0);
    return bytes;
}

static void equal_channels_make_equal_files(void **state)
{
    (void)state;
    const lte_channel_shape shape = shape_of(1, 1);
    size_t n = 0, m = 0;
    write_all(&shape);
    char *first = bytes_of(&n);
    assert_int_equal(sleep(1), 0); /* another time of day, which HDF5 keeps in seconds */
    write_all(&shape);
    char *second = bytes_of(&m);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    free(first);
    free(second);
}

static void what_is_not_finished_leaves_the_old_file(void **state)
{
    (void)state;
    const lte_channel_shape old = shape_of(1, 1), shape = shape_of(7, 1);
    lte_channel_writer *writer = NULL;
    write_all(&old);
    assert_int_equal(lte_channel_writer_create(path, &shape, &origin, &writer), LTE_OK);
    put_all(writer, 7);
    assert_int_equal(access(temporary, F_OK), 0);
    lte_channel_writer_free(writer);
    assert_int_not_equal(access(temporary, F_OK), 0);
    lte_channel_file file = read_all();
    assert_int_equal(file.shape.n_h, 1);
    lte_channel_file_fini(&file);
}

/* A file by other means: compound of two members of a type, in which order they lie. */
static void write_as(hid_t member, bool imaginary_first)
{
    const hsize_t size[4] = {N_SLOTS, N_RX, N_TX, N_SC};
    const size_t n = N_SLOTS * slot_size(1), width = H5Tget_size(member);
    double(*h)[2] = malloc(n * sizeof *h);
    assert_non_null(h);
    for (size_t i = 0; i < n; i++) {
        h[i][0] = (double)number_at(i).re;
        h[i][1] = (double)number_at(i).im;
    }
    const hid_t in_memory = H5Tcreate(H5T_COMPOUND, sizeof *h);
    assert_true(H5Tinsert(in_memory, "r", 0, H5T_NATIVE_DOUBLE) >= 0);
    assert_true(H5Tinsert(in_memory, "i", sizeof(double), H5T_NATIVE_DOUBLE) >= 0);
    const hid_t in_file = H5Tcreate(H5T_COMPOUND, 2 * width);
    assert_true(H5Tinsert(in_file, imaginary_first ? "i" : "r", 0, member) >= 0);
    assert_true(H5Tinsert(in_file, imaginary_first ? "r" : "i", width, member) >= 0);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(4, size, NULL);
    const hid_t set = H5Dcreate2(file, "h", in_file, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, in_memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, h) >= 0);
    assert_true(H5Dclose(set) >= 0 && H5Sclose(space) >= 0 && H5Tclose(in_file) >= 0 &&
                H5Tclose(in_memory) >= 0 && H5Fclose(file) >= 0);
    free(h);
}

static void files_of_others_are_read(void **state)
{
    (void)state;
    const hid_t members[] = {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64LE, H5T_IEEE_F64BE};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        write_as(members[i], i % 2 == 1);
        lte_channel_file file = read_all();
        assert_int_equal(file.shape.drop_slots, 1); /* no attribute says otherwise */
        assert_int_equal(file.shape.n_h, 1);
        assert_numbers(&file);
        lte_channel_file_fini(&file);
    }
}

/* Layer 1 of doubles: 1e-30, then 1e-50, which as a float is 0. */
static void doubles_too_small_for_floats_are_silent(void **state)
{
    static const double weak[] = {1e-30, 1e-50};
    const hsize_t size[4] = {1, N_RX, N_TX, N_SC};
    static double h[N_RX * N_TX * N_SC][2];
    const hid_t number = H5Tcreate(H5T_COMPOUND, sizeof *h);
    (void)state;
    assert_true(H5Tinsert(number, "r", 0, H5T_NATIVE_DOUBLE) >= 0);
    assert_true(H5Tinsert(number, "i", sizeof(double), H5T_NATIVE_DOUBLE) >= 0);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N_RX * N_TX * N_SC; i++)
            h[i][0] = i / N_SC % N_TX == 1 ? weak[k] : 1.0;
        const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        const hid_t space = H5Screate_simple(4, size, NULL);
        const hid_t set =
            H5Dcreate2(file, "h", number, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Dwrite(set, number, H5S_ALL, H5S_ALL, H5P_DEFAULT, h) >= 0);
        assert_true(H5Dclose(set) >= 0 && H5Sclose(space) >= 0 && H5Fclose(file) >= 0);
        lte_channel_file read = read_all();
        assert_true(read.wide);
        assert_int_equal(read.silent[0], k == 0 ? 0 : N_SC);
        lte_channel_file_fini(&read);
    }
    assert_true(H5Tclose(number) >= 0);
}

/* Zeros are silent, weak layers are not. */
static void silent_layers_of_each_slot_are_known(void **state)
{
    (void)state;
    for (int n_h = 1; n_h <= 7; n_h += 6) {
        const lte_channel_shape shape = shape_of(n_h, 1);
        const size_t n = slot_size(n_h), column = (size_t)N_SC * (size_t)n_h;
        lte_cf32 *planes = malloc(n * sizeof *planes);
        lte_channel_writer *writer = NULL;
        assert_non_null(planes);
        for (int wide = 0; wide < 2; wide++) {
            assert_int_equal(lte_channel_writer_create(path, &shape, &origin, &writer), LTE_OK);
            for (size_t slot = 0; slot < N_SLOTS; slot++) {
                for (size_t i = 0; i < n; i++) { /* layer 1 of the last matrices of slots 1 and 2 */
                    const bool weak = i / column % N_TX == 1 && i % column >= column - 9 * slot;
                    planes[i].re = wide && weak ? (slot == 1 ? 1e-30f : 0.0f) : 1.0f;
                    planes[i].im = 0.0f;
                }
                assert_int_equal(lte_channel_writer_put(writer, slot, planes), LTE_OK);
            }
            assert_int_equal(lte_channel_writer_finish(writer), LTE_OK);
            lte_channel_writer_free(writer);
            lte_channel_file file = read_all();
            assert_int_equal(file.wide, wide);
            assert_int_equal(file.silent[0], 0);
            assert_int_equal(file.silent[1], 0);
            assert_int_equal(file.silent[2], wide ? 18 : 0);
            lte_channel_file_fini(&file);
            assert_null(file.silent);
        }
        free(planes);
    }
}

/* FNV-1a as published: of no byte the offset, then for each byte xor and times the prime. */
static void checksum_is_fnv_1a_of_the_numbers(void **state)
{
    (void)state;
    const lte_channel_shape shape = shape_of(1, 1);
    write_all(&shape);
    lte_channel_file file = read_all();
    const size_t n = N_SLOTS * slot_size(1) * sizeof(lte_cf32);
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < n; i++) {
        sum ^= ((const unsigned char *)file.h)[i];
        sum *= 1099511628211u;
    }
    assert_true(file.checksum == sum);
    lte_channel_file_fini(&file);
}

static void refused_file_leaves_nothing(void **state)
{
    (void)state;
    const lte_channel_shape shape = shape_of(1, 1);
    lte_channel_file file;
    write_all(&shape);
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_channel_file_read(path, "x", N_TX, N_RX, N_SC, 1, &file), LTE_EINVAL);
    assert_null(file.h);
    assert_int_equal(lte_channel_file_read("none", "x", N_RX, N_TX, N_SC, 1, &file), LTE_EINVAL);
    assert_null(file.h);
    lte_channel_file_fini(&file);
    lte_channel_writer *writer = NULL;
    assert_int_equal(lte_channel_writer_check("/none/x.h5"), LTE_EIO);
    assert_int_equal(lte_channel_writer_check(folder), LTE_EIO);
    assert_int_equal(lte_channel_writer_create("/none/x.h5", &shape, &origin, &writer), LTE_EIO);
    assert_null(writer);
    lte_channel_writer_free(NULL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(*failures_seen(), 5);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(channel_file, what_is_written_is_read),
    LTE_CASE(channel_file, no_more_slots_are_read_than_wanted),
    LTE_CASE(channel_file, large_files_are_read_in_parts),
    LTE_CASE(channel_file, equal_channels_make_equal_files),
    LTE_CASE(channel_file, what_is_not_finished_leaves_the_old_file),
    LTE_CASE(channel_file, files_of_others_are_read),
    LTE_CASE(channel_file, silent_layers_of_each_slot_are_known),
    LTE_CASE(channel_file, doubles_too_small_for_floats_are_silent),
    LTE_CASE(channel_file, checksum_is_fnv_1a_of_the_numbers),
    LTE_CASE(channel_file, refused_file_leaves_nothing),
};

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    (void)snprintf(path, sizeof path, "%s/h.h5", folder);
    (void)snprintf(temporary, sizeof temporary, "%s.tmp", path);
    const int failed = cmocka_run_group_tests_name("channel_file", cases, NULL, NULL);
    (void)unlink(path);
    (void)rmdir(folder);
    return failed;
}
