#ifndef LTE_KERNELS_CODING_CODED_MEMORY_CUDA_H
#define LTE_KERNELS_CODING_CODED_MEMORY_CUDA_H
/*
 * What all kernels of a code get (lte_coded_job), without its tables' contents.
 *
 *     lte_coded_job job = lte_coded_job_of(&link);
 *     const size_t bytes = lte_coded_lay(code, true, n_processes, n_detectors, NULL, &job);
 *     ... lte_coded_lay(code, true, n_processes, n_detectors, d_memory, &job);
 */

#include "kernels/coding/coded_cuda.h"

/* Streams of what is sent: with several transmissions each detector has a history of its own. */
int lte_coded_streams(const lte_code *code, int n_detectors);

/* The numbers of a link's code. */
lte_coded_job lte_coded_job_of(const lte_link *link);

/*
 * Where all of a job lies, behind one another; the bytes of it. sends: n processes send, else n
 * subframes are received. memory NULL: it is only measured.
 */
size_t lte_coded_lay(const lte_code *code, bool sends, int n, int n_detectors, char *memory,
                     lte_coded_job *job);

#endif
