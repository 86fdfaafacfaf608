/*
 * Resource grids: the elements of a subframe that carry data, by published sizes, and the symbols
 * of those that do not. Sources: TS 36.211, TS 36.101 A.3.
 */
#include "tests/lib/unit.h"

#include <math.h>
#include <string.h>

#include "phy/base/carrier.h"
#include "phy/base/resource_grid.h"
#include "phy/coding/segmentation.h"
#include "phy/coding/transport_size.h"
#include "phy/detection/qam.h"

static int elements(int kind, int control_symbols, int n_layers, bool srs, int n_rb)
{
    const lte_grid_plan plan = {kind, control_symbols, n_layers, srs};
    const lte_grid grid = lte_grid_of(&plan);
    return lte_grid_elements(&grid, LTE_RB_SC * n_rb);
}

/* TS 36.101, A.3.3: full-band reference channels; payload of subframes but 0 and 5, and of 0. */
static const struct {
    const char *name;
    int n_rb, n_layers, n_bits, channel_bits, channel_bits_0;
    double rate;
    int payload, payload_0;
} channels[] = {{"R.2", 50, 1, 2, 13800, 12960, 1.0 / 3.0, 4392, 4392},
                {"R.3", 50, 1, 4, 27600, 25920, 0.5, 14112, 12960},
                {"R.3-1", 25, 1, 4, 12600, 10920, 0.5, 6456, 5736},
                {"R.4", 6, 1, 2, 1368, 528, 1.0 / 3.0, 408, 152},
                {"R.5", 15, 1, 6, 11340, 8820, 0.75, 8504, 6456},
                {"R.6", 25, 1, 6, 18900, 16380, 0.75, 14112, 12576},
                {"R.7", 50, 1, 6, 41400, 38880, 0.75, 30576, 28336},
                {"R.8", 75, 1, 6, 62100, 59580, 0.75, 46888, 45352},
                {"R.9", 100, 1, 6, 82800, 80280, 0.75, 61664, 61664},
                {"R.41", 50, 1, 2, 13800, 12960, 0.1, 1384, 1384},
                {"R.42", 100, 1, 2, 27600, 26760, 1.0 / 3.0, 8760, 8760},
                {"R.42-1", 15, 1, 2, 3780, 2940, 1.0 / 3.0, 1320, 1064},
                {"R.42-2", 25, 1, 2, 6300, 5460, 1.0 / 3.0, 2216, 1800},
                {"R.42-3", 75, 1, 2, 20700, 19860, 1.0 / 3.0, 6712, 6712},
                {"R.10", 50, 2, 2, 13200, 12384, 1.0 / 3.0, 4392, 4392},
                {"R.11", 50, 2, 4, 26400, 24768, 0.5, 12960, 12960},
                {"R.11-2", 25, 2, 4, 12000, 10368, 0.5, 5736, 4968},
                {"R.30", 100, 2, 4, 52800, 51168, 0.5, 25456, 25456},
                {"R.35", 50, 2, 6, 39600, 37152, 0.5, 19848, 18336},
                {"R.12", 6, 4, 2, 1248, 480, 1.0 / 3.0, 408, 152},
                {"R.13", 50, 4, 2, 12800, 12032, 1.0 / 3.0, 4392, 3624},
                {"R.14", 50, 4, 4, 25600, 24064, 0.5, 12960, 11448},
                {"R.14-3", 100, 4, 4, 51200, 49664, 0.5, 25456, 22920},
                {"R.36", 50, 4, 6, 38400, 36096, 0.5, 18336, 18336}};
enum { N_CHANNELS = sizeof channels / sizeof *channels };

static void bits_are_those_of_the_reference_channels(void **state)
{
    (void)state;
    for (int i = 0; i < N_CHANNELS; i++) {
        const int n_rb = channels[i].n_rb, control = lte_grid_control_symbols(n_rb);
        assert_int_equal(elements(LTE_GRID_pdsch, control, channels[i].n_layers, false, n_rb) *
                             channels[i].n_bits,
                         channels[i].channel_bits);
    }
    /* with one symbol of control: R.31-1 and R.31-3A */
    assert_int_equal(elements(LTE_GRID_pdsch, 1, 1, false, 50) * 6, 45000);
    assert_int_equal(elements(LTE_GRID_pdsch, 1, 2, false, 50) * 6, 43200);
    assert_int_equal(elements(LTE_GRID_pdsch, 1, 2, false, 100) * 6, 86400);
}

/* A.3.1: the size whose code rate is nearest to R, the larger on a tie. */
static int payload_by_rule(int n_rb, int channel_bits, double rate)
{
    int best = 0;
    double nearest = HUGE_VAL;
    for (int i_tbs = 0; i_tbs <= 26; i_tbs++) {
        const int bits = lte_transport_size(i_tbs, n_rb, 1);
        lte_segmentation s;
        assert_int_equal(lte_segmentation_of(bits, &s), LTE_OK);
        const double own = (bits + 24.0 + (s.n > 1 ? 24.0 * s.n : 0.0)) / channel_bits;
        if (own <= 0.93 && fabs(own - rate) < nearest + 1e-9) {
            nearest = fabs(own - rate);
            best = bits;
        }
    }
    return best;
}

