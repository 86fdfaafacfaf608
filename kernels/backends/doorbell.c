/* The host's side of the doorbell: one or two threads that ring and wait for the answer. */
#include "kernels/backends/doorbell.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/clock.h"

enum { POLLS = 1 << 16 }; /* looks at the doorbell between two at the kernel's health */
enum { NUMBERS = 60000 }; /* before they begin again; never that of LTE_DOORBELL_QUIT */

struct lte_doorbell_client {
    lte_doorbell *doorbell;
    int n_blocks;
    /* what both threads are to do; number 0 while it is written */
    _Atomic uint64_t number, before, word;
    _Atomic double release_s;
    uint64_t n_notified;
    /* what the second has seen: the answer to number `answered`, at answered_s */
    _Atomic uint64_t answered;
    _Atomic double answered_s;
    atomic_bool leave;
    bool has_second;
    pthread_t second;
};

/* Whoever comes second, however late, finds another word than `before` and leaves it. */
static void notify_at_release(lte_doorbell *doorbell, uint64_t before, uint64_t word,
                              double release_s, double *gap_s)
{
    lte_wait_until(release_s, gap_s);
    (void)__atomic_compare_exchange_n(&doorbell->word, &before, word, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST);
}

/* True once all blocks have answered with the word's number; *n have, as far as is known. */
static bool is_answered(const lte_doorbell_client *r, uint64_t word, int *n)
{
    while (*n < r->n_blocks && r->doorbell->done[*n] == LTE_DOORBELL_NUMBER(word))
        ++*n;
    return *n == r->n_blocks;
}

static void *second_main(void *user)
{
    lte_doorbell_client *r = user;
    uint64_t last = 0;
    double gap_s = 0.0; /* nobody asks for it */
    while (!r->leave) {
        const uint64_t number = r->number, before = r->before, word = r->word;
        const double release_s = r->release_s;
        if (number == last || number == 0 ||
            r->number != number) /* nothing new, or not all of it */
            continue;
        last = number;
        notify_at_release(r->doorbell, before, word, release_s, &gap_s);
        int n = 0;
        while (!is_answered(r, word, &n) && r->number == number && !r->leave)
            continue;
        if (n == r->n_blocks) {
            r->answered_s = lte_seconds();
            r->answered = number;
        }
    }
    return NULL;
}

lte_status lte_doorbell_client_create(lte_doorbell *doorbell, int n_blocks, int n_threads,
                                      lte_doorbell_client **client)
{
    *client = NULL;
    lte_doorbell_client *r = calloc(1, sizeof *r);
    if (!r)
        return LTE_FAIL(LTE_ENOMEM, "no memory for a client");
    memset((void *)doorbell, 0, sizeof *doorbell);
    r->doorbell = doorbell;
    r->n_blocks = n_blocks;
    r->has_second = n_threads > 1 && pthread_create(&r->second, NULL, second_main, r) == 0;
    *client = r;
    return LTE_OK;
}

lte_status lte_doorbell_client_notify(lte_doorbell_client *r, uint64_t first, double release_s,
                                      lte_status (*alive)(void *user), void *user,
                                      double *completed_s, double *gap_s)
{
    lte_doorbell *doorbell = r->doorbell;
    const uint64_t number = ++r->n_notified, before = doorbell->word;
    const uint64_t word = (number % NUMBERS + 1) << 48 | (first & LTE_DOORBELL_SLOT);
    r->number = 0;
    r->before = before;
    r->word = word;
    r->release_s = release_s;
    r->number = number;
    notify_at_release(doorbell, before, word, release_s, gap_s);
    int n = 0;
    for (unsigned polls = 1; !is_answered(r, word, &n); polls++) {
        const lte_status status = polls % POLLS == 0 ? alive(user) : LTE_OK;
        if (status && !is_answered(r, word, &n))
            return status;
    }
    *completed_s = lte_seconds();
    atomic_thread_fence(memory_order_acquire); /* what the kernel wrote is read after this */
    if (r->answered == number && r->answered_s < *completed_s)
        *completed_s = r->answered_s;
    return LTE_OK;
}

void lte_doorbell_client_quit(lte_doorbell_client *r)
{
    if (!r)
        return;
    r->leave = true;
    if (r->has_second)
        (void)pthread_join(r->second, NULL);
    r->doorbell->word = LTE_DOORBELL_QUIT;
    free(r);
}
