#ifndef LTE_TESTS_LIB_FUSED_SLOT_H
#define LTE_TESTS_LIB_FUSED_SLOT_H
/* The fused slot against the stages. */

#include "tests/lib/stages.h"

/* Planes to bits in one go, in two calls, are the bits of the stages. */
static void assert_fused_slot(const lte_stages *stages, const batch *decided, int detector,
                              lte_noise noise)
{
    const lte_link *link = &decided->link;
    const int middle = link->n_groups / 3;
    uint8_t *bits = poisoned(decided->bits_size, 0x5a);
    stages->slot(link, detector, noise, middle, link->n_groups, decided->h_planes,
                 decided->y_planes, bits, decided->work);
    for (int i = 0; i < middle * LTE_LANES * link->n_tx * link->n_bits / 8; i++)
        assert_int_equal(bits[i], 0x5a); /* the bytes of the other groups */
    stages->slot(link, detector, noise, 0, middle, decided->h_planes, decided->y_planes, bits,
                 decided->work);
    assert_memory_equal(bits, decided->bits, decided->bits_size);
    free(bits);
}

#endif
