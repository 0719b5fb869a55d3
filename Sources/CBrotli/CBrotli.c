#include "CBrotli.h"

#include <brotli/encode.h>

size_t carousel_brotli_bound(size_t count) { return BrotliEncoderMaxCompressedSize(count); }

size_t carousel_brotli(
    int quality, const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
  size_t written = capacity;
  BROTLI_BOOL succeeded = BrotliEncoderCompress(
      quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, count, bytes, &written, output);
  return succeeded ? written : 0;
}
