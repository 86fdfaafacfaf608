/* Eigen's inverses, compiled once per instruction set, which the build gives BENCH_EIGEN's name. */
#include "tests/bench/peers.h"

#include <Eigen/LU>

namespace
{

template <int n> void invert(int count, const bench_cf32 *a, bench_cf32 *x)
{
    typedef Eigen::Matrix<bench_cf32, n, n> matrix;
    static_assert(sizeof(matrix) == sizeof(bench_cf32) * n * n, "matrices without gaps");
    const matrix *in = reinterpret_cast<const matrix *>(a);
    matrix *out = reinterpret_cast<matrix *>(x);
    for (int i = 0; i < count; i++)
        out[i] = in[i].inverse();
}

typedef void invert_fn(int count, const bench_cf32 *a, bench_cf32 *x);
invert_fn *const by_order[] = {invert<1>, invert<2>, invert<3>, invert<4>,
                               invert<5>, invert<6>, invert<7>, invert<8>};

} // namespace

void BENCH_EIGEN(int n, int count, bench_cf32 *a, bench_cf32 *x, uint8_t *flag)
{
    by_order[n - 1](count, a, x);
    for (int i = 0; i < count; i++)
        flag[i] = 0;
}
