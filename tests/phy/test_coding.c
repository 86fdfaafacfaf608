/*
 * Channel coding of TS 36.212: known answers, a plain second implementation over every size and
 * redundancy version, and blocks that come back through the decoder.
 */

#include "tests/lib/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phy/base/gold.h"
#include "phy/coding/crc.h"
#include "phy/coding/rate_matching.h"
#include "phy/coding/segmentation.h"
#include "phy/coding/turbo.h"
#include "tests/lib/code_blocks.h"

static uint64_t random_state = 36212;

/* ---- known answers ---- */

/*
 * Stored: the first K bits of the Gold sequence of c_init = K, encoded and rate matched. A hex
 * digit is four bits, the first the highest.
 */
static const struct {
    int k;
    const char *bits, *d0, *d1, *d2;
    const char *sent[LTE_N_REDUNDANCY_VERSIONS]; /* the first 64 */
} vectors[] = {
    {40,
     "DAC2D26BBC",
     "DAC2D26BBCF",
     "99A6964813C",
     "D62106FA876",
     {"7DF8D0EE8E49DB1B", "1C93B6379188C4EA", "231189D40DCAD548", "0DCAD5485F7E343B"}},
    {104,
     "C6DECD96D564C294B8CCA57D02",
     "C6DECD96D564C294B8CCA57D02A",
     "8F55AC7F586C88B74883E6202D6",
     "B3FF8B6C26FE13E04C4CC195BBC",
     {"85FB5C8A4915FEE6", "A81BC3B8D17D5C23", "A57C1990EB72F28D", "79D3CB3D22E9A04B"}},
    {1312,
     "9CE4EB807B8B473CC729CF48031F7C2C34A89C33058A7365D1E0229B878AF01B9CC4871D"
     "62D1752053557C406AB5C4EA374D93B871280CD9665D375E02F47C3C36DD25FA6DF547C8"
     "DCCEBF39E0D186454621B6E12C7DD5522089D4B7CFE7F222211F245FDFAD7383C9D6C3AA"
     "8072DB0CBECE08615F382FDD7E076CA314B62F439A3800ECC598054F8A0094CD2920254A"
     "B5759E07F9C7DEB6923462CA39E8B9017198807F",
     "9CE4EB807B8B473CC729CF48031F7C2C34A89C33058A7365D1E0229B878AF01B9CC4871D"
     "62D1752053557C406AB5C4EA374D93B871280CD9665D375E02F47C3C36DD25FA6DF547C8"
     "DCCEBF39E0D186454621B6E12C7DD5522089D4B7CFE7F222211F245FDFAD7383C9D6C3AA"
     "8072DB0CBECE08615F382FDD7E076CA314B62F439A3800ECC598054F8A0094CD2920254A"
     "B5759E07F9C7DEB6923462CA39E8B9017198807F4",
     "E4B003AE0AD1C593A0401658023AC43425B3730E91A2E088BAC5F4048547DB8496693CDC"
     "D1BA2F3CDC13EA25826F8CBBECBB573ABF8AEDE9A432ECA7C8F20FBD54C01432F54AB7D8"
     "9DF2DABBB7BA8423C4613121D199CF64D98E591EAFEE84DA843AAC6D26E905F04E5A897B"
     "392A21B110652136A603A19CC7CE63E2374344B02BE65C0668CDCD96D05C52DE40ABAD90"
     "8A96952B42FC55FAEF57D1A902CA3B01BF5A177F4",
     "9F9C1352B3D0168DDFD88EA666BA29B5DB7D8E22A4C10814A71AAE81F2AD180907940282"
     "5D662C5F0AC174BA57DE49A24F6B9C6B14AB21109F2E1CF327D37B72E3E5883F66777B2E"
     "A24499F32D0B991D0D24443C29C3FDD57F7DEB8D35980DB025C76496DB9F3FA532FFA39C"
     "26872BC540C3FE49C883E207D67EC89C3B5D9C899A6AE9A370859E521EC111EBDE89BDAB"
     "30826E77B4D4D2AA92F2C1F16B543507D1CA1F234",
     {"7D0EA6CCC1B9CFF0", "707ADFC20C07C21D", "C98229933D351508", "0D4085657463B808"}},
};

