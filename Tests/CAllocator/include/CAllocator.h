#pragma once
#include <malloc.h>
#include <stddef.h>

/// The bytes of all allocations of this process, as glibc counts them.
static inline size_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
