#ifndef LTE_SIM_REVISION_H
#define LTE_SIM_REVISION_H
/* Revision of the sources that this program was built from, "unknown" without a repository. */

extern const char lte_revision[];

#endif