static void assert_hex(const char *hex, const uint8_t *bits, int n)
{
    for (int i = 0; i < n; i++) {
        const char digit[2] = {hex[i / 4], '\0'};
        const int value = (int)strtol(digit, NULL, 16) >> (3 - i % 4) & 1;
        if (value != bits[i])
            fail_msg("bit %d of %.16s... is %d", i, hex, bits[i]);
    }
}

static void stored_vectors_come_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        const lte_code_block *block = lte_code_block_of(vectors[i].k);
        const int k = block->k, n = lte_code_block_stream(block);
        uint8_t bits[MOST_K], d[MOST_D], sent[64];
        uint32_t order[64];
        assert_int_equal(k, vectors[i].k);
        for (int b = 0; b < k; b++)
            bits[b] = (uint8_t)lte_gold_number((uint32_t)k, (uint64_t)b, 1);
        assert_hex(vectors[i].bits, bits, k);
        lte_turbo_encode(block, bits, d);
        assert_hex(vectors[i].d0, d, n);
        assert_hex(vectors[i].d1, d + n, n);
        assert_hex(vectors[i].d2, d + 2 * n, n);
        for (int rv = 0; rv < LTE_N_REDUNDANCY_VERSIONS; rv++) {
            const lte_rate_matching m = {.block = block, .version = rv};
            assert_int_equal(lte_rate_matching_order(&m, 64, order), LTE_OK);
            for (int e = 0; e < 64; e++)
                sent[e] = d[order[e]];
            assert_hex(vectors[i].sent[rv], sent, 64);
        }
    }
}

static void parity_answers_an_impulse(void **state)
{
    static const char expected[] = "111100101110010111001";
    int at = 0;
    (void)state;
    for (size_t t = 0; t + 1 < sizeof expected; t++) {
        const lte_turbo_branch branch = lte_turbo_step(at, t == 0);
        assert_int_equal(branch.parity, expected[t] - '0');
        at = branch.next;
    }
}

static void check_words_come_out(void **state)
{
    static const char text[] = "123456789";
    uint8_t bits[72];
    (void)state;
    for (int i = 0; i < 72; i++)
        bits[i] = (uint8_t)(text[i / 8] >> (7 - i % 8) & 1);
    assert_int_equal(lte_crc(LTE_CRC_24A, bits, 72), 0xcde703);
    assert_int_equal(lte_crc(LTE_CRC_24B, bits, 72), 0x23ef52);
}

/* ---- what a CRC finds ---- */

/*
 * Every burst of up to 24 bits, and, the generators having a factor D + 1, every odd number of
 * errors.
 */
static void bursts_are_found(void **state)
{
    static const uint32_t generators[] = {LTE_CRC_24A, LTE_CRC_24B};
    enum { BITS = 200 };
    (void)state;
    for (int g = 0; g < 2; g++) {
        uint8_t bits[BITS], wrong[BITS];
        draw_bits(&random_state, bits, BITS - LTE_CRC_BITS);
        lte_crc_attach(generators[g], bits, BITS - LTE_CRC_BITS);
        assert_true(lte_crc_holds(generators[g], bits, BITS));
        for (int first = 0; first < BITS; first++) {
            for (int n = 1; n <= LTE_CRC_BITS && first + n <= BITS; n++) {
                memcpy(wrong, bits, BITS);
                for (int i = first; i < first + n; i++)
                    wrong[i] ^= (uint8_t)(i == first || i == first + n - 1 ||
                                          random_word(&random_state) >> 63);
                assert_false(lte_crc_holds(generators[g], wrong, BITS));
            }
        }
        for (int trial = 0; trial < 10000; trial++) {
            memcpy(wrong, bits, BITS);
            int odd = 0;
            for (int i = 0; i < BITS - 1; i++) {
                const int flip = (int)(random_word(&random_state) >> 63);
                wrong[i] ^= (uint8_t)flip;
                odd ^= flip;
            }
            wrong[BITS - 1] ^= (uint8_t)!odd;
            assert_false(lte_crc_holds(generators[g], wrong, BITS));
        }
    }
    assert_false(lte_crc_holds(LTE_CRC_24A, (uint8_t[23]){0}, 23));
}

