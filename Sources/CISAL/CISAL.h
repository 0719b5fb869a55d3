// gzip by ISA-L: https://github.com/intel/isa-l/blob/master/include/igzip_lib.h
//
// Level 0 with a Huffman code that is known in advance: one pass over the text. ISA-L is for x86-64 and arm64. Without
// it `carousel_igzip_make` returns NULL.
#include <stdint.h>
#include <stdlib.h>

// The counts that a Huffman code is made from: 286 of literals and lengths, and 30 of distances.
enum { carousel_igzip_symbols = 286, carousel_igzip_distances = 30 };

#if __has_include(<isa-l/igzip_lib.h>)
#include <isa-l/igzip_lib.h>
#include <string.h>

typedef struct {
  struct isal_zstream stream;
  struct isal_hufftables code;
} carousel_igzip;

/// Makes the state of an encoder for a Huffman code. NULL if there is no memory.
static inline carousel_igzip *carousel_igzip_make(const uint16_t *counts) {
  carousel_igzip *gzip = calloc(1, sizeof *gzip);
  struct isal_huff_histogram *histogram = calloc(1, sizeof *histogram);
  int failed = !gzip || !histogram;
  if (!failed) {
    for (int i = 0; i < carousel_igzip_symbols; i++) histogram->lit_len_histogram[i] = counts[i];
    for (int i = 0; i < carousel_igzip_distances; i++)
      histogram->dist_histogram[i] = counts[carousel_igzip_symbols + i];
    failed = isal_create_hufftables(&gzip->code, histogram);
  }
  free(histogram);
  if (!failed) return gzip;
  free(gzip);
  return NULL;
}

/// Compresses text into one gzip member. Returns its size; 0 if `capacity` is too small.
static inline size_t carousel_igzip_encode(
    carousel_igzip *gzip, const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
  struct isal_zstream *stream = &gzip->stream;
  isal_deflate_stateless_init(stream);
  stream->gzip_flag = IGZIP_GZIP;
  stream->hufftables = &gzip->code;
  stream->next_in = (uint8_t *)bytes;
  stream->avail_in = count;
  stream->next_out = output;
  stream->avail_out = capacity;
  stream->end_of_stream = 1;
  return isal_deflate_stateless(stream) == COMP_OK ? stream->total_out : 0;
}

#else

typedef struct { int none; } carousel_igzip;

static inline carousel_igzip *carousel_igzip_make(const uint16_t *counts) { return NULL; }

static inline size_t carousel_igzip_encode(
    carousel_igzip *gzip, const uint8_t *bytes, size_t count, uint8_t *output, size_t capacity) {
  return 0;
}

#endif
