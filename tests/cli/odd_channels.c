/*
 * Files of channels for 2x2 and 72 subcarriers that are odd at random, each by its seed alone:
 *
 *     odd_channels FOLDER FIRST N      FIRST.h5 to (FIRST + N - 1).h5
 *
 * Name, kind, type, shape, layout, filters, numbers and attributes of /h are drawn, each right in
 * most files; then half of the files are cut or have bytes changed. What HDF5 refuses to make is
 * left out. tests/cli/odd_channels.py has them read.
 */
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_SLOTS = 4, N_NUMBERS = N_SLOTS * 2 * 2 * 72, MOST_RANK = 7 };

#define COUNT(x) ((int)(sizeof(x) / sizeof *(x)))

static uint64_t state; /* of the draws */

/* 0 to n - 1: splitmix64. */
static int any(int n)
{
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (int)((x ^ (x >> 31)) % (uint64_t)n);
}

static bool once_in(int n)
{
    return any(n) == 0;
}

/* ---- types ---- */

static hid_t compound(hid_t member, const char *first, const char *second, size_t pad)
{
    const size_t size = H5Tget_size(member);
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size + pad);
    (void)H5Tinsert(type, first, 0, member);
    (void)H5Tinsert(type, second, size + pad, member);
    return type;
}

static hid_t text_type(size_t size)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(type, size);
    return type;
}

static hid_t enum_type(void)
{
    const hid_t type = H5Tcreate(H5T_ENUM, sizeof(int));
    const int value = 8;
    (void)H5Tenum_insert(type, "eight", &value);
    return type;
}

/* A float of a layout that no processor has. */
static hid_t odd_float(void)
{
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    (void)H5Tset_fields(type, 31, 20 + (size_t)any(8), 3 + (size_t)any(5), 0, 10 + (size_t)any(10));
    (void)H5Tset_ebias(type, (size_t)any(200));
    return type;
}

static hid_t any_scalar_type(void)
{
    const hsize_t two = 2;
    switch (any(14)) {
    case 0:
        return H5Tcopy(H5T_NATIVE_SCHAR);
    case 1:
        return H5Tcopy(H5T_STD_U64BE);
    case 2:
        return H5Tcopy(H5T_NATIVE_INT);
    case 3:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 4:
        return H5Tcopy(H5T_NATIVE_LDOUBLE);
    case 5:
        return odd_float();
    case 6:
        return text_type(1 + (size_t)any(100));
    case 7:
        return text_type(H5T_VARIABLE);
    case 8:
        return enum_type();
    case 9:
        return H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &two);
    case 10:
        return H5Tvlen_create(H5T_NATIVE_FLOAT);
    case 11:
        return H5Tcreate(H5T_OPAQUE, 1 + (size_t)any(64));
    case 12:
        return H5Tcopy(H5T_STD_REF_OBJ);
    default:
        return H5Tcopy(H5T_STD_B32LE);
    }
}

static hid_t any_number_type(void)
{
    switch (any(12)) {
    case 0:
        return compound(H5T_IEEE_F64LE, "r", "i", 0);
    case 1:
        return compound(H5T_IEEE_F32BE, "r", "i", 0);
    case 2:
        return compound(H5T_IEEE_F64BE, "i", "r", (size_t)any(64));
    case 3:
        return compound(odd_float(), "r", "i", 0);
    case 4:
        return compound(any_scalar_type(), "r", "i", 0);
    case 5:
        return compound(compound(H5T_NATIVE_FLOAT, "r", "i", 0), "r", "i", 0);
    case 6:
        return any_scalar_type();
    default:
        return compound(H5T_IEEE_F32LE, "r", "i", 0);
    }
}

/* ---- shapes and layouts ---- */

static int any_shape(hsize_t *size)
{
    static const hsize_t odd[] = {0,   1,    3,       6,         7,           8,
                                  180, 1200, 1 << 20, 1u << 31u, 1ull << 40u, 1ull << 60u};
    const bool symbols = once_in(3);
    const hsize_t right[2][MOST_RANK] = {{N_SLOTS, 2, 2, 72, 1, 1, 1},
                                         {N_SLOTS, 2, 2, 7, 72, 1, 1}};
    for (int i = 0; i < MOST_RANK; i++)
        size[i] = right[symbols][i];
    if (once_in(4))
        size[0] = odd[any(COUNT(odd))];
    if (once_in(12))
        size[any(MOST_RANK)] = odd[any(COUNT(odd))];
    return once_in(12) ? any(MOST_RANK + 1) : 4 + symbols;
}

