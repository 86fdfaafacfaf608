/*
 * Inverts a batch of small matrices of one's own with the fastest code that this processor runs, or
 * on the backend that is named, and prints the worst residual. One matrix is singular: it is
 * flagged, and the others go on.
 *
 *     cc -O2 invert_batch.c $(pkg-config --cflags --libs ltesim) -lm -o invert_batch
 *     ./invert_batch cuda
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ltesim/ltesim.h>

enum { N = 4, COUNT = 1003, SINGULAR = 7 };

static float complex a[COUNT][N][N], x[COUNT][N][N];
static uint8_t flag[COUNT];

/* Uniform in -1/2 .. 1/2. */
static float draw(void)
{
    return (float)rand() / (float)RAND_MAX - 0.5f;
}

/* A = H'H + 0.04 I of a drawn H. */
static void fill(float complex matrix[N][N])
{
    float complex h[N][N];
    for (int e = 0; e < N * N; e++)
        h[e / N][e % N] = draw() + draw() * I;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            matrix[i][j] = i == j ? 0.04f : 0.0f;
            for (int k = 0; k < N; k++)
                matrix[i][j] += conjf(h[k][i]) * h[k][j];
        }
    }
}

/* The largest element of A X - I. */
static double residual(float complex m[N][N], float complex inverse[N][N])
{
    double worst = 0.0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double complex sum = i == j ? -1.0 : 0.0;
            for (int k = 0; k < N; k++)
                sum += (double complex)m[i][k] * (double complex)inverse[k][j];
            worst = cabs(sum) <= worst ? worst : cabs(sum); /* NaN is the worst */
        }
    }
    return worst;
}

int main(int argc, char **argv)
{
    const lte_inversion_plan plan = {
        .n = N, .inverter = "ldl", .backend = argc > 1 ? argv[1] : "cpu"};
    lte_inversion *inversion = NULL;
    int n_flagged = 0;
    double worst = 0.0;
    for (int i = 0; i < COUNT; i++) {
        if (i != SINGULAR)
            fill(a[i]);
    }
    if (lte_inversion_create(&plan, &inversion) || lte_inversion_run(inversion, COUNT, a, x, flag))
        return EXIT_FAILURE;
    lte_inversion_free(inversion);
    for (int i = 0; i < COUNT; i++) {
        n_flagged += flag[i];
        if (!flag[i] && !(residual(a[i], x[i]) <= worst))
            worst = residual(a[i], x[i]);
    }
    printf("%d matrices of order %d: flagged %d, residual at most %.1e\n", COUNT, N, n_flagged,
           worst);
    return EXIT_SUCCESS;
}
