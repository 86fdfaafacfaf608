/*
 * The doorbell of a persistent kernel, with a thread in the kernel's place, on a clock of this test
 * that goes on by 0.1 us at every look and can hold a thread up.
 */
#include "tests/lib/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "kernels/backends/doorbell.h"
#include "kernels/backends/clock.h"

enum { NOBODY, MAIN, SECOND, AWAY_NS = 1000000, RINGS = 100, BLOCKS = 3 };

static _Atomic int64_t now_ns;
static pthread_t main_thread;
static atomic_int held; /* who stays in the clock, until somebody else has been answered */
static _Atomic uint64_t held_until;
static atomic_bool second_saw; /* the answer that held_until stands for */

static struct {
    lte_doorbell doorbell;
    _Atomic uint64_t n, slots[RINGS];
    atomic_bool dead;
} kernel;

/* Goes before the system's. */
int clock_gettime(clockid_t id, struct timespec *t)
{
    const int who = pthread_equal(pthread_self(), main_thread) ? MAIN : SECOND;
    int64_t now = atomic_fetch_add(&now_ns, 100) + 100;
    (void)id;
    if (who == SECOND && kernel.n >= held_until)
        second_saw = true;
    if (held == who && now >= 1000000000) {
        while (kernel.n < held_until || (who == MAIN && !second_saw))
            (void)sched_yield();
        for (int i = 0; i < 1000; i++) /* time for the second to say when that was */
            (void)sched_yield();
        held = NOBODY;
        now = atomic_fetch_add(&now_ns, AWAY_NS) + AWAY_NS;
    }
    t->tv_sec = now / 1000000000;
    t->tv_nsec = now % 1000000000;
    return 0;
}

static void *kernel_main(void *user)
{
    uint64_t last = 0;
    (void)user;
    for (;;) {
        const uint64_t word = kernel.doorbell.word;
        if (word == LTE_DOORBELL_QUIT)
            return NULL;
        if (word == last || kernel.dead) {
            (void)sched_yield();
            continue;
        }
        last = word;
        if (kernel.n < RINGS)
            kernel.slots[kernel.n] = word & LTE_DOORBELL_SLOT;
        for (int i = BLOCKS - 1; i >= 0; i--) { /* n goes on as the last of them answers */
            kernel.n += i == 0;
            kernel.doorbell.done[i] = LTE_DOORBELL_NUMBER(word);
        }
    }
}

static lte_status says_it_lives(void *user)
{
    ++*(int *)user;
    (void)sched_yield();
    return LTE_OK;
}

static lte_status says_it_died(void *user)
{
    (void)user;
    return LTE_EDEVICE;
}

static lte_doorbell_client *client_of(int n_threads, pthread_t *thread)
{
    lte_doorbell_client *client = NULL;
    held = NOBODY; /* where a failed test has left somebody */
    kernel.n = 0;
    kernel.dead = false;
    kernel.doorbell.word = kernel.doorbell.done[0] = kernel.doorbell.done[2] =
        77; /* of an earlier one */
    assert_int_equal(lte_doorbell_client_create(&kernel.doorbell, BLOCKS, n_threads, &client),
                     LTE_OK);
    assert_int_equal(kernel.doorbell.word, 0);
    assert_int_equal(kernel.doorbell.done[0] + kernel.doorbell.done[2], 0);
    assert_int_equal(pthread_create(thread, NULL, kernel_main, NULL), 0);
    return client;
}

static void every_ring_is_answered_once(void **state)
{
    (void)state;
    for (int n_threads = 1; n_threads <= 2; n_threads++) {
        pthread_t thread;
        lte_doorbell_client *client = client_of(n_threads, &thread);
        int asked = 0;
        for (uint64_t k = 0; k < RINGS; k++) {
            /* the same slot again is another ring; some releases are past */
            const double release_s = lte_seconds() + (k % 3 == 0 ? -1e-6 : 2e-6);
            double completed_s = 0.0, gap_s = 0.0;
            assert_int_equal(lte_doorbell_client_notify(client, k / 2, release_s, says_it_lives,
                                                        &asked, &completed_s, &gap_s),
                             LTE_OK);
            assert_true(completed_s > release_s && completed_s <= lte_seconds());
            assert_int_equal(kernel.n, k + 1);
        }
        lte_doorbell_client_quit(client);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_int_equal(kernel.n, RINGS);
        for (uint64_t k = 0; k < RINGS; k++)
            assert_int_equal(kernel.slots[k], k / 2);
    }
}

/* The thread that is held comes back a millisecond late, when others have rung for it. */
static void a_thread_that_is_held_up_costs_nothing(void **state)
{
    (void)state;
    for (int who = MAIN; who <= SECOND; who++) {
        for (uint64_t missed = 1; missed <= (who == MAIN ? 1 : 3); missed++) {
            pthread_t thread;
            lte_doorbell_client *client = client_of(2, &thread);
            int asked = 0, in_time = 0;
            for (uint64_t k = 0; k < RINGS / 4; k++) {
                double completed_s = 0.0, gap_s = 0.0;
                if (k % 8 == 1 && held == NOBODY) {
                    held_until = kernel.n + missed;
                    second_saw = false;
                    held = who;
                }
                const double release_s = (double)now_ns * 1e-9 + 2e-6;
                assert_int_equal(lte_doorbell_client_notify(client, k, release_s, says_it_lives,
                                                            &asked, &completed_s, &gap_s),
                                 LTE_OK);
                assert_false(who == MAIN && held == MAIN);
                in_time += k % 8 == 1 && completed_s < (double)now_ns * 1e-9 - 0.9e-9 * AWAY_NS;
                assert_int_equal(kernel.n, k + 1);
            }
            lte_doorbell_client_quit(client);
            assert_int_equal(pthread_join(thread, NULL), 0);
            assert_int_equal(kernel.n, RINGS / 4);
            assert_true(who == SECOND || in_time > 0);
        }
    }
}

static void a_dead_kernel_is_not_waited_for(void **state)
{
    (void)state;
    for (int n_threads = 1; n_threads <= 2; n_threads++) {
        pthread_t thread;
        lte_doorbell_client *client = client_of(n_threads, &thread);
        double completed_s = -1.0, gap_s = 0.0;
        kernel.dead = true;
        assert_int_equal(
            lte_doorbell_client_notify(client, 5, 0.0, says_it_died, NULL, &completed_s, &gap_s),
            LTE_EDEVICE);
        assert_true(completed_s == -1.0);
        lte_doorbell_client_quit(client);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    lte_doorbell_client_quit(NULL);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(doorbell, every_ring_is_answered_once),
    LTE_CASE(doorbell, a_thread_that_is_held_up_costs_nothing),
    LTE_CASE(doorbell, a_dead_kernel_is_not_waited_for),
};

int main(void)
{
    main_thread = pthread_self();
    now_ns = 1000000000;
    return cmocka_run_group_tests_name("doorbell", cases, NULL, NULL);
}
