/* The handlers of signals. */
#include "sim/jobs/workers/stop.h"

#include <string.h>

volatile sig_atomic_t lte_stop_signal = 0;

static void stop(int number)
{
    lte_stop_signal = number;
}

void lte_signals_catch(void)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    action.sa_flags = (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 &&
        before.sa_handler != SIG_IGN) /* nohup ignores it */
        (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN; /* a reader that went away must not cost the result files */
    (void)sigaction(SIGPIPE, &action, NULL);
    (void)sigaction(SIGXFSZ, &action, NULL); /* nor a limit on their size the reason */
}
