#ifndef LTE_SIM_SHA256_H
#define LTE_SIM_SHA256_H
/*
 * SHA-256 (FIPS 180-4) of bytes in memory, in hexadecimal digits.
 *
 *     char digits[LTE_SHA256_DIGITS + 1];
 *     lte_sha256(data, n, digits);
 */

#include <stddef.h>

enum { LTE_SHA256_DIGITS = 64 };

void lte_sha256(const void *data, size_t n, char digits[LTE_SHA256_DIGITS + 1]);

#endif
