/*
 * Files of channels for 2x2 and 72 subcarriers, one good and each of the others wrong in one way:
 *
 *     bad_channels FOLDER
 *
 * tests/cli/bad_input.sh has what is said of each.
 */

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "phy/base/cplx.h"

enum { N_SLOTS = 4, N_NUMBERS = N_SLOTS * 2 * 2 * 72 };

static const hsize_t good_size[6] = {N_SLOTS, 2, 2, 72, 1, 1};

static lte_cf32 numbers[N_NUMBERS];

/* Ends the program unless what was done went well. */
static void must(bool good, const char *what)
{
    if (good)
        return;
    (void)fprintf(stderr, "bad_channels: %s: failed\n", what);
    exit(1);
}

/* A compound of two members of a type. */
static hid_t pair_of(hid_t member, const char *first, const char *second)
{
    const size_t size = H5Tget_size(member);
    const hid_t pair = H5Tcreate(H5T_COMPOUND, 2 * size);
    must(H5Tinsert(pair, first, 0, member) >= 0 && H5Tinsert(pair, second, size, member) >= 0,
         "a compound");
    return pair;
}

static hid_t complex_of_floats(void)
{
    return pair_of(H5T_NATIVE_FLOAT, "r", "i");
}

static void close_both(hid_t dataset, hid_t file, const char *name)
{
    must(H5Dclose(dataset) >= 0 && H5Fclose(file) >= 0, name);
}

