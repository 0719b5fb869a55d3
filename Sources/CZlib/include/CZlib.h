#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

// What Swift cannot call by itself: zlib's beginning of a stream is a macro.

/// The most bytes that `count` bytes can become.
size_t carousel_gzip_bound(size_t count);

/// Packs `count` bytes as one gzip member without a name or a time, at a level from 1 to 9.
/// Returns how many bytes were written, 0 where `room` is too small or there is no memory.
size_t carousel_gzip(int level, const uint8_t *bytes, size_t count, uint8_t *packed, size_t room);

#endif
