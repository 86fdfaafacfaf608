/*
 * A text to compile, never linked into anything: what a compiler takes for it is the unit of build
 * times, the pace of a machine (pace.sh). It is phy/coding/turbo_decoder.c of revision 6697d35 with
 * the text of the project's own headers put in, so that no later change of them changes the unit.
 * It is not to be edited, nor formatted; the comments within are those of that revision.
 */
/* clang-format off */
/* The turbo decoder by its definition, one step after the other. */
/* ---- phy/coding/turbo_decoder.h ---- */
#ifndef LTE_PHY_CODING_TURBO_DECODER_H
#define LTE_PHY_CODING_TURBO_DECODER_H
/*
 * A decoder of the turbo code: max-log-MAP in integers, windows, extrinsic values scaled by 3/4. What it
 * decides is a definition: another one that goes faster has the same bits.
 *
 *     const lte_turbo_plan plan = {.block = block, .windows = 64, .iterations = 6, .crc = LTE_CRC_24A};
 *     void *work = malloc(lte_turbo_work(&plan));
 *     int used = lte_turbo_decode(&plan, llr, work, bits);       // llr [3][k + 4], bits [k]
 *
 * llr is ln P(0) / P(1) of the elements of lte_turbo_encode times any scale, -127 to 127 (-128 is taken
 * for that), 0 where nothing was received. With a = llr + extrinsic value of a bit and p = llr of its parity,
 * a branch weighs a (if its bit is 0) + p (if its parity is 0), and
 *
 *     alpha_{t+1}(s') = max alpha_t(s) + branch,   beta_t(s) = max beta_{t+1}(s') + branch
 *     r = max_{bit 0} (alpha + branch + beta) - max_{bit 1} (...) - a,   extrinsic value = r - floor(r / 4)
 *
 * cut to +-127. An iteration goes through the first encoder's trellis, then the second's; all of a trellis
 * is gone through with the extrinsic values that there were before. A block is cut into windows of equal
 * length, which do not wait for each other: each begins LTE_TURBO_OVERLAP steps outside itself at either end,
 * with the metrics that its neighbour had there in the last iteration (none in the first: zeros). At the
 * ends of the block they are those of state 0, of which beta goes through the tail. A bit is 1 if a + r < 0
 * at the second encoder. After 16 steps metrics that were at most 0 and at least -4096 are within 16
 * bits: each decoder may subtract that of state 0 as often.
 *
 * Sources: Robertson, Villebrun, Hoeher, ICC 1995 (max-log-MAP); Vogt, Finger, Electronics Letters 36,
 * 2000 (the scale); Abbasfar, Yao, Globecom 2003 (windows that begin with the last iteration's metrics). The
 * overlap is worth 0.08 dB at K = 6144 and 64 windows, block error rate 1e-2.
 */

#include <stddef.h>

/* ---- phy/coding/code_block.h ---- */
#ifndef LTE_PHY_CODING_CODE_BLOCK_H
#define LTE_PHY_CODING_CODE_BLOCK_H
/*
 * The sizes that a code block may have, each with its quadratic permutation polynomial.
 *
 *     const lte_code_block *block = lte_code_block_of(1000);      // 1008: the smallest that holds them
 *     int from = lte_code_block_at(block, i);                     // Pi(i)
 *
 *     Pi(i) = (f1 i + f2 i^2) mod K
 *
 * Source: TS 36.212, table 5.1.3-3.
 */

#include <stdint.h>

enum {
    LTE_N_CODE_BLOCKS = 188,
    LTE_MAX_CODE_BLOCK = 6144, /* bits; table 5.1.3-3 and Z of 5.1.2 */
    LTE_TURBO_TAIL = 4         /* more elements of each of three streams than bits in a block */
};

typedef struct {
    uint16_t k; /* bits */
    uint16_t f1, f2;
} lte_code_block;

/* By rising size: 40 to 512 by 8, to 1024 by 16, to 2048 by 32, to 6144 by 64. */
extern const lte_code_block lte_code_blocks[LTE_N_CODE_BLOCKS];

