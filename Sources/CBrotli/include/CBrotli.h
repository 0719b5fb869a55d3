#ifndef CBROTLI_H
#define CBROTLI_H

#include <stddef.h>
#include <stdint.h>

// Brotli's encoder in one call, with what it takes for granted about text.

/// The most bytes that `count` bytes can become.
size_t carousel_brotli_bound(size_t count);

/// Packs `count` bytes of text, at a quality from 0 to 11.
/// Returns how many bytes were written, 0 where `room` is too small or there is no memory.
size_t carousel_brotli(
    int quality, const uint8_t *bytes, size_t count, uint8_t *packed, size_t room);

#endif