/* A file with one dataset; data NULL: nothing is written into it. */
static hid_t make(const char *name, const char *dataset, int rank, const hsize_t *size, hid_t type,
                  const void *data, hid_t *file)
{
    *file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = rank > 0 ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t made =
        H5Dcreate2(*file, dataset, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    must(made >= 0, name);
    if (data)
        must(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0, name);
    return made;
}

static void simple(const char *name, const char *dataset, int rank, const hsize_t *size, hid_t type,
                   const void *data)
{
    hid_t file = -1;
    const hid_t made = make(name, dataset, rank, size, type, data, &file);
    close_both(made, file, name);
}

/* The right type and numbers in another shape. */
static void shape(const char *name, int rank, hsize_t a, hsize_t b, hsize_t c, hsize_t d, hsize_t e)
{
    const hsize_t size[6] = {a, b, c, d, e, 1};
    simple(name, "h", rank, size, complex_of_floats(), NULL);
}

/* All as it should be but for an attribute. */
static void attribute(const char *name, const char *key, int value)
{
    hid_t file = -1;
    const hid_t made = make(name, "h", 4, good_size, complex_of_floats(), numbers, &file);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t at = H5Acreate2(made, key, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    must(H5Awrite(at, H5T_NATIVE_INT, &value) >= 0 && H5Aclose(at) >= 0, name);
    close_both(made, file, name);
}

/* An attribute of another type. */
static void odd_attribute(const char *name, const char *key, hid_t type, const void *value)
{
    hid_t file = -1;
    const hid_t made = make(name, "h", 4, good_size, complex_of_floats(), numbers, &file);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t at = H5Acreate2(made, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    must(H5Awrite(at, type, value) >= 0 && H5Aclose(at) >= 0, name);
    close_both(made, file, name);
}

/* The numbers in a file beside it: as plain bytes, and behind a link. */
static void outside(const char *bytes, const char *link)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    must(H5Pset_external(how, "bytes.raw", 0, sizeof numbers) >= 0, bytes);
    const hid_t file = H5Fcreate(bytes, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t made =
        H5Dcreate2(file, "h", complex_of_floats(), H5Screate_simple(4, good_size, NULL),
                   H5P_DEFAULT, how, H5P_DEFAULT);
    must(made >= 0, bytes);
    close_both(made, file, bytes);
    const hid_t other = H5Fcreate(link, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    must(H5Lcreate_external("good.h5", "/h", other, "h", H5P_DEFAULT, H5P_DEFAULT) >= 0 &&
             H5Fclose(other) >= 0,
         link);
}

/* All as it should be but for one number. */
static void number(const char *name, int i, float re, float im)
{
    const lte_cf32 kept = numbers[i];
    numbers[i].re = re;
    numbers[i].im = im;
    simple(name, "h", 4, good_size, complex_of_floats(), numbers);
    numbers[i] = kept;
}

/* Numbers of which no float is left. */
static void vanishing(const char *name)
{
    static double wide[N_NUMBERS][2];
    wide[1][0] = 1e-200;
    simple(name, "h", 4, good_size, pair_of(H5T_NATIVE_DOUBLE, "r", "i"), wide);
}

/* A double that no float holds. */
static void overflow(const char *name)
{
    static double wide[N_NUMBERS][2];
    wide[1][0] = 1e300;
    simple(name, "h", 4, good_size, pair_of(H5T_NATIVE_DOUBLE, "r", "i"), wide);
}

/* Numbers with a checksum, one of them changed afterwards. */
static void damaged(const char *name)
{
    const lte_cf32 sought = numbers[N_NUMBERS / 2];
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    must(H5Pset_chunk(how, 4, good_size) >= 0 && H5Pset_fletcher32(how) >= 0, name);
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t made =
        H5Dcreate2(file, "h", complex_of_floats(), H5Screate_simple(4, good_size, NULL),
                   H5P_DEFAULT, how, H5P_DEFAULT);
    must(H5Dwrite(made, complex_of_floats(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0, name);
    close_both(made, file, name);
    FILE *bytes = fopen(name, "r+b");
    lte_cf32 found = {0.0f, 0.0f};
    must(bytes != NULL, name);
    for (long at = 0; found.re != sought.re || found.im != sought.im; at += 4) {
        must(fseek(bytes, at, SEEK_SET) == 0 && fread(&found, sizeof found, 1, bytes) == 1, name);
    }
    must(fseek(bytes, -(long)sizeof found, SEEK_CUR) == 0 && fputc('?', bytes) == '?' &&
             fclose(bytes) == 0,
         name);
}

static void missing(const char *name)
{
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    must(H5Gclose(H5Gcreate2(file, "h", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0, name);
    must(H5Fclose(file) >= 0, name);
}

int main(int argc, char **argv)
{
    must(argc == 2 && chdir(argv[1]) == 0, "the folder");
    for (int i = 0; i < N_NUMBERS; i++) {
        const int rx = i / 144 % 2, tx = i / 72 % 2;
        numbers[i].re = rx == tx ? 1.0f : 0.25f;
        numbers[i].im = 1e-3f * (float)i;
    }
    simple("good.h5", "h", 4, good_size, complex_of_floats(), numbers);
    simple("truncated.h5", "h", 4, good_size, complex_of_floats(), numbers);
    must(truncate("truncated.h5", 6000) == 0, "truncated.h5");
    simple("elsewhere.h5", "H", 4, good_size, complex_of_floats(), numbers);
    missing("group.h5");
    damaged("damaged.h5");

    simple("reals.h5", "h", 4, good_size, H5T_NATIVE_FLOAT, NULL);
    simple("integers.h5", "h", 4, good_size, pair_of(H5T_NATIVE_INT, "r", "i"), NULL);
    simple("names.h5", "h", 4, good_size, pair_of(H5T_NATIVE_FLOAT, "re", "im"), NULL);

    shape("scalar.h5", 0, 1, 1, 1, 1, 1);
    shape("rank3.h5", 3, 2, 2, 72, 1, 1);
    shape("rank6.h5", 6, N_SLOTS, 2, 2, 7, 72);
    shape("antennas.h5", 4, N_SLOTS, 4, 2, 72, 1);
    shape("layers.h5", 4, N_SLOTS, 2, 1, 72, 1);
    shape("carrier.h5", 4, N_SLOTS, 2, 2, 180, 1);
    shape("symbols.h5", 5, N_SLOTS, 2, 2, 6, 72);
    shape("no_slot.h5", 4, 0, 2, 2, 72, 1);
    shape("huge.h5", 4, (hsize_t)1 << 40, 2, 2, 72, 1);

    number("nan.h5", 0, NAN, 0.0f);
    number("infinite.h5", N_NUMBERS - 1, 0.0f, -INFINITY);
    overflow("overflow.h5");
    vanishing("vanishing.h5");
    static const lte_cf32 none[N_NUMBERS];
    simple("zero.h5", "h", 4, good_size, complex_of_floats(), none);

    attribute("version.h5", "format_version", 2);
    attribute("no_drop.h5", "drop_slots", 0);
    const double drop = 7.9;
    odd_attribute("drop_of_7.9.h5", "drop_slots", H5T_NATIVE_DOUBLE, &drop);
    odd_attribute("drop_in_words.h5", "drop_slots", H5T_C_S1, "8");
    outside("outside.h5", "link.h5");
    attribute("drop_of_3.h5", "drop_slots", 3);
    return 0;
}