/* ---- sizes ---- */

static void interleavers_are_permutations(void **state)
{
    (void)state;
    int last = 32;
    for (int b = 0; b < LTE_N_CODE_BLOCKS; b++) {
        const lte_code_block *block = &lte_code_blocks[b];
        const int k = block->k, step = k <= 512 ? 8 : k <= 1024 ? 16 : k <= 2048 ? 32 : 64;
        uint8_t seen[MOST_K] = {0};
        int at = 0; /* Pi(i + 1) = Pi(i) + f1 + f2 (2 i + 1) */
        assert_int_equal(k, last + step);
        for (int i = 0; i < k; i++) {
            assert_int_equal(lte_code_block_at(block, i), at);
            assert_false(seen[at]);
            seen[at] = 1;
            at = (int)((at + block->f1 + (int64_t)block->f2 * (2 * i + 1)) % k);
        }
        const int windows = lte_code_block_windows(block);
        assert_true(windows >= 1 && windows <= 64 && k % windows == 0);
        assert_true(windows == 1 || k / windows >= 64);
        assert_true(k < 128 || windows > 1);
        last = k;
    }
    assert_int_equal(last, LTE_MAX_CODE_BLOCK);
    assert_int_equal(lte_code_block_of(1)->k, 40);
    assert_int_equal(lte_code_block_of(513)->k, 528);
    assert_null(lte_code_block_of(6145));
    assert_int_equal(lte_code_block_windows(lte_code_block_of(6144)), 64);
}

/* Payloads of TS 36.104, annex A: coded sizes 3 K + 12. */
static void published_payloads_are_cut_as_published(void **state)
{
    static const int table[][3] = {{600, 1, 1884},   {1288, 1, 3948},   {2600, 1, 7884},
                                   {5160, 1, 15564}, {10680, 2, 16140}, {28336, 5, 17100}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        lte_segmentation s;
        assert_int_equal(lte_segmentation_of(table[i][0], &s), LTE_OK);
        assert_int_equal(s.n, table[i][1]);
        assert_int_equal(3 * s.size->k + 12, table[i][2]);
        assert_int_equal(s.n_smaller, 0);
    }
}

/*
 * Every size from 1 bit on, in steps: the parts are all of it, the filler least, CRCs where they
 * are due.
 */
static void blocks_are_cut_and_joined(void **state)
{
    uint8_t *transport = malloc(LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS);
    uint8_t *joined = malloc(LTE_MAX_TRANSPORT_BITS + LTE_CRC_BITS);
    (void)state;
    assert_non_null(transport);
    assert_non_null(joined);
    for (int n = 1; n <= LTE_MAX_TRANSPORT_BITS; n += n < 200 ? 1 : n / 50) {
        lte_segmentation s;
        uint8_t bits[MOST_K];
        int sum = 0;
        assert_int_equal(lte_segmentation_of(n, &s), LTE_OK);
        draw_bits(&random_state, transport, n);
        lte_crc_attach(LTE_CRC_24A, transport, n);
        memset(joined, 2, (size_t)s.n_bits);
        for (int r = 0; r < s.n; r++) {
            const int k = lte_segment_block(&s, r)->k;
            assert_int_equal(lte_segment_first(&s, r), sum);
            lte_segment(&s, transport, r, bits);
            for (int i = 0; i < lte_segment_filler(&s, r); i++)
                assert_int_equal(bits[i], 0);
            assert_true(lte_segment_holds(&s, r, bits));
            lte_segment_join(&s, bits, r, joined);
            sum += lte_segment_bits(&s, r);
            bits[k / 2] ^= 1;
            assert_false(lte_segment_holds(&s, r, bits));
        }
        assert_int_equal(sum, s.n_bits);
        assert_memory_equal(joined, transport, (size_t)s.n_bits);
        assert_int_equal(s.n, s.n_bits <= 6144 ? 1 : (s.n_bits + 6119) / 6120);
        assert_true(s.filler >= 0 && s.filler < (s.n_bits < 40 ? 40 : 64));
    }
    for (int n = 6121; n <= LTE_MAX_TRANSPORT_BITS;
         n++) { /* as many smaller ones as there can be */
        lte_segmentation s;
        assert_int_equal(lte_segmentation_of(n, &s), LTE_OK);
        assert_true(s.filler >= 0 && s.filler < s.size->k - s.smaller->k);
        assert_true(s.n_smaller >= 0 && s.n_smaller < s.n);
    }
    lte_fail_handler handler = expect_failures();
    lte_segmentation s;
    assert_int_equal(lte_segmentation_of(0, &s), LTE_EINVAL);
    assert_int_equal(lte_segmentation_of(LTE_MAX_TRANSPORT_BITS + 1, &s), LTE_EINVAL);
    assert_int_equal(*failures_seen(), 2);
    (void)lte_fail_handler_set(handler);
    free(transport);
    free(joined);
}