/* The smallest that holds so many bits; NULL for more than any does. */
const lte_code_block *lte_code_block_of(int bits);

/* Where element i of the permuted block comes from. */
static inline int lte_code_block_at(const lte_code_block *block, int i)
{
    const uint64_t at = (uint64_t)i, k = block->k;
    return (int)((block->f1 + block->f2 * at % k) * at % k);
}

/*
 * Windows that its decoder takes it in unless told otherwise, a power of two: as many as leave 64
 * steps or more to each, at most 64.
 */
int lte_code_block_windows(const lte_code_block *block);

/* Elements of each stream of an encoded block. */
static inline int lte_code_block_stream(const lte_code_block *block)
{
    return block->k + LTE_TURBO_TAIL;
}

#endif
/* ---- end of phy/coding/code_block.h ---- */
/* ---- phy/base/status.h ---- */
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

/* ---- phy/base/codes.h ---- */
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
/* ---- end of phy/base/codes.h ---- */

#ifdef __cplusplus
extern "C" {
#endif

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
/* ---- end of phy/base/status.h ---- */

enum {
    LTE_MAX_TURBO_ITERATIONS = 32,
    LTE_TURBO_OVERLAP = 16,
    LTE_TURBO_MOST = 127,       /* of an LLR and of an extrinsic value */
    LTE_TURBO_UNREACHED = -4096 /* metric of the states that a block does not begin or end in */
};

typedef struct {
    const lte_code_block *block;
    int windows;    /* dividing the size of the block: lte_code_block_windows */
    int iterations; /* at most */
    uint32_t crc;   /* LTE_CRC_24A or B: ends when it holds, after a whole iteration; 0: none */
} lte_turbo_plan;

/* Steps of a window, and those that it begins outside itself: no more than it has. */
static inline int lte_turbo_length(const lte_turbo_plan *plan)
{
    return plan->block->k / plan->windows;
}
static inline int lte_turbo_overlap(const lte_turbo_plan *plan)
{
    const int length = lte_turbo_length(plan);
    return length < LTE_TURBO_OVERLAP ? length : LTE_TURBO_OVERLAP;
}

/* Returns LTE_EINVAL for windows that do not divide the block and iterations out of range. */
lte_status lte_turbo_check(const lte_turbo_plan *plan);

/* Bytes of work memory. */
size_t lte_turbo_work(const lte_turbo_plan *plan);

/* Decodes a block; returns the iterations that it took. work is on a boundary of malloc's. */
int lte_turbo_decode(const lte_turbo_plan *plan, const int8_t *llr, void *work, uint8_t *bits);

#endif
/* ---- end of phy/coding/turbo_decoder.h ---- */

#include <stdbool.h>
#include <string.h>

/* ---- phy/coding/crc.h ---- */
#ifndef LTE_PHY_CODING_CRC_H
#define LTE_PHY_CODING_CRC_H
/*
 * Cyclic redundancy checks of 24 bits over bits, a byte each (0 or 1), the first bit that of the
 * highest power.
 *
 *     lte_crc_attach(LTE_CRC_24A, bits, n);               // bits [n + 24]: the last 24 are written
 *     bool right = lte_crc_holds(LTE_CRC_24A, bits, n + 24);
 *
 * The parity bits are the remainder of D^24 a(D) by the generator; zeros at the beginning, as of
 * filler bits, do not change it. Source: TS 36.212, 5.1.1.
 */

#include <stdbool.h>
#include <stdint.h>

/* The generators without D^24: 24A of transport blocks, 24B of code blocks. */
enum { LTE_CRC_24A = 0x864cfb, LTE_CRC_24B = 0x800063, LTE_CRC_BITS = 24 };

/* D times a remainder. */
static inline uint32_t lte_crc_shift(uint32_t generator, uint32_t remainder)
{
    return (remainder << 1 ^ (remainder >> (LTE_CRC_BITS - 1) & 1 ? generator : 0)) & 0xffffff;
}

/* The remainder of n bits times D^24. */
uint32_t lte_crc(uint32_t generator, const uint8_t *bits, int n);

/* Writes the parity of the first n bits behind them. */
void lte_crc_attach(uint32_t generator, uint8_t *bits, int n);

/* True if the last 24 of n bits are the parity of those before them. */
bool lte_crc_holds(uint32_t generator, const uint8_t *bits, int n);

#endif
/* ---- end of phy/coding/crc.h ---- */
/* ---- phy/coding/turbo.h ---- */
#ifndef LTE_PHY_CODING_TURBO_H
#define LTE_PHY_CODING_TURBO_H
/*
 * The turbo code of rate 1/3: its encoder, and its trellis for who decodes.
 *
 *     lte_turbo_encode(block, bits, d);       // bits [k], d [3][k + 4]
 *
 * Two recursive encoders of eight states, G(D) = [1, (1 + D + D^3) / (1 + D^2 + D^3)], the second over
 * the permuted bits; both are driven back to state 0 by three more bits each, the tail, which stands
 * behind the k elements of each stream. Source: TS 36.212, 5.1.3.2.
 */

/* ---- phy/base/real.h ---- */
#ifndef LTE_PHY_REAL_H
#define LTE_PHY_REAL_H
/*
 * The number type that every formula of phy/ is written over: a float here, a vector of floats
 * (one lane per subcarrier) where LTE_REAL_HEADER names another header with the same names.
 *
 *     lte_real x = r_fma(a, b, c);               // one rounding, in every lane
 *     x = r_sel(r_lt(x, r_set(0.0f)), -x, x);
 *
 * +, -, *, / on lte_real and +, -, ^, &, |, <<, >> on lte_word mean what they mean per lane. All
 * are correctly rounded IEEE float32, so a lane holds the bits that the scalar would.
 */

#if defined(__CUDACC__)
#define LTE_INLINE static __host__ __device__ __forceinline__
#define LTE_OUTLINE static __host__ __device__ __noinline__ __attribute__((unused))
#define LTE_UNROLL _Pragma("unroll")
#define LTE_UNROLL_DEVICE LTE_UNROLL
#define LTE_ROLL_DEVICE _Pragma("unroll 1")
#elif defined(__clang__)
#define LTE_INLINE static inline __attribute__((always_inline))
#define LTE_OUTLINE static __attribute__((noinline, unused))
#define LTE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LTE_INLINE static inline __attribute__((always_inline))
#define LTE_OUTLINE static __attribute__((noinline, unused))
#define LTE_UNROLL _Pragma("GCC unroll 16")
#endif

/* Where each fmaf is a call, unrolled loops take twice the code for a twentieth of the time. */
#if !defined(LTE_REAL_HEADER) && !defined(__CUDACC__) && !defined(__FP_FAST_FMAF) &&               \
    !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
#undef LTE_UNROLL
#define LTE_UNROLL
#endif

#ifndef LTE_UNROLL_DEVICE
/* Only on the device: where a matrix lies in registers, and where code must stay short. */
#define LTE_UNROLL_DEVICE
#define LTE_ROLL_DEVICE
#endif

#ifdef LTE_REAL_HEADER
#include LTE_REAL_HEADER

/* What all vectors have alike. */
LTE_INLINE lte_real r_neg(lte_real x)
{
    return -x; /* a builtin of the instruction set is not folded with it */
}
LTE_INLINE lte_real r_reciprocal_moderate(lte_real x)
{
    return r_set(1.0f) / x;
}
LTE_INLINE lte_real r_sqrt_moderate(lte_real x)
{
    return r_sqrt(x);
}
LTE_INLINE lte_word r_bits(lte_real x)
{
    return (lte_word)x;
}
LTE_INLINE lte_real r_from_bits(lte_word w)
{
    return (lte_real)w;
}

#else

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LTE_WIDTH = 1 }; /* lanes of an lte_real */

