/* cuBLAS and cuSOLVER, found and opened at run time. */
#include "tests/bench/peers/gpu_libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/gpu_device.h"

/* Where the loader looks, then the toolkit that this was built with. */
static void *open_first(const char *const *names)
{
    char path[512];
    void *file = NULL;
    for (int i = 0; names[i] && !file; i++) {
        file = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!file) {
            (void)snprintf(path, sizeof path, "%s/%s", BENCH_CUDA_FOLDER, names[i]);
            file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    }
    return file;
}

/* Functions come as data pointers; POSIX lets them be copied. */
static bool find(void *file, const char *name, void *function, size_t size)
{
    void *found = dlsym(file, name);
    memcpy(function, &found, size);
    return found != NULL;
}

static bool find_cublas(bench_libraries *l)
{
    bool all = true;
#define FIND(member, function)                                                                     \
    all = find(l->cublas_file, #function, &l->member, sizeof l->member) && all;
    BENCH_CUBLAS(FIND)
#undef FIND
    return all;
}

static bool find_cusolver(bench_libraries *l)
{
    bool all = true;
#define FIND(member, function)                                                                     \
    all = find(l->cusolver_file, #function, &l->member, sizeof l->member) && all;
    BENCH_CUSOLVER(FIND)
#undef FIND
    return all;
}

lte_status bench_libraries_open(cudaStream_t stream, bench_libraries **libraries)
{
    static const char *const cublas[] = {"libcublas.so.13", "libcublas.so.12", NULL};
    static const char *const cusolver[] = {"libcusolver.so.12", "libcusolver.so.11", NULL};
    bench_libraries *l = *libraries = calloc(1, sizeof *l);
    if (!l)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the libraries");
    l->cublas_file = open_first(cublas);
    if (!l->cublas_file || !find_cublas(l))
        return LTE_OK;
    if (l->create(&l->cublas) != CUBLAS_STATUS_SUCCESS)
        l->cublas = NULL;
    else if (l->set_stream(l->cublas, stream) != CUBLAS_STATUS_SUCCESS) {
        (void)l->destroy(l->cublas);
        l->cublas = NULL;
    }
    l->cusolver_file = l->cublas ? open_first(cusolver) : NULL;
    if (!l->cusolver_file || !find_cusolver(l))
        return LTE_OK;
    if (l->solver_create(&l->cusolver) != CUSOLVER_STATUS_SUCCESS)
        l->cusolver = NULL;
    else if (l->solver_set_stream(l->cusolver, stream) != CUSOLVER_STATUS_SUCCESS) {
        (void)l->solver_destroy(l->cusolver);
        l->cusolver = NULL;
    }
    return LTE_OK;
}

/* The files stay open: CUDA libraries do not like to be closed before the program ends. */
void bench_libraries_close(bench_libraries *l)
{
    if (!l)
        return;
    if (l->cusolver)
        (void)l->solver_destroy(l->cusolver);
    if (l->cublas)
        (void)l->destroy(l->cublas);
    free(l);
}

void bench_libraries_text(const bench_libraries *l, char *text, size_t size)
{
    int v[3] = {0}, s[3] = {0}; /* major, minor, patch; zero where a library does not say */
    for (int i = 0; i < 3; i++) {
        const libraryPropertyType part = (libraryPropertyType)(MAJOR_VERSION + i);
        if (l && l->cublas && l->property(part, &v[i]) != CUBLAS_STATUS_SUCCESS)
            v[i] = 0;
        if (l && l->cusolver && l->solver_property(part, &s[i]) != CUSOLVER_STATUS_SUCCESS)
            s[i] = 0;
    }
    if (!l || !l->cublas)
        (void)snprintf(text, size, "none");
    else if (!l->cusolver)
        (void)snprintf(text, size, "cuBLAS %d.%d.%d", v[0], v[1], v[2]);
    else
        (void)snprintf(text, size, "cuBLAS %d.%d.%d, cuSOLVER %d.%d.%d", v[0], v[1], v[2], s[0],
                       s[1], s[2]);
}
