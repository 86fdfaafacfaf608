/* MKL's compact routines: many matrices at once, a matrix in each lane; opened at run time. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/peers/peers.h"

enum { COLUMN_MAJOR = 102, MOST = 4096, WORK = 1 << 16 };

/* Functions of MKL with 32-bit integers, as mkl_compact.h has them; a format is an enumeration. */
static struct {
    int (*format)(void);
    int (*size)(int ld, int columns, int format, int count);
    void (*pack)(int layout, int rows, int columns, const lte_cf32 *const *a, int lda,
                 float *packed, int ld, int format, int count);
    void (*unpack)(int layout, int rows, int columns, lte_cf32 *const *a, int lda,
                   const float *packed, int ld, int format, int count);
    void (*factor)(int layout, int rows, int columns, float *packed, int ld, int *info, int format,
                   int count);
    void (*invert)(int layout, int n, float *packed, int ld, float *work, int n_work, int *info,
                   int format, int count);
    void (*version)(char *text, int size);
} mkl;

const char *bench_mkl_open(void)
{
    static const char *const files[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"};
    static char text[200];
    void *library = NULL;
    if (mkl.format)
        return text;
    (void)setenv("MKL_THREADING_LAYER", "SEQUENTIAL", 0);
    (void)setenv("MKL_INTERFACE_LAYER", "LP64", 0);
    for (size_t i = 0; i < sizeof files / sizeof *files && !library; i++)
        library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return NULL;
    const struct {
        const char *name;
        void **function;
    } wanted[] = {{"mkl_cget_size_compact", (void **)&mkl.size},
                  {"mkl_cgepack_compact", (void **)&mkl.pack},
                  {"mkl_cgeunpack_compact", (void **)&mkl.unpack},
                  {"mkl_cgetrfnp_compact", (void **)&mkl.factor},
                  {"mkl_cgetrinp_compact", (void **)&mkl.invert},
                  {"mkl_get_version_string", (void **)&mkl.version},
                  {"mkl_get_format_compact", (void **)&mkl.format}}; /* last: all are there */
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        *wanted[i].function = dlsym(library, wanted[i].name);
        if (!*wanted[i].function)
            return NULL;
    }
    mkl.version(text, (int)sizeof text - 1);
    for (size_t n = sizeof text - 1; n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\0'); n--)
        text[n - 1] = '\0';
    return text;
}

/* The addresses of matrices that lie one after the other. */
static void list(int n, int count, lte_cf32 *native, lte_cf32 **address)
{
    for (int i = 0; i < count; i++)
        address[i] = &native[(ptrdiff_t)i * n * n];
}

bool bench_mkl_pack(int n, int count, const lte_cf32 *native, float *packed, size_t bytes)
{
    static lte_cf32 *address[MOST];
    const int format = mkl.format();
    if (count > MOST || (size_t)mkl.size(n, n, format, count) > bytes)
        return false;
    list(n, count, (lte_cf32 *)(uintptr_t)native, address);
    mkl.pack(COLUMN_MAJOR, n, n, (const lte_cf32 *const *)address, n, packed, n, format, count);
    return true;
}

void bench_mkl_unpack(int n, int count, const float *packed, lte_cf32 *native)
{
    static lte_cf32 *address[MOST];
    if (count > MOST)
        return;
    list(n, count, native, address);
    mkl.unpack(COLUMN_MAJOR, n, n, address, n, packed, n, mkl.format(), count);
}

void bench_mkl_invert(int n, int count, float *packed, uint8_t *flag)
{
    static float work[WORK];
    static int info[MOST];
    const int format = mkl.format();
    if (count > MOST)
        return;
    mkl.factor(COLUMN_MAJOR, n, n, packed, n, info, format, count);
    flag[0] = info[0] != 0;
    mkl.invert(COLUMN_MAJOR, n, packed, n, work, WORK, info, format, count);
    flag[0] |= info[0] != 0;
}
