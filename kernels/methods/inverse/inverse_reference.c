/* The plain loops of kernels/methods/inverse/inverse.h: what all else is held equal to. */
#include "kernels/methods/inverse/inverse.h"

#include <string.h>

#include "kernels/methods/inverse/inverse_numbers.h"
#include "kernels/base/levels.h"

#define OP(name) s_##name
#define NUMBER float
#define REAL float
#include "kernels/methods/inverse/inverse_reference_text.h"

#define OP(name) c_##name
#define NUMBER lte_cplx
#define REAL float
#include "kernels/methods/inverse/inverse_reference_text.h"

#define OP(name) d_##name
#define NUMBER double
#define REAL double
#include "kernels/methods/inverse/inverse_reference_text.h"

#define OP(name) z_##name
#define NUMBER lte_cf64
#define REAL double
#include "kernels/methods/inverse/inverse_reference_text.h"

const lte_inverse_level lte_inverse_ref = {
    .name = "ref", .usable = lte_has_ref, .run = {s_run, c_run, d_run, z_run}};
