/*
 * Eigen's inverses, compiled once per instruction set, which the build gives the names of
 * BENCH_EIGEN and BENCH_EIGEN_LARGE.
 */
#include "tests/bench/peers/peers.h"

#include <Eigen/Cholesky>
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

/* The factors' memory is taken once, ahead of the matrices. */
void BENCH_EIGEN_LARGE(int n, int count, bool hermitian, bench_cf32 *a, bench_cf32 *x)
{
    typedef Eigen::Matrix<bench_cf32, Eigen::Dynamic, Eigen::Dynamic> matrix;
    const matrix identity = matrix::Identity(n, n);
    Eigen::LLT<matrix> llt(n);
    Eigen::PartialPivLU<matrix> lu(n);
    for (int i = 0; i < count; i++) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * n * n;
        const Eigen::Map<const matrix> in(a + at, n, n);
        Eigen::Map<matrix> out(x + at, n, n);
        if (hermitian)
            out = llt.compute(in).solve(identity);
        else
            out = lu.compute(in).inverse();
    }
}
