#ifndef LTE_PHY_CODES_H
#define LTE_PHY_CODES_H
/*
 * What a function that can fail returns, and who is told why.
 *
 *     static void tell(lte_status status, const char *file, int line, const char *text)
 *     {
 *         fprintf(stderr, "cannot detect: %s\n", text);
 *     }
 *     lte_fail_handler_set(tell);
 */

/* Marks a function that programs outside call, by the library ltesim. */
#if defined(__GNUC__)
#define LTE_API __attribute__((visibility("default")))
#else
#define LTE_API
#endif

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
 * NULL restores the default. One for all threads, called in that of the failure.
 */
LTE_API lte_fail_handler lte_fail_handler_set(lte_fail_handler handler);

#ifdef __cplusplus
}
#endif

#endif
