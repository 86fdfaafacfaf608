/* LAPACK's inverses, one matrix after the other. */
#include "tests/bench/peers/peers.h"

#ifdef BENCH_HAVE_LAPACK

/* NOLINTBEGIN(readability-identifier-naming): names of Fortran */
void cgetrf_(const int *m, const int *n, lte_cf32 *a, const int *lda, int *pivot, int *info);
void cgetri_(const int *n, lte_cf32 *a, const int *lda, const int *pivot, lte_cf32 *work,
             const int *n_work, int *info);
void cpotrf_(const char *uplo, const int *n, lte_cf32 *a, const int *lda, int *info);
void cpotri_(const char *uplo, const int *n, lte_cf32 *a, const int *lda, int *info);
/* NOLINTEND(readability-identifier-naming) */

/* Only OpenBLAS has these. */
void openblas_set_num_threads(int n) __attribute__((weak));
char *openblas_get_config(void) __attribute__((weak));

const char *bench_lapack_open(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    return openblas_get_config ? openblas_get_config() : "LAPACK";
}

void bench_lapack_invert(int n, int count, lte_cf32 *a, lte_cf32 *x, uint8_t *flag)
{
    enum { N_WORK = 8 * 64 };
    lte_cf32 work[N_WORK];
    const int n_work = N_WORK;
    (void)x;
    for (int i = 0; i < count; i++) {
        lte_cf32 *matrix = &a[(ptrdiff_t)i * n * n];
        int pivot[8], info;
        cgetrf_(&n, &n, matrix, &n, pivot, &info);
        if (info == 0)
            cgetri_(&n, matrix, &n, pivot, work, &n_work, &info);
        flag[i] = info != 0;
    }
}

void bench_lapack_invert_large(int n, int count, bool hermitian, lte_cf32 *a, lte_cf32 *x)
{
    enum { LARGEST = 256, N_WORK = 64 * LARGEST };
    static lte_cf32 work[N_WORK];
    const int n_work = N_WORK;
    (void)x;
    for (int i = 0; i < count; i++) {
        lte_cf32 *matrix = &a[(ptrdiff_t)i * n * n];
        int pivot[LARGEST], info;
        if (hermitian) {
            cpotrf_("L", &n, matrix, &n, &info);
            cpotri_("L", &n, matrix, &n, &info);
        } else {
            cgetrf_(&n, &n, matrix, &n, pivot, &info);
            cgetri_(&n, matrix, &n, pivot, work, &n_work, &info);
        }
    }
}

#else

const char *bench_lapack_open(void)
{
    return "LAPACK";
}

#endif
