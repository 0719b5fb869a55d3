#include "CZlib.h"

#include <limits.h>
#include <zlib.h>

// The gzip header and trailer, in bytes (RFC 1952 sections 2.3 and 2.3.1).
static const size_t frame = 18;

size_t carousel_gzip_bound(size_t count) { return compressBound(count) + frame; }

size_t carousel_gzip(
    int level, const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
  if (count > UINT_MAX || capacity > UINT_MAX) return 0;
  z_stream stream = {0};
  // A window of 15 bits, plus 16 to choose gzip. The memory level 8 is zlib's default.
  if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = output;
  stream.avail_out = (uInt)capacity;
  int outcome = deflate(&stream, Z_FINISH);
  size_t written = stream.total_out;
  deflateEnd(&stream);
  return outcome == Z_STREAM_END ? written : 0;
}
