#include "CRows.h"

#include <malloc.h>

size_t break_rows(const uint32_t *aspects, size_t count, int64_t width, int64_t row, int64_t gap,
                  uint16_t *counts, uint32_t *heights) {
  size_t rows = 0;
  int64_t sum = 0, items = 0;
  for (size_t i = 0; i < count; i++) {
    int64_t aspect = aspects[i];
    aspect = aspect < 13107 ? 13107 : aspect > 327680 ? 327680 : aspect;
    sum += aspect;
    items++;
    int64_t room = width - (items - 1) * gap;
    if (sum * row >= room << 16) {
      counts[rows] = (uint16_t)items;
      heights[rows++] = (uint32_t)((room << 16) / sum);
      sum = items = 0;
    }
  }
  if (items > 0) {
    counts[rows] = (uint16_t)items;
    heights[rows++] = (uint32_t)row;
  }
  return rows;
}

size_t allocated_bytes(void) {
  struct mallinfo2 counts = mallinfo2();
  return counts.uordblks + counts.hblkhd;
}