static void any_filter(hid_t how)
{
    const unsigned none[2] = {0, 0};
    switch (any(7)) {
    case 0:
        (void)H5Pset_deflate(how, (unsigned)any(10));
        break;
    case 1:
        (void)H5Pset_shuffle(how);
        break;
    case 2:
        (void)H5Pset_fletcher32(how);
        break;
    case 3:
        (void)H5Pset_nbit(how);
        break;
    case 4:
        (void)H5Pset_scaleoffset(how, H5Z_SO_FLOAT_DSCALE, any(8));
        break;
    case 5:
        (void)H5Pset_filter(how, 32000 + any(100), H5Z_FLAG_OPTIONAL, 2, none);
        break;
    default:
        break;
    }
}

/* How the dataset is stored. */
static hid_t any_layout(int rank, const hsize_t *size)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[MOST_RANK];
    switch (any(8)) {
    case 0:
        (void)H5Pset_layout(how, H5D_COMPACT);
        break;
    case 1:
        (void)H5Pset_external(how, "bytes.raw", any(1000), H5F_UNLIMITED);
        break;
    case 2:
        (void)H5Pset_layout(how, H5D_VIRTUAL);
        break;
    case 3:
    case 4:
    case 5:
        for (int i = 0; i < rank; i++) {
            chunk[i] = once_in(2) ? size[i] : (hsize_t)(1 + any(100));
            chunk[i] = once_in(20) ? (hsize_t)1 << any(32) : chunk[i];
        }
        if (rank > 0)
            (void)H5Pset_chunk(how, rank, chunk);
        for (int n = any(4); n > 0; n--)
            any_filter(how);
        break;
    default:
        break;
    }
    if (once_in(4))
        (void)H5Pset_alloc_time(how, once_in(2) ? H5D_ALLOC_TIME_LATE : H5D_ALLOC_TIME_INCR);
    return how;
}

/* ---- what is in it ---- */

/* Bytes of a chunk of a dataset, about; 0 if it has none. */
static double chunk_bytes(hid_t dataset)
{
    hsize_t chunk[MOST_RANK];
    const hid_t how = H5Dget_create_plist(dataset);
    const int rank = H5Pget_layout(how) == H5D_CHUNKED ? H5Pget_chunk(how, MOST_RANK, chunk) : 0;
    double bytes = rank > 0 ? (double)H5Tget_size(H5Dget_type(dataset)) : 0.0;
    for (int i = 0; i < rank; i++)
        bytes *= (double)chunk[i];
    return bytes;
}

static void write_numbers(hid_t dataset, const hsize_t *size, int rank)
{
    static float numbers[N_NUMBERS * 7][2];
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, 1001.0f, 1e-40f, -0.0f};
    const float scale = once_in(10) ? 0.0f : 1.0f;
    hsize_t n = 1;
    for (int i = 0; i < rank && n <= COUNT(numbers); i++)
        n = size[i] > COUNT(numbers) ? size[i] : n * size[i];
    /* nothing behind what it claims; a chunk is written as a whole, whatever is in it */
    if (n > COUNT(numbers) || chunk_bytes(dataset) > 0x1p26)
        return;
    for (int i = 0; i < COUNT(numbers); i++) {
        numbers[i][0] = scale * (float)(any(2001) - 1000) * 1e-3f;
        numbers[i][1] = scale * (float)(any(2001) - 1000) * 1e-3f;
    }
    if (once_in(5))
        numbers[any(N_NUMBERS)][any(2)] = odd[any(COUNT(odd))];
    (void)H5Dwrite(dataset, compound(H5T_NATIVE_FLOAT, "r", "i", 0), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                   numbers);
}

static void any_attribute(hid_t object)
{
    static const char *const names[] = {"drop_slots", "format_version", "model", "seed", "axes"};
    static const int right[] = {1, 1, 0, 1, 1};
    static char bytes[4096];
    const int which = any(COUNT(names));
    const hsize_t size[2] = {(hsize_t)any(40), 3};
    const int rank = once_in(2) ? 0 : 1 + any(2);
    const bool fits = once_in(2);
    const hid_t type = fits ? H5Tcopy(H5T_NATIVE_INT) : any_scalar_type();
    const hid_t space = once_in(10) ? H5Screate(H5S_NULL)
                        : rank > 0  ? H5Screate_simple(rank, size, NULL)
                                    : H5Screate(H5S_SCALAR);
    const hid_t at = H5Acreate2(object, names[which], type, space, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < COUNT(bytes); i++)
        bytes[i] = (char)any(256);
    const size_t all = H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(space);
    if (fits && rank == 0)
        (void)H5Awrite(at, type, &right[which]);
    else if (H5Tis_variable_str(type) <= 0 && H5Tget_class(type) != H5T_VLEN &&
             H5Tget_class(type) != H5T_REFERENCE && all <= sizeof bytes)
        (void)H5Awrite(at, type, bytes);
    (void)H5Aclose(at);
}