typedef float lte_real;
typedef uint32_t lte_word; /* as wide as an lte_real */
typedef int lte_mask;      /* one truth value per lane */
typedef uint64_t lte_wide; /* a word per lane, room for its product; upper halves are arbitrary */

LTE_INLINE lte_real r_set(float x)
{
    return x;
}
LTE_INLINE lte_word w_set(uint32_t x)
{
    return x;
}
/* first, first + 1, ... over the lanes */
LTE_INLINE lte_word w_iota(uint32_t first)
{
    return first;
}
/* a b + c */
LTE_INLINE lte_real r_fma(lte_real a, lte_real b, lte_real c)
{
    return fmaf(a, b, c);
}
/*
 * -x. Where fmaf is an instruction, gcc 12 makes one of -fmaf(a, b, c), which rounds -a b - c and
 * so has a zero of the other sign: there it must not see a minus.
 */
LTE_INLINE lte_real r_neg(lte_real x)
{
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && defined(__FP_FAST_FMAF)
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits ^= 0x80000000u;
    memcpy(&x, &bits, sizeof x);
    return x;
#else
    return -x;
#endif
}
/* -a b + c */
LTE_INLINE lte_real r_fnma(lte_real a, lte_real b, lte_real c)
{
    return fmaf(r_neg(a), b, c);
}
LTE_INLINE lte_real r_sqrt(lte_real x)
{
    return sqrtf(x);
}
/*
 * The same root for x that is zero or between 2^-60 and 2^60. On the device this spares the test
 * for other values: an approximate 1/sqrt(x) and one correction of the residual, which gives the
 * correctly rounded root (a test compares every float from 2^-26 to 2^6).
 */
