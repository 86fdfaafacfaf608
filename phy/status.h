#ifndef LTE_PHY_STATUS_H
#define LTE_PHY_STATUS_H
/*
 * What a function that can fail returns, and the one place where a failure is announced.
 *
 *     if (n_tx < 1)
 *         return LTE_FAIL(LTE_EINVAL, "n_tx=%d (1 to %d)", n_tx, LTE_MAX_TX);
 *
 * A failure is announced where it is found and only passed on above; only main turns it into an
 * exit code.
 */

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LTE_OK = 0,
    LTE_EINVAL, /* an argument or a file that the user can mend */
    LTE_ENOMEM, /* no memory */
    LTE_EIO,    /* a file or folder could not be read or written */
    LTE_EDEVICE /* a backend, device or library that is not usable here */
} lte_status;

/* Receives the text of a failure; file and line are where it was found. */
typedef void (*lte_fail_handler)(lte_status status, const char *file, int line, const char *text);

/*
 * Replaces the handler (the default writes "ltesim: text" to stderr) and returns the one before;
 * NULL restores the default.
 */
lte_fail_handler lte_fail_handler_set(lte_fail_handler handler);

/* Announces a failure through the handler and returns status. Use it through LTE_FAIL. */
lte_status lte_fail(lte_status status, const char *file, int line, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

#define LTE_FAIL(status, ...) lte_fail(status, __FILE__, __LINE__, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
