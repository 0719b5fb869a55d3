#ifndef CBROTLI_H
#define CBROTLI_H

#include <stddef.h>
#include <stdint.h>

// Brotli compression of text in one call.

/// Returns the largest compressed size of `count` bytes.
size_t carousel_brotli_bound(size_t count);

/// Compresses `count` bytes of text, at a quality from 0 to 11.
/// Returns the compressed size; 0 if `capacity` is too small or there is no memory.
size_t carousel_brotli(
    int quality, const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity);

#endif
