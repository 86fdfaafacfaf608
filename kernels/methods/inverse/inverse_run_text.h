/*
 * One matrix after the other: what the texts of inverse_reference_text.h and inverse_cpu_text.h end
 * with. A matrix without a finite inverse becomes zero and is flagged. No guard: included once per
 * type after OP, the functions lu and cholesky, and NUMBER_SIZE, the bytes of an element.
 */
static void OP(run)(int method, int n, int n_matrices, const void *a, void *x, uint8_t *flag,
                    void *work)
{
    const size_t size = (size_t)n * (size_t)n * NUMBER_SIZE;
    for (int m = 0; m < n_matrices; m++) {
        const void *const from = (const char *)a + (size_t)m * size;
        void *const to = (char *)x + (size_t)m * size;
        const bool good = method == LTE_INVERSE_CHOLESKY_DELAYED
                              ? OP(cholesky)(n, from, to, work)
                              : OP(lu)(n, method == LTE_INVERSE_LU_DELAYED, from, to, work);
        flag[m] = !good;
        if (!good)
            memset(to, 0, size);
    }
}