static void put_dataset(hid_t file, const char *name)
{
    hsize_t size[MOST_RANK], most[MOST_RANK];
    const int rank = any_shape(size);
    const bool grows = once_in(3);
    for (int i = 0; i < MOST_RANK; i++)
        most[i] = grows ? H5S_UNLIMITED : size[i];
    const hid_t space = rank > 0 ? H5Screate_simple(rank, size, most) : H5Screate(H5S_SCALAR);
    const hid_t type = any_number_type(), how = any_layout(rank, size);
    hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (made < 0)
        made = H5Dcreate2(file, name, type, H5Screate_simple(rank, size, NULL), H5P_DEFAULT,
                          H5P_DEFAULT, H5P_DEFAULT);
    if (made < 0)
        return;
    if (!once_in(6))
        write_numbers(made, size, rank);
    for (int n = any(4); n > 0; n--)
        any_attribute(made);
    (void)H5Dclose(made);
}

/* /h itself, or what leads there. */
static void put_h(hid_t file, const char *own)
{
    switch (any(24)) {
    case 0:
        (void)H5Gclose(H5Gcreate2(file, "h", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        break;
    case 1:
        (void)H5Lcreate_soft("/h", file, "h", H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2:
        put_dataset(file, "other");
        (void)H5Lcreate_soft(once_in(2) ? "/other" : "/none", file, "h", H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 3:
        put_dataset(file, "other");
        (void)H5Lcreate_hard(file, once_in(2) ? "other" : "/", file, "h", H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 4:
        put_dataset(file, "other");
        (void)H5Lcreate_external(once_in(2) ? own : "none.h5", "/other", file, "h", H5P_DEFAULT,
                                 H5P_DEFAULT);
        break;
    case 5:
        (void)H5Tcommit2(file, "h", any_number_type(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 6:
        break;
    default:
        put_dataset(file, "h");
        break;
    }
}

/* Cuts a file, or changes some of its bytes, those of its head rather than of its numbers. */
static void damage(const char *name)
{
    FILE *bytes = fopen(name, "r+b");
    if (!bytes || fseek(bytes, 0, SEEK_END) != 0)
        exit(1);
    const long size = ftell(bytes);
    const int head = size < 4096 ? (int)size : 4096, all = size < 1 << 30 ? (int)size : 1 << 30;
    if (once_in(4) && ftruncate(fileno(bytes), any(all + 1)) != 0)
        exit(1);
    for (int n = 1 << any(6); n > 0; n--) {
        const int at = any(once_in(4) ? all : head);
        const int byte = once_in(3) ? 0xff : once_in(3) ? 0 : any(256);
        if (fseek(bytes, at, SEEK_SET) != 0 || fputc(byte, bytes) == EOF)
            exit(1);
    }
    if (fclose(bytes) != 0)
        exit(1);
}

static void make(int seed)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%d.h5", seed);
    state = (uint64_t)seed;
    const hid_t how = H5Pcreate(H5P_FILE_ACCESS), start = H5Pcreate(H5P_FILE_CREATE);
    if (once_in(2))
        (void)H5Pset_libver_bounds(how, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    if (once_in(8))
        (void)H5Pset_userblock(start, 512);
    const hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, start, how);
    if (once_in(4))
        put_dataset(file, "g");
    put_h(file, name);
    if (once_in(8))
        any_attribute(file);
    if (file < 0 || H5Fclose(file) < 0)
        exit(1);
    if (once_in(2))
        damage(name);
}

int main(int argc, char **argv)
{
    if (argc != 4 || chdir(argv[1]) != 0)
        return 2;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const int first = atoi(argv[2]), n = atoi(argv[3]); // NOLINT(cert-err34-c)
    for (int i = 0; i < n; i++) {
        const pid_t child = fork(); /* what is odd enough crashes its maker: half a file, then */
        if (child == 0) {
            make(first + i);
            _exit(0);
        }
        if (child < 0 || waitpid(child, NULL, 0) != child)
            return 1;
    }
    return 0;
}
