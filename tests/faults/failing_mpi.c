/*
 * ltesim where MPI fails: linked with the program's main, the functions of MPI that it calls stand
 * between it and the library, by MPI's profiling interface.
 *
 *     LTE_FAULT=MPI_Isend:N   the N-th call of that function fails: it does nothing but say so
 *     LTE_FAULT_RANK=RANK     on this rank alone
 *     LTE_FAULT_LOG=FILE      gets, of that rank, a line of each function with the number of its
 *                             calls
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name, parameters, arguments. */
#define CALLS(X)                                                                                   \
    X(Init_thread, (int *n, char ***argv, int wished, int *granted), (n, argv, wished, granted))   \
    X(Finalize, (void), ())                                                                        \
    X(Abort, (MPI_Comm all, int code), (all, code))                                                \
    X(Comm_set_errhandler, (MPI_Comm all, MPI_Errhandler what), (all, what))                       \
    X(Comm_rank, (MPI_Comm all, int *rank), (all, rank))                                           \
    X(Comm_size, (MPI_Comm all, int *n), (all, n))                                                 \
    X(Comm_split_type, (MPI_Comm all, int type, int key, MPI_Info info, MPI_Comm *part),           \
      (all, type, key, info, part))                                                                \
    X(Comm_free, (MPI_Comm * part), (part))                                                        \
    X(Allreduce,                                                                                   \
      (const void *from, void *to, int n, MPI_Datatype type, MPI_Op what, MPI_Comm all),           \
      (from, to, n, type, what, all))                                                              \
    X(Bcast, (void *what, int n, MPI_Datatype type, int root, MPI_Comm all),                       \
      (what, n, type, root, all))                                                                  \
    X(Send, (const void *from, int n, MPI_Datatype type, int rank, int tag, MPI_Comm all),         \
      (from, n, type, rank, tag, all))                                                             \
    X(Recv,                                                                                        \
      (void *to, int n, MPI_Datatype type, int rank, int tag, MPI_Comm all, MPI_Status *status),   \
      (to, n, type, rank, tag, all, status))                                                       \
    X(Isend,                                                                                       \
      (const void *from, int n, MPI_Datatype type, int rank, int tag, MPI_Comm all,                \
       MPI_Request *request),                                                                      \
      (from, n, type, rank, tag, all, request))                                                    \
    X(Irecv,                                                                                       \
      (void *to, int n, MPI_Datatype type, int rank, int tag, MPI_Comm all, MPI_Request *request), \
      (to, n, type, rank, tag, all, request))                                                      \
    X(Iprobe, (int rank, int tag, MPI_Comm all, int *there, MPI_Status *status),                   \
      (rank, tag, all, there, status))                                                             \
    X(Testall, (int n, MPI_Request request[], int *done, MPI_Status status[]),                     \
      (n, request, done, status))                                                                  \
    X(Waitall, (int n, MPI_Request request[], MPI_Status status[]), (n, request, status))          \
    X(Cancel, (MPI_Request * request), (request))

#define ID(name, parameters, arguments) name##_id,
enum { CALLS(ID) N_CALLS };

#define NAME(name, parameters, arguments) "MPI_" #name,
static const char *const names[N_CALLS] = {CALLS(NAME)};

static int fault = N_CALLS; /* the function that fails */
static long at;             /* which call of it, from 1 on */
static long calls[N_CALLS]; /* of one thread */

/* Counts a call; true if it fails. */
static int fails(int id)
{
    return ++calls[id] == at && id == fault;
}

#define CALL(name, parameters, arguments)                                                          \
    int MPI_##name parameters                                                                      \
    {                                                                                              \
        return fails(name##_id) ? MPI_ERR_OTHER : PMPI_##name arguments;                           \
    }
CALLS(CALL)

/* True on the rank that is to fail, as OpenMPI, MPICH and Slurm tell a process its own. */
static int is_here(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    const char *wanted = getenv("LTE_FAULT_RANK");
    for (size_t i = 0; wanted && i < sizeof ranks / sizeof *ranks; i++) {
        const char *rank = getenv(ranks[i]);
        if (rank)
            return strcmp(rank, wanted) == 0;
    }
    return 0;
}

__attribute__((constructor)) static void arm(void)
{
    const char *text = getenv("LTE_FAULT");
    const size_t n = text ? strcspn(text, ":") : 0;
    for (int id = 0; text && is_here() && id < N_CALLS; id++) {
        if (strlen(names[id]) == n && strncmp(names[id], text, n) == 0) {
            fault = id;
            at = strtol(text + n + 1, NULL, 10);
        }
    }
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("LTE_FAULT_LOG");
    FILE *file = path && is_here() ? fopen(path, "w") : NULL;
    for (int id = 0; file && id < N_CALLS; id++)
        (void)fprintf(file, "%s %ld\n", names[id], calls[id]);
    if (file)
        (void)fclose(file);
}
