/* The grammar of a scenario text, checked before libconfig reads it. */
#include "sim/scenario/reader.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sim/files/refuse.h"

/* Far more than a scenario has; a longer list of keys holds unknown ones. */
enum { MAX_SEEN = 64, MAX_DEPTH = 4, MAX_WORD = 64 };

typedef enum { TOKEN_END, TOKEN_WORD, TOKEN_STRING, TOKEN_MARK } token_kind;

typedef struct {
    token_kind kind;
    const char *start;
    int n; /* characters, quotes of a string included */
    int line;
} token;

typedef struct {
    const char *at;
    int line;
    const char *file;                /* NULL in an override */
    const lte_scenario_place *place; /* of the override */
    char *title;
    size_t title_size;
    token next;
    char path[LTE_SCENARIO_PATH]; /* of the key at hand, "" before the first */
    char seen[MAX_SEEN][LTE_SCENARIO_PATH];
    int n_seen;
} reader;

static lte_scenario_place place_of(const reader *r, int line)
{
    return r->file ? lte_scenario_place_file(r->file, line) : *r->place;
}

/* "expected what, found this", at the token. */
static lte_status unexpected(const reader *r, const char *what)
{
    lte_scenario_place place = place_of(r, r->next.line);
    char found[80];
    if (r->next.kind == TOKEN_END)
        (void)snprintf(found, sizeof found, "the end of the %s", r->file ? "file" : "value");
    else if (r->next.kind == TOKEN_MARK && !isgraph((unsigned char)*r->next.start))
        (void)snprintf(found, sizeof found, "the byte 0x%02x", (unsigned char)*r->next.start);
    else
        (void)snprintf(found, sizeof found, "'%.*s'", r->next.n < 40 ? r->next.n : 40,
                       r->next.start);
    if (r->next.kind == TOKEN_MARK && *r->next.start == '@')
        return lte_refuse("%s: @include is refused: a scenario is one file", place.text);
    if (!*r->path)
        return lte_refuse("%s: expected %s, found %s", place.text, what, found);
    return lte_refuse("%s: %s: expected %s, found %s", place.text, r->path, what, found);
}

/* Keeps the first comment that says something. */
static void keep_title(const reader *r, const char *start, size_t n)
{
    if (!r->title || *r->title)
        return;
    while (n > 0 && (strchr("#/*", *start) || isspace((unsigned char)*start))) {
        start++;
        n--;
    }
    while (n > 0 && (strchr("#/*", start[n - 1]) || isspace((unsigned char)start[n - 1])))
        n--;
    lte_scenario_copy_text(r->title, r->title_size, start, n);
}

/* Skips white space and comments. */
static lte_status skip_blank(reader *r)
{
    for (;;) {
        if (*r->at == '\n') {
            r->line++;
            r->at++;
        } else if (strchr(" \t\r\f", *r->at) && *r->at) {
            r->at++;
        } else if (*r->at == '#' || (*r->at == '/' && r->at[1] == '/')) {
            size_t n = strcspn(r->at, "\n");
            keep_title(r, r->at, n);
            r->at += n;
        } else if (*r->at == '/' && r->at[1] == '*') {
            const char *end = strstr(r->at + 2, "*/");
            if (!end) {
                lte_scenario_place place = place_of(r, r->line);
                return lte_refuse("%s: the comment that begins with /* is never closed",
                                  place.text);
            }
            for (const char *line = r->at; line < end; line += strcspn(line, "\n") + 1) {
                size_t n = strcspn(line, "\n");
                keep_title(r, line, line + n < end ? n : (size_t)(end - line));
            }
            for (; r->at < end + 2; r->at++)
                r->line += *r->at == '\n';
        } else {
            return LTE_OK;
        }
    }
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_*.+-", c));
}

