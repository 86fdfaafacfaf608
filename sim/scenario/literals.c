/* Words of a scenario: what they are by their form, and whether libconfig keeps them as written. */
#include "sim/scenario/reader.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim/files/refuse.h"

lte_scenario_word lte_scenario_classify(const char *word)
{
    if (strcasecmp(word, "true") == 0 || strcasecmp(word, "false") == 0)
        return LTE_WORD_BOOL;
    if (isalpha((unsigned char)*word) || *word == '*')
        return word[strcspn(word, ".+")] ? LTE_WORD_OTHER : LTE_WORD_NAME;
    const char *c = word;
    if (c[0] == '0' && (c[1] == 'x' || c[1] == 'X')) {
        size_t n = strspn(c + 2, "0123456789abcdefABCDEF");
        const char *suffix = c + 2 + n;
        if (n > 0 && !*suffix)
            return LTE_WORD_HEX;
        return n > 0 && (!strcmp(suffix, "L") || !strcmp(suffix, "LL")) ? LTE_WORD_HEX64
                                                                        : LTE_WORD_OTHER;
    }
    c += *c == '+' || *c == '-';
    size_t digits = strspn(c, "0123456789");
    c += digits;
    if (digits > 0 && !*c)
        return LTE_WORD_INT;
    if (digits > 0 && (!strcmp(c, "L") || !strcmp(c, "LL")))
        return LTE_WORD_INT64;
    if (*c == '.') {
        size_t decimals = strspn(c + 1, "0123456789");
        digits += decimals;
        c += 1 + decimals;
    }
    if (digits > 0 && (*c == 'e' || *c == 'E')) {
        c++;
        c += *c == '+' || *c == '-';
        size_t exponent = strspn(c, "0123456789");
        c += exponent;
        digits = exponent;
    }
    return digits > 0 && !*c ? LTE_WORD_REAL : LTE_WORD_OTHER;
}

lte_status lte_scenario_check_word(const char *word, const char *path,
                                   const lte_scenario_place *place)
{
    lte_scenario_word kind = lte_scenario_classify(word);
    const char *at = place->text;
    bool is_hex = kind == LTE_WORD_HEX || kind == LTE_WORD_HEX64;
    bool wide = kind == LTE_WORD_INT64 || kind == LTE_WORD_HEX64;
    if (kind == LTE_WORD_NAME)
        return lte_refuse("%s: %s = %s: this is neither a number nor true or false; text needs "
                          "quotes, \"%s\"",
                          at, path, word, word);
    if (kind == LTE_WORD_OTHER)
        return lte_refuse("%s: %s = %s: this is not a number (as 3, 3L, 0x3 and 3.0 are)", at, path,
                          word);
    if (kind == LTE_WORD_BOOL)
        return LTE_OK;
    if (kind == LTE_WORD_REAL) {
        if (!isfinite(strtod(word, NULL)))
            return lte_refuse("%s: %s = %s: this is beyond the largest real, 1.8e308", at, path,
                              word);
        return LTE_OK;
    }
    errno = 0;
    long long x = strtoll(word, NULL, is_hex ? 16 : 10);
    if (errno)
        return lte_refuse("%s: %s = %s: this does not fit in 64 bits, signed", at, path, word);
    if (!wide && (x < INT_MIN || x > INT_MAX))
        return lte_refuse("%s: %s = %s: this does not fit in 32 bits; for 64 write %sL", at, path,
                          word, word);
    return LTE_OK;
}

bool lte_scenario_integer(const config_setting_t *setting, long long *x)
{
    int type = config_setting_type(setting);
    *x = config_setting_get_int64(setting);
    return type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64;
}

bool lte_scenario_real(const config_setting_t *setting, double *x)
{
    long long integer = 0;
    bool whole = lte_scenario_integer(setting, &integer);
    *x = whole ? (double)integer : config_setting_get_float(setting);
    return whole || config_setting_type(setting) == CONFIG_TYPE_FLOAT;
}

/* An integer, or a real that is one: 1e6. */
bool lte_scenario_count(const config_setting_t *setting, long long *x)
{
    double real = 0.0;
    if (lte_scenario_integer(setting, x))
        return true;
    if (!lte_scenario_real(setting, &real) || !(real >= 0.0 && real <= 0x1p53) ||
        real != floor(real))
        return false;
    *x = (long long)real;
    return true;
}
