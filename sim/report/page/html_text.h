#ifndef LTE_SIM_REPORT_HTML_TEXT_H
#define LTE_SIM_REPORT_HTML_TEXT_H
/*
 * Text of others in an HTML file.
 *
 *     fputs("<td>", out);
 *     lte_html_text(out, title);
 *     fputs("</td>", out);
 */

#include <stdio.h>

/*
 * Writes a text, in an element or between double quotes: what HTML has a meaning for becomes a
 * reference; control characters, and bytes that are not UTF-8, a question mark.
 */
void lte_html_text(FILE *out, const char *text);

/* An element with a text in it: <name attributes>text</name>. */
void lte_html_element(FILE *out, const char *name, const char *attributes, const char *text);

#endif