LTE_INLINE lte_real r_sqrt_moderate(lte_real x)
{
#if defined(__CUDA_ARCH__)
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(fmaxf(x, 0x1p-100f)));
    const float root = x * inverse;
    return fmaf(fmaf(-root, root, x), 0.5f * inverse, root);
#else
    return sqrtf(x);
#endif
}
/*
 * 1 / x, correctly rounded, for |x| between 2^-76 and 2^65. On the device this spares the branch
 * for other values: an approximate reciprocal and one correction (a test compares every such
 * float).
 */
LTE_INLINE lte_real r_reciprocal_moderate(lte_real x)
{
#if defined(__CUDA_ARCH__)
    float inverse;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
    return fmaf(inverse, fmaf(-x, inverse, 1.0f), inverse);
#else
    return 1.0f / x;
#endif
}
LTE_INLINE lte_word r_bits(lte_real x)
{
    uint32_t w;
    memcpy(&w, &x, sizeof w);
    return w;
}
LTE_INLINE lte_real r_from_bits(lte_word w)
{
    float x;
    memcpy(&x, &w, sizeof x);
    return x;
}
/* (float) of a word as unsigned, and as two's complement, rounded to nearest */
LTE_INLINE lte_real r_from_u32(lte_word w)
{
    return (float)w;
}
LTE_INLINE lte_real r_from_i32(lte_word w)
{
    return (float)(int32_t)w;
}
/* arithmetic shift right of a two's complement word */
LTE_INLINE lte_word w_sra(lte_word w, int n)
{
    return (uint32_t)((int32_t)w >> n);
}
LTE_INLINE lte_mask r_lt(lte_real a, lte_real b)
{
    return a < b;
}
LTE_INLINE lte_mask w_eq(lte_word a, lte_word b)
{
    return a == b;
}
LTE_INLINE lte_mask m_none(void)
{
    return 0;
}
LTE_INLINE lte_mask m_and(lte_mask a, lte_mask b)
{
    return a & b;
}
LTE_INLINE lte_mask m_or(lte_mask a, lte_mask b)
{
    return a | b;
}
LTE_INLINE lte_mask m_not(lte_mask a)
{
    return !a;
}
/* true if any lane is */
LTE_INLINE int m_any(lte_mask a)
{
    return a;
}
/* per lane: a where m holds, else b */
LTE_INLINE lte_real r_sel(lte_mask m, lte_real a, lte_real b)
{
    return m ? a : b;
}
LTE_INLINE lte_word w_sel(lte_mask m, lte_word a, lte_word b)
{
    return m ? a : b;
}
LTE_INLINE lte_real r_load(const float *p)
{
    return *p;
}
LTE_INLINE void r_store(float *p, lte_real x)
{
    *p = x;
}
LTE_INLINE lte_word w_load(const uint32_t *p)
{
    return *p;
}
LTE_INLINE void w_store(uint32_t *p, lte_word x)
{
    *p = x;
}
/* Splits interleaved pairs p[2 i], p[2 i + 1] into lanes. */
LTE_INLINE void r_load_pairs(const float *p, lte_real *even, lte_real *odd)
{
    *even = p[0];
    *odd = p[1];
}

