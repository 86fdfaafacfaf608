#ifndef LTE_SIM_FILES_JSON_MEMORY_H
#define LTE_SIM_FILES_JSON_MEMORY_H
/*
 * Whether JSON has all its parts. jansson leaves out what it finds no memory for: a list is
 * shorter, an object lacks a key, and nobody is told. So whoever makes some asks when it is done.
 *
 *     lte_json_begin();
 *     json_t *root = json_pack(...);
 *     char *text = json_dumps(root, 0);
 *     if (!lte_json_is_whole())
 *         return LTE_FAIL(LTE_ENOMEM, "no memory for x.json");
 */

#include <stdbool.h>

/* From here on jansson's memory is watched. */
void lte_json_begin(void);

/* False if jansson has found no memory since lte_json_begin. */
bool lte_json_is_whole(void);

#endif
