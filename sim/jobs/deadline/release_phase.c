/* Listens for the machine's own ticks, and finds the phase that keeps clear of them. */
#include "sim/jobs/deadline/release_phase.h"

#include <math.h>

#include "kernels/backends/clock.h"

static const double listen_s = 50e-3, look_s = 1.5e-6; /* a look at the clock takes 0.05 us */

int lte_release_bin(const double *taken, int n_work)
{
    const int n = LTE_RELEASE_BINS, reach = LTE_RELEASE_BINS / 4;
    double least = (double)INFINITY;
    int quietest = 0;
    for (int s = 0; s < n; s++) {
        double cost = 0.0;
        for (int k = 0; k < n; k++) { /* bins behind s */
            const int behind = k - (n_work - 1), before = n - k;
            const int nearer = behind < before ? behind : before, d = nearer > 0 ? nearer : 0;
            if (d < reach)
                cost += taken[(s + k) % n] * (1.0 - (double)d / reach);
        }
        if (cost < least) {
            least = cost;
            quietest = s;
        }
    }
    return quietest;
}

double lte_release_phase(double period_us, double work_us, double *gap_s)
{
    const double bin_s = 1e-6 * period_us / LTE_RELEASE_BINS;
    const double bins = ceil(1e-6 * work_us / bin_s);
    double taken[LTE_RELEASE_BINS] = {0.0};
    double now = lte_seconds();
    const double end = now + listen_s;
    while (now < end) {
        const double last = now;
        now = lte_seconds();
        *gap_s = fmax(*gap_s, now - last);
        if (now - last < look_s)
            continue;
        const long long first = (long long)(last / bin_s), stop = (long long)(now / bin_s);
        for (long long b = first; b <= stop; b++)
            taken[b % LTE_RELEASE_BINS] +=
                fmin(now, bin_s * (double)(b + 1)) - fmax(last, bin_s * (double)b);
    }
    const int n_work = bins >= LTE_RELEASE_BINS ? LTE_RELEASE_BINS : bins > 1.0 ? (int)bins : 1;
    return 1e6 * bin_s * lte_release_bin(taken, n_work);
}
