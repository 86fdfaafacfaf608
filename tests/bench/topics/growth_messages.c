/* Messages of the sizes that sim/ranks has, between two ranks. */
#include "tests/bench/topics/growth_messages.h"

#ifdef BENCH_HAVE_MPI
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kernels/backends/clock.h"

enum { ORDER_BYTES = 104, ANSWER_BYTES = 16, RECORD_BYTES = 4096 };
enum { TAG_ORDER = 1, TAG_ANSWER, TAG_RECORDS };

static unsigned char order[ORDER_BYTES], answer[ANSWER_BYTES], records[RECORD_BYTES];

/* The other rank: n orders, each with its answer. */
static bool serve(int n)
{
    bool good = true;
    for (int i = 0; i < n && good; i++)
        good = !MPI_Recv(order, ORDER_BYTES, MPI_BYTE, 0, TAG_ORDER, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE) &&
               !MPI_Send(answer, ANSWER_BYTES, MPI_BYTE, 0, TAG_ANSWER, MPI_COMM_WORLD) &&
               !MPI_Send(records, RECORD_BYTES, MPI_BYTE, 0, TAG_RECORDS, MPI_COMM_WORLD);
    return good;
}

/* Adds what an order takes: posting it, the look that finds its answer; and looks before that. */
static bool one_order(bench_message_costs *sums, int *n_looks)
{
    MPI_Request request[3];
    int done = 0;
    double last = 0.0, now = lte_seconds();
    const double start = now;
    bool good =
        !MPI_Irecv(answer, ANSWER_BYTES, MPI_BYTE, 1, TAG_ANSWER, MPI_COMM_WORLD, &request[0]) &&
        !MPI_Irecv(records, RECORD_BYTES, MPI_BYTE, 1, TAG_RECORDS, MPI_COMM_WORLD, &request[1]) &&
        !MPI_Isend(order, ORDER_BYTES, MPI_BYTE, 1, TAG_ORDER, MPI_COMM_WORLD, &request[2]);
    sums->order_s += (now = lte_seconds()) - start;
    while (good && !done) {
        good = !MPI_Testall(3, request, &done, MPI_STATUSES_IGNORE);
        last = lte_seconds() - now;
        now += last;
        sums->look_s += done ? 0.0 : last;
        *n_looks += !done;
    }
    sums->order_s += last;
    return good;
}

static bool measure(int n, bench_message_costs *costs)
{
    bool good = true;
    int n_looks = 0;
    bench_message_costs sums = {0.0, 0.0};
    for (int i = 0; i < 2 * n && good; i++) {
        if (i == n) { /* the first half is for the library to come round */
            sums = (bench_message_costs){0.0, 0.0};
            n_looks = 0;
        }
        good = one_order(&sums, &n_looks);
    }
    costs->order_s = sums.order_s / n;
    costs->look_s = n_looks > 0 ? sums.look_s / n_looks : 0.0;
    return good;
}

lte_status bench_message_costs_of(int n, bench_message_costs *costs)
{
    int rank = 0, size = 1;
    *costs = (bench_message_costs){0.0, 0.0};
    bool good = !MPI_Init(NULL, NULL) && !MPI_Comm_rank(MPI_COMM_WORLD, &rank) &&
                !MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (good && size > 1)
        good = rank == 0 ? measure(n, costs) : rank > 1 || serve(2 * n);
    good = !MPI_Finalize() && good;
    if (rank > 0)
        exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
    return good ? LTE_OK : LTE_FAIL(LTE_EDEVICE, "MPI: messages between two ranks fail");
}
#else
lte_status bench_message_costs_of(int n, bench_message_costs *costs)
{
    (void)n;
    *costs = (bench_message_costs){0.0, 0.0};
    return LTE_OK;
}
#endif