/* ---- a second implementation, over all sizes ---- */

/* Parity and tail of one encoder from its difference equations: a_t = u_t + a_{t-2} + a_{t-3}. */
static void plain_encoder(const uint8_t *u, int k, uint8_t *x_tail, uint8_t *z)
{
    static uint8_t a[MOST_K + 6];
    memset(a, 0, 3);
    for (int t = 0; t < k + 3; t++) {
        const uint8_t back = a[t + 1] ^ a[t];
        const uint8_t in = t < k ? u[t] : back;
        if (t >= k)
            x_tail[t - k] = in;
        a[t + 3] = in ^ back;
        z[t] = a[t + 3] ^ a[t + 2] ^ a[t];
    }
}

/* TS 36.212, 5.1.3 and 5.1.4, as they are written: 2 stands for NULL. */
static int plain_sent(const lte_code_block *block, const uint8_t *bits, int filler, int rv,
                      int n_cb, int n, uint8_t *d, uint8_t *sent)
{
    static const int p[] = {0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30,
                            1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31};
    const int k = block->k, length = k + 4, rows = (length + 31) / 32, size = 32 * rows;
    static uint8_t permuted[MOST_K], z1[MOST_K + 3], z2[MOST_K + 3], y[3][7000], v[3][7000],
        w[21000];
    uint8_t x1[3], x2[3];
    for (int i = 0; i < k; i++)
        permuted[i] = bits[((int64_t)block->f1 * i + (int64_t)block->f2 * i * i) % k];
    plain_encoder(bits, k, x1, z1);
    plain_encoder(permuted, k, x2, z2);
    uint8_t *d0 = d, *d1 = d + length, *d2 = d + 2 * length;
    memcpy(d0, bits, (size_t)k);
    memcpy(d1, z1, (size_t)k);
    memcpy(d2, z2, (size_t)k);
    d0[k] = x1[0], d0[k + 1] = z1[k + 1], d0[k + 2] = x2[0], d0[k + 3] = z2[k + 1];
    d1[k] = z1[k], d1[k + 1] = x1[2], d1[k + 2] = z2[k], d1[k + 3] = x2[2];
    d2[k] = x1[1], d2[k + 1] = z1[k + 2], d2[k + 2] = x2[1], d2[k + 3] = z2[k + 2];
    memset(y, 2, sizeof y);
    for (int s = 0; s < 3; s++) {
        memcpy(y[s] + size - length, d + s * length, (size_t)length);
        if (s < 2)
            memset(y[s] + size - length, 2, (size_t)filler);
    }
    for (int column = 0; column < 32; column++) {
        for (int row = 0; row < rows; row++) {
            v[0][column * rows + row] = y[0][row * 32 + p[column]];
            v[1][column * rows + row] = y[1][row * 32 + p[column]];
            v[2][column * rows + row] = y[2][(p[column] + 32 * row + 1) % size];
        }
    }
    for (int i = 0; i < size; i++) {
        w[i] = v[0][i];
        w[size + 2 * i] = v[1][i];
        w[size + 2 * i + 1] = v[2][i];
    }
    int m = 0;
    for (int at = rows * (2 * (int)ceil(n_cb / (8.0 * rows)) * rv + 2); m < n; at++) {
        if (w[at % n_cb] != 2)
            sent[m++] = w[at % n_cb];
    }
    return m;
}

