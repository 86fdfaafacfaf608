/* A command line as one text. */
#include "sim/cli/options.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/files/text.h"

/* True if a shell takes the word as it stands. */
static bool is_plain(const char *word)
{
    if (!*word)
        return false;
    for (; *word; word++) {
        if (!isalnum((unsigned char)*word) && !strchr("._/=+,:%@-", *word))
            return false;
    }
    return true;
}

static bool is_utf8(const char *word)
{
    size_t n = 1;
    for (; *word && n > 0; word += n)
        n = lte_text_character(word, strnlen(word, 4));
    return n > 0;
}

/* True if all of it is written: ferror does not always tell that memory was missing. */
static bool put_word(FILE *out, const char *word)
{
    if (is_plain(word))
        return fputs(word, out) >= 0;
    const bool text = is_utf8(word);
    bool good = fputs(text ? "'" : "$'", out) >= 0;
    for (; *word; word++) {
        const unsigned char c = (unsigned char)*word;
        if (text)
            good = (c == '\'' ? fputs("'\\''", out) : fputc(c, out)) >= 0 && good;
        else if (c < ' ' || c > '~' || c == '\'' || c == '\\')
            good = fprintf(out, "\\%03o", (unsigned)c) >= 0 && good;
        else
            good = fputc(c, out) >= 0 && good;
    }
    return fputc('\'', out) >= 0 && good;
}

char *lte_command_text(int argc, char *const *argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    bool good = true;
    for (int i = 0; i < argc; i++)
        good = fputs(i ? " " : "", out) >= 0 && put_word(out, argv[i]) && good;
    return lte_text_end(out, &text, good);
}