LTE_INLINE lte_wide wide_from(lte_word w)
{
    return w;
}
LTE_INLINE lte_word wide_word(lte_wide x)
{
    return (uint32_t)x;
}
/* the 64-bit product of the lower half of x with m */
LTE_INLINE lte_wide wide_mul(lte_wide x, uint32_t m)
{
    return (uint64_t)(uint32_t)x * m;
}
/* upper half of x, xor a, xor k */
LTE_INLINE lte_wide wide_mix(lte_wide x, lte_wide a, uint32_t k)
{
    return (x >> 32) ^ a ^ k;
}

#endif

/* |x| and -x by the sign bit, x with the sign bit of w flipped in. */
LTE_INLINE lte_real r_abs(lte_real x)
{
    return r_from_bits(r_bits(x) & w_set(0x7fffffffu));
}
LTE_INLINE lte_real r_flip(lte_real x, lte_word sign)
{
    return r_from_bits(r_bits(x) ^ (sign & w_set(0x80000000u)));
}
/* True where x is finite: x - x is 0 then, NaN otherwise. */
LTE_INLINE lte_mask r_finite(lte_real x)
{
    return r_lt(r_abs(x), r_from_bits(w_set(0x7f800000u)));
}

#endif
/* ---- end of phy/base/real.h ---- */

enum { LTE_TURBO_STATES = 8, LTE_TURBO_MEMORY = 3 };

/* Systematic bits, parity of the first encoder, of the second; a byte is a bit. */
void lte_turbo_encode(const lte_code_block *block, const uint8_t *bits, uint8_t *d);

/* Where d [3][k + 4] has step t of the tail of an encoder (0 or 1): its bit, or its parity. */
int lte_turbo_tail(const lte_code_block *block, int encoder, int t, int parity);

/*
 * One step of a trellis: from a state with a bit to the next one and its parity. A state is
 * s1 + 2 s2 + 4 s3, s1 the newest.
 */
typedef struct {
    uint8_t next, parity;
} lte_turbo_branch;
LTE_INLINE lte_turbo_branch lte_turbo_step(int state, int bit)
{
    const int s1 = state & 1, s2 = state >> 1 & 1, s3 = state >> 2 & 1, a = bit ^ s2 ^ s3;
    return (lte_turbo_branch){.next = (uint8_t)(a | s1 << 1 | s2 << 2),
                              .parity = (uint8_t)(a ^ s1 ^ s3)};
}

/* The bit that a step to state 0 takes in the end: what comes back. */
LTE_INLINE int lte_turbo_closing(int state)
{
    return (state >> 1 ^ state >> 2) & 1;
}

#endif
/* ---- end of phy/coding/turbo.h ---- */

enum { N = LTE_TURBO_STATES };

typedef struct {
    int16_t of[N];
} metrics;

/* Work memory: of both encoders the metrics that windows begin with, as they are and as they come to be. */
typedef struct {
    metrics *alpha[2], *beta[2], *next_alpha, *next_beta; /* [windows + 1] */
    metrics *steps;                                       /* [window length]: alpha before each */
    int8_t *extrinsic, *next_extrinsic;                   /* [k], by the place of the bit */
} memory;

