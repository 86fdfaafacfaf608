/*
 * Reads what a run of ltesim has left in its result folder, prints the bit error rate of each row
 * beside its closed form, and counts the rows.
 *
 *     cc -O2 read_result.c $(pkg-config --cflags --libs ltesim) -lm -o read_result
 *     ltesim quick --only ber && ./read_result out/quick
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <ltesim/ltesim.h>

/* Says in this program's own words why the library failed. */
static void tell(lte_status status, const char *file, int line, const char *text)
{
    (void)file;
    (void)line;
    fprintf(stderr, "read_result: %s (%d)\n", text, (int)status);
}

/* True if a row is as a run leaves it. */
static int is_sound(const lte_ber_row *row)
{
    return row->bit_errors <= row->bits && (isnan(row->ber) || row->ber_low <= row->ber) &&
           (isnan(row->ber) || row->ber <= row->ber_high);
}

int main(int argc, char **argv)
{
    lte_ber_table table;
    int n_sound = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: read_result FOLDER\n");
        return EXIT_FAILURE;
    }
    (void)lte_fail_handler_set(tell);
    if (lte_ber_table_read(argv[1], &table))
        return EXIT_FAILURE;
    for (int i = 0; i < table.n_rows; i++) {
        const lte_ber_row *row = &table.rows[i];
        printf("%-8s %6.2f dB  %.3e", row->detector, row->snr_db, row->ber);
        if (!isnan(row->ber_theory))
            printf("  closed form %.3e", row->ber_theory);
        printf("  ended by %s\n", row->status);
        n_sound += is_sound(row);
    }
    printf("rows %d, sound %d\n", table.n_rows, n_sound);
    lte_ber_table_fini(&table);
    return EXIT_SUCCESS;
}
