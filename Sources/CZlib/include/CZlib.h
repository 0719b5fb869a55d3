#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

// gzip in one call. Swift cannot call zlib's deflateInit2, because it is a macro.

/// Returns the largest compressed size of `count` bytes.
size_t carousel_gzip_bound(size_t count);

/// Compresses `count` bytes to one gzip member without a name or a time, at a level from 1 to 9.
/// Returns the compressed size; 0 if `capacity` is too small or there is no memory.
size_t carousel_gzip(
    int level, const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

#endif