lte_status lte_turbo_check(const lte_turbo_plan *plan)
{
    if (plan->windows < 1 || plan->block->k % plan->windows != 0)
        return LTE_FAIL(LTE_EINVAL, "%d windows of a code block of %d bits", plan->windows,
                        plan->block->k);
    if (plan->iterations < 1 || plan->iterations > LTE_MAX_TURBO_ITERATIONS)
        return LTE_FAIL(LTE_EINVAL, "iterations=%d (1 to %d)", plan->iterations,
                        LTE_MAX_TURBO_ITERATIONS);
    return LTE_OK;
}

static size_t edges_of(const lte_turbo_plan *plan)
{
    return (size_t)plan->windows + 1;
}

size_t lte_turbo_work(const lte_turbo_plan *plan)
{
    const size_t length = (size_t)lte_turbo_length(plan);
    return (6 * edges_of(plan) + length) * sizeof(metrics) + 2 * (size_t)plan->block->k;
}

static memory memory_in(const lte_turbo_plan *plan, void *work)
{
    const size_t edges = edges_of(plan);
    metrics *at = work;
    memory m;
    memset(work, 0, lte_turbo_work(plan));
    for (int e = 0; e < 2; e++, at += 2 * edges) {
        m.alpha[e] = at;
        m.beta[e] = at + edges;
    }
    m.next_alpha = at;
    m.next_beta = at + edges;
    m.steps = at + 2 * edges;
    m.extrinsic = (int8_t *)(m.steps + lte_turbo_length(plan));
    m.next_extrinsic = m.extrinsic + plan->block->k;
    return m;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int branch_of(int bit, int parity, int a, int p)
{
    return (bit ? 0 : a) + (parity ? 0 : p);
}

/* As seen from state 0. */
static metrics normal(const int m[N])
{
    metrics out;
    for (int s = 0; s < N; s++)
        out.of[s] = (int16_t)(m[s] - m[0]);
    return out;
}

static metrics forward(const metrics *alpha, int a, int p)
{
    int next[N];
    for (int s = 0; s < N; s++)
        next[s] = INT16_MIN;
    for (int s = 0; s < N; s++) {
        for (int bit = 0; bit < 2; bit++) {
            const lte_turbo_branch b = lte_turbo_step(s, bit);
            next[b.next] = larger(next[b.next], alpha->of[s] + branch_of(bit, b.parity, a, p));
        }
    }
    return normal(next);
}

static metrics backward(const metrics *beta, int a, int p)
{
    int before[N];
    for (int s = 0; s < N; s++) {
        const lte_turbo_branch b0 = lte_turbo_step(s, 0), b1 = lte_turbo_step(s, 1);
        before[s] = larger(beta->of[b0.next] + branch_of(0, b0.parity, a, p),
                           beta->of[b1.next] + branch_of(1, b1.parity, a, p));
    }
    return normal(before);
}

/* r: what the trellis says of the bit beside a. */
static int told(const metrics *alpha, const metrics *beta, int p)
{
    int best[2] = {INT16_MIN, INT16_MIN};
    for (int s = 0; s < N; s++) {
        for (int bit = 0; bit < 2; bit++) {
            const lte_turbo_branch b = lte_turbo_step(s, bit);
            const int path = alpha->of[s] + beta->of[b.next] + (b.parity ? 0 : p);
            best[bit] = larger(best[bit], path);
        }
    }
    return best[0] - best[1];
}

static int within(int x)
{
    return x > LTE_TURBO_MOST ? LTE_TURBO_MOST : x < -LTE_TURBO_MOST ? -LTE_TURBO_MOST : x;
}

/* The metrics of state 0 at both ends, of an encoder. */
static void set_ends(const lte_turbo_plan *plan, const int8_t *llr, int encoder, memory *m)
{
    metrics zero = {{0}};
    for (int s = 1; s < N; s++)
        zero.of[s] = LTE_TURBO_UNREACHED;
    m->alpha[encoder][0] = zero;
    for (int t = LTE_TURBO_MEMORY - 1; t >= 0; t--)
        zero = backward(&zero, within(llr[lte_turbo_tail(plan->block, encoder, t, 0)]),
                        within(llr[lte_turbo_tail(plan->block, encoder, t, 1)]));
    m->beta[encoder][plan->windows] = zero;
}

/* A trellis: which bits and parities its steps have. */
typedef struct {
    const lte_code_block *block;
    int encoder;
    const int8_t *llr, *parity, *extrinsic;
} trellis;

static int place_of(const trellis *x, int t)
{
    return x->encoder ? lte_code_block_at(x->block, t) : t;
}

static int a_of(const trellis *x, int t)
{
    const int i = place_of(x, t);
    return within(x->llr[i]) + x->extrinsic[i];
}

static int p_of(const trellis *x, int t)
{
    return within(x->parity[t]);
}

/* One window of a trellis: new extrinsic values, what its neighbours begin with next time, and bits. */
static void decode_window(const lte_turbo_plan *plan, const trellis *x, int w, memory *m,
                          uint8_t *bits)
{
    const int length = lte_turbo_length(plan), overlap = lte_turbo_overlap(plan);
    const int first = w * length, end = first + length;
    metrics alpha = m->alpha[x->encoder][w], beta = m->beta[x->encoder][w + 1];
    for (int t = first - overlap; w > 0 && t < first; t++)
        alpha = forward(&alpha, a_of(x, t), p_of(x, t));
    for (int t = end + overlap - 1; w < plan->windows - 1 && t >= end; t--)
        beta = backward(&beta, a_of(x, t), p_of(x, t));
    for (int t = first; t < end; t++) {
        if (t == end - overlap)
            m->next_alpha[w + 1] = alpha;
        m->steps[t - first] = alpha;
        alpha = forward(&alpha, a_of(x, t), p_of(x, t));
    }
    for (int t = end - 1; t >= first; t--) {
        const int a = a_of(x, t), p = p_of(x, t), r = told(&m->steps[t - first], &beta, p);
        if (t == first + overlap - 1)
            m->next_beta[w] = beta;
        beta = backward(&beta, a, p);
        m->next_extrinsic[place_of(x, t)] = (int8_t)within(r - (r >> 2));
        bits[place_of(x, t)] = a + r < 0;
    }
}

/* All windows of a trellis, none of which sees what the others come to. */
static void decode_half(const lte_turbo_plan *plan, const int8_t *llr, int encoder, memory *m,
                        uint8_t *bits)
{
    const size_t n = (size_t)plan->windows;
    const trellis x = {.block = plan->block,
                       .encoder = encoder,
                       .llr = llr,
                       .parity = llr + (encoder + 1) * lte_code_block_stream(plan->block),
                       .extrinsic = m->extrinsic};
    for (int w = 0; w < plan->windows; w++)
        decode_window(plan, &x, w, m, bits);
    memcpy(m->alpha[encoder] + 1, m->next_alpha + 1, (n - 1) * sizeof(metrics));
    memcpy(m->beta[encoder] + 1, m->next_beta + 1, (n - 1) * sizeof(metrics));
    memcpy(m->extrinsic, m->next_extrinsic, plan->block->k);
}

int lte_turbo_decode(const lte_turbo_plan *plan, const int8_t *llr, void *work, uint8_t *bits)
{
    memory m = memory_in(plan, work);
    int used = 0;
    for (int encoder = 0; encoder < 2; encoder++)
        set_ends(plan, llr, encoder, &m);
    for (bool done = false; !done && used < plan->iterations; used++) {
        decode_half(plan, llr, 0, &m, bits);
        decode_half(plan, llr, 1, &m, bits);
        done = plan->crc && lte_crc_holds(plan->crc, bits, plan->block->k);
    }
    return used;
}
