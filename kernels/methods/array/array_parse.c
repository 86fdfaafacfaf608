/* Array types from text. */
#include "kernels/methods/array/array.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/methods/array/array_build.h"

/* The text of a type, read from at on. */
typedef struct {
    lte_array *a;
    const lte_array_name *names;
    const char *at;
} reader;

static bool take(reader *r, char c)
{
    while (*r->at == ' ')
        r->at++;
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool at_digit(reader *r)
{
    while (*r->at == ' ')
        r->at++;
    return isdigit((unsigned char)*r->at) || *r->at == '-';
}

static int64_t read_number(reader *r)
{
    char *end;
    if (!at_digit(r)) {
        lte_array_spoil(r->a, LTE_ARRAY_SIZE);
        return 0;
    }
    errno = 0;
    const int64_t n = strtoll(r->at, &end, 10);
    if (errno != 0)
        lte_array_spoil(r->a, LTE_ARRAY_OVERFLOW);
    r->at = end;
    return n;
}

/* A number, or a product or quotient of some. */
static int64_t read_size(reader *r)
{
    int64_t n = read_number(r);
    for (;;) {
        const bool times = take(r, '*');
        if (!times && !take(r, '/'))
            return n;
        const int64_t by = read_number(r);
        if (n < 1 || by < 1 || (!times && n % by != 0))
            lte_array_spoil(r->a, LTE_ARRAY_SIZE);
        else if (times && n > INT64_MAX / by)
            lte_array_spoil(r->a, LTE_ARRAY_OVERFLOW);
        else
            n = times ? n * by : n / by;
        if (r->a->fault)
            return n;
    }
}

/* Goes down _0_1 ... in a type; returns the dimension, -1 if there is none. */
static int read_path(const lte_array *a, const char **at)
{
    int d = 0;
    while (d >= 0 && (*at)[0] == '_' && isdigit((unsigned char)(*at)[1])) {
        char *end;
        const long i = strtol(*at + 1, &end, 10);
        d = lte_dim_in(a, d, i > LTE_ARRAY_DIMS ? LTE_ARRAY_DIMS : (int)i);
        *at = end;
    }
    return d;
}

/* A name and its path, after the #; the longest name that fits counts. */
static void read_reference(reader *r, const lte_array **type, int *d)
{
    const char *const from = r->at;
    size_t longest = 0;
    *type = NULL;
    for (const lte_array_name *n = r->names; n && n->name; n++) {
        const size_t length = strlen(n->name);
        const char *end = from + length;
        if (length <= longest || strncmp(from, n->name, length) != 0)
            continue;
        const int found = read_path(n->type, &end);
        if (isalnum((unsigned char)*end) || *end == '_')
            continue;
        longest = length;
        *type = n->type;
        *d = found;
        r->at = end;
    }
    if (!*type)
        lte_array_spoil(r->a, LTE_ARRAY_MISSING);
}

/* All brackets at one depth; no deeper than a type may be, since a fault ends it. */
static void read_dims(reader *r)
{
    const lte_array *type = NULL;
    int d = 0;
    while (!r->a->fault && take(r, '[')) {
        const bool sized = at_digit(r), nested = *r->at == '[';
        const int64_t n = sized ? read_size(r) : 0;
        if (nested) {
            lte_dim_open(r->a);
            read_dims(r);
        }
        const bool refers = take(r, '#');
        if (refers)
            read_reference(r, &type, &d);
        if (nested && refers)
            lte_dim_close_as(r->a, type, d);
        else if (nested)
            lte_dim_close(r->a);
        else if (sized && refers)
            lte_dim_of_as(r->a, n, type, d);
        else if (sized)
            lte_dim_of(r->a, n);
        else if (refers)
            lte_dim_ref(r->a, type, d);
        if ((!nested && !sized && !refers) || !take(r, ']'))
            lte_array_spoil(r->a, LTE_ARRAY_EMPTY);
    }
}

/* The number of the next word in words [n], if it is one of them; else none. */
static int read_word(reader *r, int n, const char *const *words, int none)
{
    while (*r->at == ' ')
        r->at++;
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]))
        length++;
    for (int i = 0; i < n; i++) {
        if (strlen(words[i]) == length && strncmp(r->at, words[i], length) == 0) {
            r->at += length;
            return i;
        }
    }
    return length == 0 ? none : n;
}

lte_status lte_array_parse(lte_array *a, const lte_array_name *names, const char *format, ...)
{
#define WORD(id, text) text,
#define ELEMENT_WORD(id, text, bytes) text,
    static const char *const elements[] = {LTE_ELEMENTS(ELEMENT_WORD)};
    static const char *const memories[] = {LTE_MEMORIES(WORD)};
#undef WORD
#undef ELEMENT_WORD
    char text[256];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    reader r = {a, names, text};
    const int element = read_word(&r, LTE_N_ELEMENTS, elements, LTE_N_ELEMENTS);
    const int memory = read_word(&r, LTE_N_MEMORIES, memories, LTE_PAGEABLE);
    *a = lte_array_begin((lte_element)element, (lte_memory)memory);
    read_dims(&r);
    while (*r.at == ' ')
        r.at++;
    if (length < 0 || (size_t)length >= sizeof text)
        lte_array_spoil(a, LTE_ARRAY_DEEP);
    if (*r.at != '\0')
        lte_array_spoil(a, LTE_ARRAY_EMPTY);
    lte_array_end(a);
    if (a->fault)
        return LTE_FAIL(LTE_EINVAL, "array type \"%s\": %s (read up to \"%s\")", text,
                        lte_array_fault_text(a->fault), r.at);
    return LTE_OK;
}

lte_status lte_array_find(const lte_array *a, const char *name, int *d)
{
    char path[256];
    const char *at = path;
    (void)snprintf(path, sizeof path, "%s%s", name[0] ? "_" : "", name);
    const int found = read_path(a, &at);
    if (found < 0 || *at != '\0')
        return LTE_FAIL(LTE_EINVAL, "no dimension _%s", name);
    *d = found;
    return LTE_OK;
}
