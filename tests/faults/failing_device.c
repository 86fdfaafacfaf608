/*
 * CUDA's runtime with calls that fail, beneath ltesim_faulty (ld --wrap); the protocol is that of
 * failing_host.c:
 *
 *     LTE_FAULT=KIND:N     the N-th call of a kind fails, that one alone; N+: and all that follow
 *     LTE_FAULT_LOG=FILE   gets the number of calls of the kind at the end
 *
 *     device_memory   cudaMalloc, cudaHostAlloc
 *     copy            cudaMemcpyAsync, cudaMemsetAsync
 *     launch          cudaGetLastError, which is asked after every launch
 *     wait            cudaStreamSynchronize
 */
#include <cuda_runtime_api.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY, COPY, LAUNCH, WAIT, N_KINDS };

static const struct {
    const char *name;
    cudaError_t error;
} kinds[N_KINDS] = {{"device_memory", cudaErrorMemoryAllocation},
                    {"copy", cudaErrorInvalidValue},
                    {"launch", cudaErrorLaunchOutOfResources},
                    {"wait", cudaErrorUnknown}};

static atomic_long calls;

/* Writes how many calls there were. */
__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("LTE_FAULT_LOG");
    FILE *log = path ? fopen(path, "w") : NULL;
    if (log) {
        (void)fprintf(log, "%ld\n", atomic_load(&calls));
        (void)fclose(log);
    }
}

/* Counts a call; true if it fails. */
static bool fails(int kind)
{
    const char *text = getenv("LTE_FAULT");
    const size_t n = strlen(kinds[kind].name);
    if (!text || strncmp(text, kinds[kind].name, n) != 0 || text[n] != ':')
        return false;
    const long call = atomic_fetch_add(&calls, 1) + 1, at = strtol(text + n + 1, NULL, 10);
    return at > 0 && (call == at || (call > at && text[strlen(text) - 1] == '+'));
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): names of ld --wrap
#define FAILING(kind, name, parameters, ...)                                                       \
    cudaError_t __real_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters;                                                          \
    cudaError_t __wrap_##name parameters                                                           \
    {                                                                                              \
        return fails(kind) ? kinds[kind].error : __real_##name(__VA_ARGS__);                       \
    }

FAILING(MEMORY, cudaMalloc, (void **memory, size_t size), memory, size)
FAILING(MEMORY, cudaHostAlloc, (void **memory, size_t size, unsigned flags), memory, size, flags)
FAILING(COPY, cudaMemcpyAsync,
        (void *to, const void *from, size_t size, enum cudaMemcpyKind way, cudaStream_t stream), to,
        from, size, way, stream)
FAILING(COPY, cudaMemsetAsync, (void *memory, int value, size_t size, cudaStream_t stream), memory,
        value, size, stream)
FAILING(LAUNCH, cudaGetLastError, (void), )
FAILING(WAIT, cudaStreamSynchronize, (cudaStream_t stream), stream)
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
