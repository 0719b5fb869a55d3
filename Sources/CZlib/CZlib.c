#include "CZlib.h"

#include <limits.h>
#include <zlib.h>

// Of the header and the trailer, RFC 1952 sections 2.3 and 2.3.1.
static const size_t frame = 18;

size_t carousel_gzip_bound(size_t count) { return compressBound(count) + frame; }

size_t carousel_gzip(int level, const uint8_t *bytes, size_t count, uint8_t *packed, size_t room) {
  if (count > UINT_MAX || room > UINT_MAX) return 0;
  z_stream stream = {0};
  // 15 bits of window, and 16 for gzip's frame; 8 is the usual memory.
  if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)count;
  stream.next_out = packed;
  stream.avail_out = (uInt)room;
  int outcome = deflate(&stream, Z_FINISH);
  size_t written = stream.total_out;
  deflateEnd(&stream);
  return outcome == Z_STREAM_END ? written : 0;
}
