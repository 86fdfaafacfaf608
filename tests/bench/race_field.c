/* The buffers of one size; race_time.c runs over them. */
#include "tests/bench/race_field.h"
#include "tests/bench/race_kernels.h"

#include <stdlib.h>

/* Room for all calls' matrices and inverses together: four calls of 1e6 of order 8. */
static const size_t most_bytes = (size_t)4200 * 1000 * 1000;

/* Calls whose matrices and inverses exceed three times the L2, at least eight where there is room.
 */
static int calls_for(const lte_race *race, size_t call_bytes)
{
    const size_t beyond_l2 = 3 * race->l2_bytes / call_bytes + 1;
    const size_t wanted = beyond_l2 < 8 ? 8 : beyond_l2, room = most_bytes / call_bytes;
    const size_t n = wanted < room ? wanted : room;
    return n < 1 ? 1 : n > LTE_MAX_CALLS ? LTE_MAX_CALLS : (int)n;
}

void lte_field_free(lte_field *field)
{
    if (!field)
        return;
    const lte_race_call *d = &field->whole;
    void *const memory[] = {field->source, d->a,          d->x,    d->scratch, d->a_list,
                            d->x_list,     d->local_list, d->flag, d->info,    d->pivot};
    for (int i = 0; i < LTE_MAX_RACERS; i++) {
        if (field->graph[i])
            (void)cudaGraphExecDestroy(field->graph[i]);
    }
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        (void)cudaFree(memory[i]);
    free(field->host_x);
    free(field->host_flag);
    free(field->host_info);
    free(field);
}

static lte_status allocate(lte_field *field)
{
    lte_race_call *d = &field->whole;
    const size_t count = (size_t)field->count, all = count * (size_t)field->n_calls;
    const struct {
        void **memory;
        size_t size;
    } list[] = {
        {(void **)&field->source, (size_t)field->n_source * field->matrix},
        {(void **)&d->a, all * field->matrix},
        {(void **)&d->x, all * field->matrix},
        {(void **)&d->scratch, count * field->matrix},
        {(void **)&d->a_list, all * sizeof(void *)},
        {(void **)&d->x_list, all * sizeof(void *)},
        {(void **)&d->local_list, 2 * count * sizeof(void *)},
        {(void **)&d->flag, count},
        {(void **)&d->info, count * sizeof(int)},
        {(void **)&d->pivot, count * (size_t)field->n * sizeof(int)},
    };
    lte_status status = LTE_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && !status; i++)
        status = LTE_CUDA(cudaMalloc(list[i].memory, list[i].size));
    field->host_x = malloc(count * field->matrix);
    field->host_flag = malloc(count);
    field->host_info = malloc(count * sizeof(int));
    if (!status && (!field->host_x || !field->host_flag || !field->host_info))
        status = LTE_FAIL(LTE_ENOMEM, "no memory to look at %d inverses", field->count);
    return status;
}

/* The set over and over in source, and the lists of addresses. */
static lte_status fill(lte_field *field)
{
    const cudaStream_t stream = field->race->stream;
    const int all = field->count * field->n_calls;
    lte_status status = LTE_OK;
    for (int at = 0; at < field->n_source && !status; at += field->set->count) {
        const int left = field->n_source - at;
        const size_t n = (size_t)(left < field->set->count ? left : field->set->count);
        char *to = (char *)field->source + (size_t)at * field->matrix;
        status = LTE_CUDA(
            cudaMemcpyAsync(to, field->set->a, n * field->matrix, cudaMemcpyHostToDevice, stream));
    }
    if (status)
        return status;
    lte_race_list(all, field->whole.a, field->matrix, field->whole.a_list, stream);
    lte_race_list(all, field->whole.x, field->matrix, field->whole.x_list, stream);
    status = LTE_CUDA(cudaGetLastError());
    return status ? status : LTE_CUDA(cudaStreamSynchronize(stream));
}

lte_status lte_field_create(lte_race *race, int n, int count, int n_calls, const lte_race_set *set,
                            lte_field **field)
{
    lte_field *made = *field = calloc(1, sizeof *made);
    if (!made)
        return LTE_FAIL(LTE_ENOMEM, "no memory for the race");
    made->race = race;
    made->set = set;
    made->n = n;
    made->count = count;
    made->matrix = (size_t)n * (size_t)n * sizeof(lte_cf32);
    made->n_calls = n_calls > 0 ? n_calls : calls_for(race, 2 * (size_t)count * made->matrix);
    made->n_source = count > set->count ? count : set->count;
    lte_status status = allocate(made);
    if (!status)
        status = fill(made);
    if (status) {
        lte_field_free(made);
        *field = NULL;
    }
    return status;
}

int lte_field_calls(const lte_field *field)
{
    return field->n_calls;
}

bool lte_field_l2_resident(const lte_field *field)
{
    const size_t bytes = 2 * (size_t)field->n_calls * (size_t)field->count * field->matrix;
    return bytes < field->race->l2_bytes;
}

int lte_field_first(const lte_field *field, int k)
{
    return k % (field->n_source / field->count) * field->count;
}

lte_race_call lte_field_call(const lte_field *field, int k)
{
    lte_race_call call = field->whole;
    const ptrdiff_t first = (ptrdiff_t)k * field->count, n2 = (ptrdiff_t)field->n * field->n;
    call.n = field->n;
    call.count = field->count;
    call.a += first * n2;
    call.x += first * n2;
    call.a_list += first;
    call.x_list += first;
    return call;
}

lte_status lte_field_refresh(lte_field *field, const lte_racer *who)
{
    const cudaStream_t stream = field->race->stream;
    const size_t size = (size_t)field->count * field->matrix;
    lte_status status = LTE_OK;
    for (int k = 0; k < field->n_calls && !status; k++) {
        const char *from =
            (char *)field->source + (size_t)lte_field_first(field, k) * field->matrix;
        char *to = (char *)field->whole.a + (size_t)k * size;
        status = LTE_CUDA(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream));
    }
    if (!status && who->identity) {
        lte_race_identity(field->n, field->count * field->n_calls, field->whole.x, stream);
        status = LTE_CUDA(cudaGetLastError());
    }
    return status;
}