/* Reads the next token into r->next. */
static lte_status advance(reader *r)
{
    lte_status status = skip_blank(r);
    if (status)
        return status;
    const char *end = r->at;
    token_kind kind = TOKEN_MARK;
    if (!*end) {
        kind = TOKEN_END;
    } else if (*end == '"') {
        kind = TOKEN_STRING;
        for (end++; *end && *end != '"' && *end != '\n'; end++)
            end += *end == '\\' && (end[1] == '"' || end[1] == '\\');
        if (*end != '"') {
            lte_scenario_place place = place_of(r, r->line);
            return lte_refuse("%s: %s%sthe string %.40s... is not closed on its line", place.text,
                              r->path, *r->path ? ": " : "", r->at);
        }
        end++;
    } else if (is_word_char(*end)) {
        kind = TOKEN_WORD;
        while (is_word_char(*end))
            end++;
    } else {
        end++;
    }
    ptrdiff_t n = end - r->at;
    r->next = (token){kind, r->at, n < INT_MAX ? (int)n : INT_MAX, r->line};
    r->at = end;
    return LTE_OK;
}

static bool is_mark(const reader *r, char c)
{
    return r->next.kind == TOKEN_MARK && *r->next.start == c;
}

/* A word, or strings that stand side by side. */
static lte_status read_scalar(reader *r, lte_scenario_word *kind)
{
    *kind = LTE_WORD_NAME; /* stands for a string: no word that is a value has this kind */
    if (r->next.kind == TOKEN_WORD) {
        lte_scenario_place place = place_of(r, r->next.line);
        char word[MAX_WORD];
        if (r->next.n >= MAX_WORD)
            return lte_refuse("%s: %s: the value %.30s... is too long", place.text, r->path,
                              r->next.start);
        memcpy(word, r->next.start, (size_t)r->next.n);
        word[r->next.n] = '\0';
        *kind = lte_scenario_classify(word);
        lte_status status = lte_scenario_check_word(word, r->path, &place);
        return status ? status : advance(r);
    }
    if (r->next.kind != TOKEN_STRING)
        return unexpected(r, "a value");
    lte_status status = LTE_OK;
    while (!status && r->next.kind == TOKEN_STRING)
        status = advance(r);
    return status;
}

static lte_status read_group(reader *r, int depth);

/* Element i of a list, a group: its keys have the path "list[i].key". */
static lte_status read_listed_group(reader *r, int i)
{
    const size_t n = strlen(r->path);
    const int added = snprintf(r->path + n, sizeof r->path - n, "[%d]", i);
    lte_status status = (size_t)added < sizeof r->path - n ? advance(r) : unexpected(r, "a value");
    if (!status)
        status = read_group(r, MAX_DEPTH);
    r->path[n] = '\0';
    return status ? status : advance(r);
}

/* The elements of [ ] or ( ) from behind the opening bracket to behind the closing one. */
static lte_status read_elements(reader *r, char close)
{
    lte_scenario_word first = LTE_WORD_OTHER, kind = LTE_WORD_OTHER;
    lte_status status = advance(r);
    if (status || is_mark(r, close))
        return status ? status : advance(r);
    for (int i = 0;; i++) {
        lte_scenario_place place = place_of(r, r->next.line);
        if (is_mark(r, '[') || is_mark(r, '(') || (is_mark(r, '{') && close == ']'))
            return lte_refuse("%s: %s: %s", place.text, r->path,
                              is_mark(r, '{') ? "an array [ ] holds only plain values; write ( )"
                                              : "a list holds plain values and no lists");
        status = is_mark(r, '{') ? read_listed_group(r, i) : read_scalar(r, &kind);
        if (status)
            return status;
        first = i == 0 ? kind : first;
        if (close == ']' && kind != first) {
            bool mixed = (first == LTE_WORD_REAL || first == LTE_WORD_INT) &&
                         (kind == LTE_WORD_REAL || kind == LTE_WORD_INT);
            return lte_refuse(
                "%s: %s: an array [ ] holds values of one type, and this one mixes %s", place.text,
                r->path,
                mixed ? "integers and reals; give each a decimal point, as in [ 0.0, "
                        "40.0, 5.0 ], or write ( )"
                      : "types; write ( )");
        }
        if (is_mark(r, close))
            return advance(r);
        if (!is_mark(r, ','))
            return unexpected(r, close == ']' ? "',' or ']'" : "',' or ')'");
        status = advance(r);
        if (status)
            return status;
    }
}

