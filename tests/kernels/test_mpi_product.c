/* A product by four MPI processes: each has a quarter, and the bits of the plain one. */
#include <mpi.h>

#include "tests/lib/products.h"

enum { PROCESSES = 4 };

static void every_process_has_its_part(void **state)
{
    (void)state;
    operands o;
    lte_threads threads;
    operands_init(&o, &(problem){COMPLEX, BLOCKS, HALVES, ROWS, 1, 32, 48, 40});
    operands_expect(&o);
    operands_poison(&o);
    assert_int_equal(lte_threads_parse(&threads, "mpi [2][2]"), LTE_OK);
    assert_int_equal(lte_product_on(&threads, &o.p, o.a, o.b, o.c), LTE_OK);
    int rank = 0, n_written = 0, n_all = 0;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    uint64_t poison;
    memset(&poison, 0xa5, sizeof poison);
    const uint64_t *const c = o.c, *const expected = o.expected;
    for (int i = 0; i < 32; i++) {
        for (int j = 0; j < 48; j++) {
            const bool mine = i % 2 == rank / 2 && j % 2 == rank % 2;
            const uint64_t should = mine ? expected[i * 48 + j] : poison;
            assert_memory_equal(&c[i * 48 + j], &should, sizeof should);
            n_written += mine;
        }
    }
    assert_int_equal(MPI_Allreduce(&n_written, &n_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
                     MPI_SUCCESS);
    assert_int_equal(n_all, 32 * 48);
    operands_fini(&o);
}

static void count_tid(const lte_threads *threads, int64_t tid, void *with)
{
    (void)threads;
    *(int64_t *)with += tid;
}

static void another_number_of_processes_is_refused(void **state)
{
    (void)state;
    lte_threads threads;
    int64_t sum = 0;
    assert_int_equal(lte_threads_parse(&threads, "mpi [%d]", PROCESSES + 1), LTE_OK);
    lte_fail_handler handler = expect_failures();
    assert_int_equal(lte_detour(&threads, count_tid, &sum), LTE_EINVAL);
    (void)lte_fail_handler_set(handler);
    assert_int_equal(sum, 0);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(mpi_product, every_process_has_its_part),
        LTE_CASE(mpi_product, another_number_of_processes_is_refused),
    };
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    const int failed = cmocka_run_group_tests_name("mpi_product", cases, NULL, NULL);
    return MPI_Finalize() != MPI_SUCCESS || failed;
}
