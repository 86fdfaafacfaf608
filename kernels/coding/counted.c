/* The table of what is counted. */
#include "kernels/coding/counted.h"

#include "kernels/coding/blocks.h"

static size_t slot_bytes(const lte_link *link)
{
    return LTE_SLOT_SYMBOLS * lte_output_row(link);
}

static size_t subframe_bytes(const lte_link *link)
{
    return lte_block_bytes(link->output.code);
}

static int one(const lte_link *link)
{
    (void)link;
    return 1;
}

static int none(const lte_link *link)
{
    (void)link;
    return 0;
}

static int group(const lte_link *link)
{
    return lte_code_group_slots(&link->output.code->plan);
}

static int processes(const lte_link *link)
{
    return lte_code_processes(&link->output.code->plan);
}

const lte_counted_row lte_counted_rows[LTE_N_COUNTED] = {
    [LTE_COUNTED_BITS] = {1, slot_bytes, one, none},
    [LTE_COUNTED_LLRS] = {1, slot_bytes, one, none},
    [LTE_COUNTED_BLOCKS] = {2, subframe_bytes, group, processes},
};

const lte_counted_row *lte_counted_of(const lte_link *link)
{
    return &lte_counted_rows[link->output.counted];
}

int lte_due_parts(const lte_link *link)
{
    const int due_slots = lte_counted_of(link)->due_slots, pilots = link->receiver.pilots;
    return due_slots > pilots ? due_slots / pilots : 1;
}

int lte_slots_together(const lte_link *link)
{
    return lte_counted_of(link)->together(link);
}

int lte_processes_together(const lte_link *link)
{
    return lte_counted_of(link)->processes(link);
}

size_t lte_due_bytes(const lte_link *link)
{
    return lte_counted_of(link)->due_bytes(link);
}