/* Four of the 24 have another in the published table, as far as it is known. */
static void payloads_follow_from_the_rule(void **state)
{
    static const char *const others[] = {"R.8", "R.42-1", "R.14-3", "R.36"};
    int n = 0;
    (void)state;
    for (int i = 0; i < N_CHANNELS; i++) {
        const int payload =
            payload_by_rule(channels[i].n_rb, channels[i].channel_bits, channels[i].rate);
        const int payload_0 =
            payload_by_rule(channels[i].n_rb, channels[i].channel_bits_0, channels[i].rate);
        bool other = false;
        for (int k = 0; k < 4; k++)
            other = other || strcmp(channels[i].name, others[k]) == 0;
        const bool is_so = payload == channels[i].payload && payload_0 == channels[i].payload_0;
        assert_int_equal(is_so, !other);
        n += is_so;
    }
    assert_int_equal(n, 20);
}

/* Of a resource block: 12 (14 - c) less 6, 12, 16 (20 where c is 1), and 24 for many layers. */
static void blocks_have_the_counts_of_the_formula(void **state)
{
    (void)state;
    for (int c = 1; c <= LTE_MOST_CONTROL_SYMBOLS; c++) {
        for (int n = 1; n <= 8; n++) {
            const int signals = n == 1 ? 6 : n == 2 || n > 4 ? 12 : c == 1 ? 20 : 16;
            assert_int_equal(elements(LTE_GRID_pdsch, c, n, false, 1),
                             12 * (14 - c) - signals - (n > 4 ? 24 : 0));
        }
    }
    assert_int_equal(elements(LTE_GRID_pusch, 0, 1, false, 6), 864); /* 12 symbols */
    assert_int_equal(elements(LTE_GRID_pusch, 0, 1, true, 6), 792);
    assert_int_equal(elements(LTE_GRID_full, 0, 1, false, 6), 1008);
    static const int control[LTE_N_CARRIERS] = {4, 3, 3, 2, 2, 2};
    for (int i = 0; i < LTE_N_CARRIERS; i++)
        assert_int_equal(lte_grid_control_symbols(lte_carriers[i].n_rb), control[i]);
}

/*
 * Reference signals of four ports, drawn: R0 to R3 of TS 36.211, figure 6.10.1.2-1, subcarriers 0
 * to 11 in symbols 0 to 6 of the even and of the odd slot; those of a UE, figure 6.10.3.2-3.
 */
static void signals_lie_where_they_are_drawn(void **state)
{
    static const char *const even[7] = {"0..1..0..1..", "2..3..2..3..", "............",
                                        "............", "1..0..1..0..", "............",
                                        "............"};
    static const char *const odd[7] = {"0..1..0..1..", "3..2..3..2..", "............",
                                       "............", "1..0..1..0..", "............",
                                       "............"};
    static const char of_ue[] = "bb...bb...bb";
    (void)state;
    for (int n_layers = 1; n_layers <= 8; n_layers++) {
        const lte_grid_plan plan = {
            .kind = LTE_GRID_pdsch, .control_symbols = 1, .n_layers = n_layers};
        const int ports = n_layers == 1 ? 1 : n_layers == 2 || n_layers > 4 ? 2 : 4;
        for (int m = 1; m < 14; m++) {
            const int slot = m / 7, symbol = m % 7;
            for (int sc = 0; sc < 24; sc++) {
                const char drawn = (slot ? odd : even)[symbol][sc % 12];
                const bool crs = drawn != '.' && drawn - '0' < ports;
                const bool ue = n_layers > 4 && symbol >= 5 && of_ue[sc % 12] != '.';
                assert_int_equal(lte_grid_purpose(&plan, slot, symbol, sc), crs ? LTE_PURPOSE_CRS
                                                                            : ue
                                                                                ? LTE_PURPOSE_UE_RS
                                                                                : LTE_PURPOSE_DATA);
            }
        }
    }
}

/* On two neighbouring subcarriers mean power 1, whatever the signs; and all four signs occur. */
static void idle_elements_have_the_power_of_data(void **state)
{
    (void)state;
    for (int n_bits = 2; n_bits <= LTE_MAX_BITS; n_bits += 2) {
        unsigned seen = 0;
        for (unsigned signs = 0; signs < 4; signs++) {
            double power = 0.0;
            for (int sc = 0; sc < 2; sc++) {
                const unsigned label = lte_grid_idle_label(n_bits, sc, signs);
                assert_true(label < 1U << n_bits);
                seen |= 1U << (label & 3);
                const lte_cplx x = lte_qam_map(n_bits, label);
                power += (double)x.re * (double)x.re + (double)x.im * (double)x.im;
            }
            assert_near(power / 2.0, 1.0, 1e-6);
        }
        assert_int_equal(seen, 15);
    }
}

int main(void)
{
    static const struct CMUnitTest cases[] = {
        LTE_CASE(resource_grid, bits_are_those_of_the_reference_channels),
        LTE_CASE(resource_grid, payloads_follow_from_the_rule),
        LTE_CASE(resource_grid, blocks_have_the_counts_of_the_formula),
        LTE_CASE(resource_grid, signals_lie_where_they_are_drawn),
        LTE_CASE(resource_grid, idle_elements_have_the_power_of_data),
    };
    return cmocka_run_group_tests_name("resource_grid", cases, NULL, NULL);
}
