#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// Continues a CRC-32C (RFC 3720, appendix B.4) with more bytes. The first call gets all bits set, and the last result must
/// be inverted. It uses the instruction of the processor if there is one: about 8 bytes in three cycles.
uint32_t carousel_crc32c(uint32_t crc, const void *bytes, size_t count);

/// The same from a table, for all processors.
uint32_t carousel_crc32c_from_table(uint32_t crc, const void *bytes, size_t count);

#endif
