#include "CRelease.h"

#ifdef __linux__
#include <malloc.h>
#endif

void carousel_trim_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void carousel_return_large_memory(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}