/* Appends the name at hand to the path and refuses it if it was there before. */
static lte_status enter_key(reader *r, size_t prefix)
{
    lte_scenario_place place = place_of(r, r->next.line);
    char word[MAX_WORD] = "";
    if (r->next.kind != TOKEN_WORD)
        return unexpected(r, prefix ? "a key or '}'" : "a key");
    if (r->next.n < MAX_WORD)
        memcpy(word, r->next.start, (size_t)r->next.n);
    size_t room = sizeof r->path - prefix;
    if (!*word || (size_t)r->next.n + 2 > room || r->n_seen == MAX_SEEN)
        return lte_refuse("%s: the key %.30s... is too long, or there are too many keys",
                          place.text, r->next.start);
    if (lte_scenario_classify(word) != LTE_WORD_NAME) {
        const char *hint = "";
        if (strchr(word, '.') && isalpha((unsigned char)*word))
            hint = "; groups are written as in sweep = { min_slots = 64; };";
        return lte_refuse("%s: '%s' is not a key%s", place.text, word, hint);
    }
    (void)snprintf(r->path + prefix, room, "%s%s", prefix ? "." : "", word);
    for (int i = 0; i < r->n_seen; i++) {
        if (strcmp(r->seen[i], r->path) == 0)
            return lte_refuse("%s: %s is given twice", place.text, r->path);
    }
    memcpy(r->seen[r->n_seen++], r->path, sizeof r->path);
    return advance(r);
}

static lte_status read_value(reader *r, int depth);

/* Settings up to '}' (depth > 0) or the end; the path ends as it began. */
static lte_status read_group(reader *r, int depth)
{
    size_t prefix = strlen(r->path);
    for (;;) {
        if (depth > 0 ? is_mark(r, '}') : r->next.kind == TOKEN_END)
            return LTE_OK;
        lte_status status = enter_key(r, prefix);
        if (status)
            return status;
        if (!is_mark(r, '=') && !is_mark(r, ':'))
            return unexpected(r, "'='");
        status = advance(r);
        if (!status)
            status = read_value(r, depth);
        if (!status && (is_mark(r, ';') || is_mark(r, ',')))
            status = advance(r);
        if (status)
            return status;
        r->path[prefix] = '\0';
    }
}

static lte_status read_value(reader *r, int depth)
{
    lte_scenario_word kind;
    if (is_mark(r, '['))
        return read_elements(r, ']');
    if (is_mark(r, '('))
        return read_elements(r, ')');
    if (!is_mark(r, '{'))
        return read_scalar(r, &kind);
    if (depth == MAX_DEPTH) {
        lte_scenario_place place = place_of(r, r->next.line);
        return lte_refuse("%s: %s: the groups are nested too deep", place.text, r->path);
    }
    lte_status status = advance(r);
    if (!status)
        status = read_group(r, depth + 1);
    return status ? status : advance(r);
}

lte_status lte_scenario_check_text(const char *text, const char *file, char *title, size_t size,
                                   int *n_lines)
{
    reader r = {.at = text, .line = 1, .file = file, .title = title, .title_size = size};
    lte_status status = advance(&r);
    if (!status)
        status = read_group(&r, 0);
    *n_lines = r.line;
    return status;
}

lte_status lte_scenario_check_value(const char *value, const char *path,
                                    const lte_scenario_place *place)
{
    reader r = {.at = value, .line = 1, .place = place};
    (void)snprintf(r.path, sizeof r.path, "%s", path);
    lte_status status = advance(&r);
    if (!status)
        status = read_value(&r, 0);
    if (!status && r.next.kind != TOKEN_END)
        status = unexpected(&r, "the end of the value");
    return status;
}