static void every_size_and_version_is_as_written(void **state)
{
    enum { MOST_SENT = 40000 };
    static uint8_t bits[MOST_K], d[MOST_D], plain_d[MOST_D], plain[MOST_SENT];
    static uint32_t order[MOST_SENT];
    (void)state;
    for (int b = 0; b < LTE_N_CODE_BLOCKS; b++) {
        const lte_code_block *block = &lte_code_blocks[b];
        const int whole = lte_rate_matching_buffer(block);
        for (int rv = 0; rv < LTE_N_REDUNDANCY_VERSIONS; rv++) {
            const int filler = (b + rv) % 3 ? 0 : 1 + (7 * b + rv) % 31;
            const int buffer = (b + rv) % 5 ? 0 : whole * 2 / 3;
            const int n = b % 2 ? block->k : 5 * block->k + 77; /* a part, and round and round */
            const lte_rate_matching m = {
                .block = block, .filler = filler, .buffer = buffer, .version = rv};
            draw_bits(&random_state, bits, block->k);
            memset(bits, 0, (size_t)filler);
            lte_turbo_encode(block, bits, d);
            assert_int_equal(lte_rate_matching_order(&m, n, order), LTE_OK);
            (void)plain_sent(block, bits, filler, rv, buffer ? buffer : whole, n, plain_d, plain);
            assert_memory_equal(d, plain_d, 3 * (size_t)lte_code_block_stream(block));
            for (int e = 0; e < n; e++) {
                if (d[order[e]] != plain[e])
                    fail_msg("K=%d rv=%d: element %d differs", block->k, rv, e);
            }
        }
    }
}

/* Shares of a transport block are whole symbols, all of them, and differ by one symbol at most. */
static void shares_are_all_that_is_sent(void **state)
{
    (void)state;
    for (int c = 1; c <= 13; c++) {
        for (int symbols = c; symbols < 300; symbols += 7) {
            for (int layers = 1; layers <= 2; layers++) {
                const int unit = layers * 4, g = symbols * unit;
                int sum = 0, least = g, most = 0;
                for (int r = 0; r < c; r++) {
                    const int e = lte_rate_matching_share(g, c, r, layers, 4);
                    assert_int_equal(e % unit, 0);
                    assert_true(e >= most);
                    least = e < least ? e : least;
                    most = e;
                    sum += e;
                }
                assert_int_equal(sum, g);
                assert_true(most - least <= unit);
            }
        }
    }
}

static void wrong_orders_are_refused(void **state)
{
    const lte_code_block *block = lte_code_block_of(40);
    const lte_rate_matching wrong[] = {{block, 0, 0, 4},  {block, 0, 0, -1},  {block, 40, 0, 0},
                                       {block, -1, 0, 0}, {block, 0, 193, 0}, {block, 0, 63, 0}};
    uint32_t order[8];
    (void)state;
    lte_fail_handler handler = expect_failures();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(lte_rate_matching_order(&wrong[i], 8, order), LTE_EINVAL);
    const lte_rate_matching right = {.block = block};
    assert_int_equal(lte_rate_matching_order(&right, 0, order), LTE_EINVAL);
    assert_int_equal(*failures_seen(), 7);
    (void)lte_fail_handler_set(handler);
}

static const struct CMUnitTest cases[] = {
    LTE_CASE(coding, stored_vectors_come_out),
    LTE_CASE(coding, parity_answers_an_impulse),
    LTE_CASE(coding, check_words_come_out),
    LTE_CASE(coding, bursts_are_found),
    LTE_CASE(coding, interleavers_are_permutations),
    LTE_CASE(coding, published_payloads_are_cut_as_published),
    LTE_CASE(coding, blocks_are_cut_and_joined),
    LTE_CASE(coding, every_size_and_version_is_as_written),
    LTE_CASE(coding, shares_are_all_that_is_sent),
    LTE_CASE(coding, wrong_orders_are_refused),
};

int main(void)
{
    return cmocka_run_group_tests_name("coding", cases, NULL, NULL);
}
