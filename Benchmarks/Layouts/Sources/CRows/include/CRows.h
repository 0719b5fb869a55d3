#include <stddef.h>
#include <stdint.h>

/// Breaks items into justified rows: the number of items and the height of each row. Lengths are in 1/64 px, aspects
/// in 1/65536.
///
/// Returns the number of rows. Both arrays have room for a row for each item.
size_t break_rows(const uint32_t *aspects, size_t count, int64_t width, int64_t row, int64_t gap,
                  uint16_t *counts, uint32_t *heights);

/// The bytes that the allocator counts as used.
size_t allocated_bytes(void);
