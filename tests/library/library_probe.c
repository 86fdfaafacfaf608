/*
 * What C programs get of the library, for arrays that another language compares with its own.
 *
 *     library_probe invert N COUNT PRECISION INVERTER BACKEND <A >X
 *     library_probe detect N_SC N_RX N_TX N_BITS N_SLOTS N0 DETECTOR BACKEND <H_AND_Y >BITS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ltesim/ltesim.h>

/* size bytes of stdin on a boundary of 64. */
static void *take(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (!memory || fread(memory, 1, size, stdin) != size)
        exit(EXIT_FAILURE);
    return memory;
}

static int number(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

static lte_status invert(char **argv)
{
    const lte_inversion_plan plan = {.n = number(argv[0]),
                                     .precision = (lte_precision)number(argv[2]),
                                     .inverter = argv[3],
                                     .backend = argv[4]};
    const size_t count = (size_t)number(argv[1]);
    const size_t size = count * (size_t)(plan.n * plan.n) * (plan.precision ? 16 : 8);
    void *a = take(size);
    uint8_t *flag = malloc(count);
    lte_inversion *inversion = NULL;
    lte_status status = flag ? lte_inversion_create(&plan, &inversion) : LTE_ENOMEM;
    if (!status)
        status = lte_inversion_run(inversion, (int)count, a, a, flag);
    if (!status && fwrite(a, 1, size, stdout) != size)
        status = LTE_EIO;
    lte_inversion_free(inversion);
    free(flag);
    free(a);
    return status;
}

static lte_status detect(char **argv)
{
    const lte_detection_plan plan = {.n_sc = number(argv[0]),
                                     .n_rx = number(argv[1]),
                                     .n_tx = number(argv[2]),
                                     .n_bits = number(argv[3]),
                                     .n_slots = number(argv[4]),
                                     .detector = argv[6],
                                     .backend = argv[7]};
    const size_t n_y = (size_t)plan.n_slots * (size_t)(plan.n_sc * plan.n_rx);
    float *h = take(n_y * (size_t)plan.n_tx * 8), *y = take(n_y * 7 * 8);
    lte_detection *detection = NULL;
    lte_status status = lte_detection_create(&plan, &detection);
    const size_t size = status ? 0 : 7 * (size_t)plan.n_slots * lte_detection_row(detection);
    uint8_t *bits = malloc(size + 1);
    if (!status)
        status = bits
                     ? lte_detection_run(detection, plan.n_slots, strtof(argv[5], NULL), h, y, bits)
                     : LTE_ENOMEM;
    if (!status && fwrite(bits, 1, size, stdout) != size)
        status = LTE_EIO;
    lte_detection_free(detection);
    free(bits);
    free(h);
    free(y);
    return status;
}

int main(int argc, char **argv)
{
    if (argc == 7 && strcmp(argv[1], "invert") == 0)
        return invert(argv + 2) ? EXIT_FAILURE : EXIT_SUCCESS;
    if (argc == 10 && strcmp(argv[1], "detect") == 0)
        return detect(argv + 2) ? EXIT_FAILURE : EXIT_SUCCESS;
    return 2;
}
