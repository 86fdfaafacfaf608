#ifndef LTE_KERNELS_CODING_CODED_H
#define LTE_KERNELS_CODING_CODED_H
/*
 * Transport blocks over a link, by HARQ processes that go on (TS 36.321).
 *
 *     lte_code *code = NULL;
 *     lte_status status = lte_code_create(&link, &plan, &code);
 *     status = lte_link_set_transport_code(&link, code, &output);    // its slots now carry blocks
 *     lte_code_free(code);
 *
 * Of one transmission, subframe b has block b. Of several, T, eight processes have the subframes of
 * a drop in turn, process p the subframes p, p + 8, ...; each of its codewords begins a new block
 * the moment its last one is right or was sent T times, whatever the other codeword does. So each
 * detector has a history of its own: the n-th block of process p, codeword q, is the same for all
 * of them, but not the subframes that it is sent in. Its payload: draws of purpose
 * LTE_DRAW_TRANSPORT of slot first + 2 (8 n + p) of the drop, of one transmission the slot that it
 * is sent in.
 *
 * Where the channel stands still in a drop, all processes fare alike but for their draws: one of
 * them is sent, the first, and stands for the eight.
 *
 * The end of a drop: blocks begin in all but its last 8 (T - 1) subframes, before the point. Those
 * behind it are sent only while a block has not ended; a codeword that has nothing to finish then
 * sends a new block that counts nothing. What blocks across the point count: transport_code.h.
 */

#include "kernels/link/link.h"
#include "kernels/link/transport_code.h"
#include "phy/base/gold.h"
#include "phy/coding/transport.h"
#include "phy/coding/turbo_decoder.h"

/* Blocks of random words that a codeword's payload may take. */
enum { LTE_CODE_DRAWS = 1 << 20, LTE_CODE_DRAWN = 128 /* bits of one */ };

enum { LTE_CODE_SIZES = 2 }; /* of a codeword's code blocks, K- and K+ */

typedef struct lte_code {
    lte_code_plan plan;
    int n_codewords;
    lte_transport transport[LTE_MOST_CODEWORDS];
    /*
     * of each: where its bits stand in what is encoded, by transmission [T][G], and where symbol s
     * of a subframe * is in the labels of its two slots [G / n_bits]
     */
    uint32_t *place[LTE_MOST_CODEWORDS], *symbol[LTE_MOST_CODEWORDS];
} lte_code;

/*
 * Returns LTE_EINVAL for transmissions or iterations out of range, blocks that do not fit, links of
 * more than LTE_MAX_ORDER layers, and a channel interleaver over symbols that do not all carry
 * data on the same number of subcarriers; LTE_ENOMEM. The link is read alone: its grid is set, and
 * its receiver has been told what it knows.
 */
lte_status lte_code_create(const lte_link *link, const lte_code_plan *plan, lte_code **code);
void lte_code_free(lte_code *code);

/* How code blocks of a size are decoded of codeword q; whether all codewords are alike in that. */
lte_turbo_plan lte_code_decoding(const lte_code *code, int q, const lte_code_block *block);
bool lte_code_is_alike(const lte_code *code);

/* The code blocks of a size of codeword q: their number, 0 if it has none of it. */
int lte_code_of_size(const lte_code *code, int q, int size, const lte_code_block **block);

/* The scrambling of codeword q in the subframe of a slot. */
lte_gold lte_code_scrambling(int q, uint64_t slot);

/*
 * The scrambling of a frame's subframe, of all codewords, as what it changes: flips
 * [2][7][n_tx][n_sc]  out, bits of labels.
 */
void lte_code_flips(const lte_code *code, const lte_link *link, int subframe, uint8_t *flips);

/* The labels of elements that carry no data, labels [2][7][n_tx][n_sc]  out; others stay. */
void lte_code_idle(const lte_link *link, uint8_t *labels);

/*
 * What brings each element of codeword q in transmission i: its place the other way round.
 *
 *   count    [encoded]  work
 *   source   [encoded]  out: where its LLR is in those of a subframe, [2] slots of lte_llr_planes;
 *            LTE_CODE_NOWHERE; or LTE_CODE_MANY + a place in many:
 *   many     [2 sent]   out: how many LLRs there are of it, and where
 */
#define LTE_CODE_MANY UINT32_C(0x80000000)
#define LTE_CODE_NOWHERE UINT32_C(0xffffffff)
void lte_code_sources(const lte_code *code, const lte_link *link, int q, int i, uint32_t *count,
                      uint32_t *source, uint32_t *many);

/* What a thread works in, for so many detectors. Returns LTE_ENOMEM. */
typedef struct lte_code_worker lte_code_worker;
lte_status lte_code_worker_create(const lte_code *code, const lte_link *link, int n_detectors,
                                  lte_code_worker **worker);
void lte_code_worker_free(lte_code_worker *worker);

/* Bytes that it has beside its decoders', about. */
double lte_code_worker_bytes(const lte_code *code, const lte_link *link, int n_detectors);

/*
 * The first transmission of the block whose first slot is that one: labels of both its slots,
 * [2][7][n_tx][n_sc]; and then the payload of each codeword, a byte a bit. They stay until the
 * worker is used again.
 */
const uint8_t *lte_code_send(lte_code_worker *worker, uint64_t slot);
const uint8_t *lte_code_payload(const lte_code_worker *worker, int q);

/* Where the counts of some groups go. */
typedef struct {
    lte_power *power; /* [slots]  zero; out: of the first detector's, 0 behind the point */
    uint32_t *errors; /* [slots][n_detectors][n_counts]  zero; out: a block's where it ended, hard
                         decisions before the point alone */
    uint64_t first;   /* slot, of a group */
    int n_detectors;
} lte_code_rows;

/*
 * Sends, receives and decodes all subframes of a process on a processor, processes counted on from
 * group to group. Each has slots of its own: threads may do several of a group.
 *
 *   work   lte_sweep_work bytes on 64
 */
struct lte_stages;
void lte_code_run(lte_code_worker *worker, const struct lte_stages *stages, lte_noise noise,
                  const lte_detector *detectors, uint64_t process, void *work,
                  const lte_code_rows *rows);

#endif
