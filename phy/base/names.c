/* How rows of any kind are searched by name, and which name an unknown one may mean. */
#include "phy/base/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

const char *lte_name_at(const lte_names *names, int i)
{
    const char *first = (const char *)names->first;
    return *(const char *const *)(const void *)(first + (size_t)i * names->stride);
}

int lte_name_find(const lte_names *names, const char *name)
{
    for (int i = 0; i < names->n; i++) {
        if (strcasecmp(lte_name_at(names, i), name) == 0)
            return i;
    }
    return -1;
}

/* True if two characters are the same but for their case. */
static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

int lte_name_edits(const char *a, const char *b)
{
    enum { ROOM = 48 };
    int d[ROOM][ROOM]; /* d[i][k]: edits from the first i characters of a to the first k of b */
    const int n_a = (int)strnlen(a, ROOM), n_b = (int)strnlen(b, ROOM);
    if (n_a == ROOM || n_b == ROOM)
        return LTE_MANY_EDITS;
    for (int i = 0; i <= n_a; i++) {
        for (int k = 0; k <= n_b; k++) {
            if (i == 0 || k == 0) {
                d[i][k] = i + k;
                continue;
            }
            int best = d[i - 1][k - 1] + !same(a[i - 1], b[k - 1]);
            best = d[i - 1][k] + 1 < best ? d[i - 1][k] + 1 : best;
            best = d[i][k - 1] + 1 < best ? d[i][k - 1] + 1 : best;
            if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]) &&
                d[i - 2][k - 2] + 1 < best)
                best = d[i - 2][k - 2] + 1;
            d[i][k] = best;
        }
    }
    return d[n_a][n_b];
}

int lte_name_most_edits(const char *name)
{
    return strlen(name) < 5 ? 1 : 2;
}

void lte_near_name_try(lte_near_name *near, const char *known)
{
    const int edits = lte_name_edits(near->name, known);
    if (edits > lte_name_most_edits(near->name) || (near->meant && edits >= near->edits))
        return;
    near->meant = known;
    near->edits = edits;
}
