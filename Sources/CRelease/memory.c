#include "CRelease.h"

#ifdef __linux__
#include <malloc.h>
#endif

void carousel_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
