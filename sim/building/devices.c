/*
 * Prints the compute capability of every NVIDIA device that answers, as in 90: one a line, lowest
 * first, each once. It asks the driver's library alone, as it is found in containers, in WSL and on
 * Jetson; the driver obeys CUDA_VISIBLE_DEVICES.
 *
 * Exit 0 with nothing where there is no driver; 3 with a reason on stderr where there is one but no
 * device that ltesim can use. Called by machine.sh; no part of the program.
 */
#include <dlfcn.h>
#include <stdio.h>

enum {
    EXIT_NONE = 3,
    LEAST = 80, /* compute capability 8.0 */
    MOST = 1000,
    MAJOR = 75, /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR */
    MINOR = 76
};

/* The calls of the driver that are needed, as cuda.h declares them. */
typedef struct {
    int (*init)(unsigned flags);
    int (*get_count)(int *n);
    int (*get)(int *device, int ordinal);
    int (*get_attribute)(int *value, int attribute, int device);
    int (*get_text)(int error, const char **text);
} driver;

/* ISO C has no conversion from an object pointer to a function pointer, POSIX has. */
static void find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
}

static int fail(const driver *d, const char *call, int error)
{
    const char *text = NULL;
    if (d->get_text && d->get_text(error, &text) == 0 && text)
        (void)fprintf(stderr, "%s: %s\n", call, text);
    else
        (void)fprintf(stderr, "%s: error %d\n", call, error);
    return EXIT_NONE;
}

/* The capability of a device, 0 if it does not tell. */
static int capability(const driver *d, int ordinal)
{
    int device = 0, major = 0, minor = 0;
    if (d->get(&device, ordinal) != 0 || d->get_attribute(&major, MAJOR, device) != 0 ||
        d->get_attribute(&minor, MINOR, device) != 0)
        return 0;
    return 10 * major + minor;
}

static int print(const driver *d, int n)
{
    int code = EXIT_NONE, highest = 0;
    static int there[MOST]; /* devices of each capability */
    for (int i = 0; i < n; i++) {
        const int c = capability(d, i);
        if (c > 0 && c < MOST)
            there[c]++;
    }
    for (int c = 0; c < MOST; c++) {
        highest = there[c] ? c : highest;
        if (c >= LEAST && there[c]) {
            (void)printf("%d\n", c);
            code = 0;
        }
    }
    if (n == 0)
        (void)fprintf(stderr, "the driver reports no device\n");
    else if (highest == 0)
        (void)fprintf(stderr, "no device reports its compute capability\n");
    else if (code)
        (void)fprintf(stderr, "compute capability %d.%d, but 8.0 or later is needed\n",
                      highest / 10, highest % 10);
    return code;
}

int main(void)
{
    driver d = {0};
    int n = 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        library = dlopen("/usr/lib/wsl/lib/libcuda.so.1", RTLD_NOW);
    if (!library)
        return 0;
    find(library, "cuInit", &d.init);
    find(library, "cuDeviceGetCount", &d.get_count);
    find(library, "cuDeviceGet", &d.get);
    find(library, "cuDeviceGetAttribute", &d.get_attribute);
    find(library, "cuGetErrorString", &d.get_text);
    if (!d.init || !d.get_count || !d.get || !d.get_attribute) {
        (void)fprintf(stderr, "libcuda.so.1 lacks functions of the driver\n");
        return EXIT_NONE;
    }
    int error = d.init(0);
    if (error)
        return fail(&d, "cuInit", error);
    error = d.get_count(&n);
    if (error)
        return fail(&d, "cuDeviceGetCount", error);
    return print(&d, n);
}
