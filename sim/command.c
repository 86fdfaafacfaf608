/* A command line as one text. */
#include "sim/command.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void put_word(FILE *out, const char *word)
{
    if (is_plain(word)) {
        (void)fputs(word, out);
        return;
    }
    (void)fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            (void)fputs("'\\''", out);
        else
            (void)fputc(*word, out);
    }
    (void)fputc('\'', out);
}

char *lte_command_text(int argc, char *const *argv)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (int i = 0; i < argc; i++) {
        (void)fputs(i ? " " : "", out);
        put_word(out, argv[i]);
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}
