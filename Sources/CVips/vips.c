#include "CVips.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct _VipsSource source;

// What is used of libvips 8.14 and GLib. Their functions with options take names and values, and NULL at the end.
#define FUNCTIONS(F) \
  F(int, vips_init, (const char *program)) \
  F(void, vips_concurrency_set, (int threads)) \
  F(void, vips_cache_set_max, (int operations)) \
  F(void, vips_operation_block_set, (const char *name, int is_blocked)) \
  F(const char *, vips_error_buffer, (void)) \
  F(void, vips_error_clear, (void)) \
  F(source *, vips_source_new_from_descriptor, (int descriptor)) \
  F(picture *, vips_image_new_from_source, (source *source, const char *options, ...)) \
  F(int, vips_image_get_width, (const picture *picture)) \
  F(int, vips_image_get_height, (const picture *picture)) \
  F(int, vips_image_get_bands, (const picture *picture)) \
  F(int, vips_image_get_orientation, (picture *picture)) \
  F(int, vips_image_hasalpha, (picture *picture)) \
  F(unsigned long, vips_image_get_typeof, (const picture *picture, const char *name)) \
  F(int, vips_image_get_string, (const picture *picture, const char *name, const char **text)) \
  F(int, vips_image_get_blob, (const picture *picture, const char *name, const void **bytes, size_t *count)) \
  F(int, vips_thumbnail_source, (source *source, picture **out, int width, ...)) \
  F(int, vips_thumbnail_buffer, (void *bytes, size_t count, picture **out, int width, ...)) \
  F(char **, vips_image_get_fields, (picture *picture)) \
  F(int, vips_image_remove, (picture *picture, const char *name)) \
  F(int, vips_copy, (picture *in, picture **out, ...)) \
  F(int, vips_icc_transform, (picture *in, picture **out, const char *profile, ...)) \
  F(int, vips_colourspace, (picture *in, picture **out, int space, ...)) \
  F(int, vips_cast_uchar, (picture *in, picture **out, ...)) \
  F(int, vips_addalpha, (picture *in, picture **out, ...)) \
  F(int, vips_flatten, (picture *in, picture **out, ...)) \
  F(void *, vips_array_double_newv, (int count, ...)) \
  F(void, vips_area_unref, (void *array)) \
  F(int, vips_jpegsave_buffer, (picture *in, void **bytes, size_t *count, ...)) \
  F(int, vips_webpsave_buffer, (picture *in, void **bytes, size_t *count, ...)) \
  F(void *, vips_image_write_to_memory, (picture *in, size_t *count)) \
  F(void, g_object_unref, (void *object)) \
  F(void, g_free, (void *bytes)) \
  F(void, g_strfreev, (char **texts))
#define DECLARE(type, name, parameters) static type (*name) parameters;
FUNCTIONS(DECLARE)

enum { ACCESS_SEQUENTIAL = 1, SIZE_DOWN = 2, SPACE_SRGB = 22, JPEG_HEIGHT = 65500, WEBP_HEIGHT = 16383 };

static bool find_functions(void *library) {
#define FIND(type, name, parameters) if (!(*(void **)&name = dlsym(library, #name))) return false;
  FUNCTIONS(FIND)
  return true;
}

bool picture_start(void) {
  void *library = dlopen("libvips.so.42", RTLD_NOW | RTLD_GLOBAL);
  // Pixels stay in memory: this process may not write files.
  setenv("VIPS_DISC_THRESHOLD", "64g", 1);
  if (!library || !find_functions(library) || vips_init("carousel-pictures") != 0) return false;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  static const char *const loaders[] = {
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadNsgif", "VipsForeignLoadHeif", "VipsForeignLoadTiff",
  };
  vips_operation_block_set("VipsForeignLoad", 1);
  for (size_t k = 0; k < sizeof loaders / sizeof *loaders; k += 1) vips_operation_block_set(loaders[k], 0);
  return true;
}

const char *picture_error(void) { return vips_error_buffer(); }

// From its first byte: a file can be read more than once.
static source *source_of(int descriptor) {
  vips_error_clear();
  lseek(descriptor, 0, SEEK_SET);
  return vips_source_new_from_descriptor(descriptor);
}

picture *picture_open(int descriptor) {
  source *source = source_of(descriptor);
  if (!source) return NULL;
  picture *opened = vips_image_new_from_source(source, "", "access", ACCESS_SEQUENTIAL, NULL);
  g_object_unref(source);
  return opened;
}

void picture_close(picture *picture) { g_object_unref(picture); }

int picture_width(picture *picture) { return vips_image_get_width(picture); }

int picture_height(picture *picture) { return vips_image_get_height(picture); }

int picture_orientation(picture *picture) { return vips_image_get_orientation(picture); }

const char *picture_text(picture *picture, const char *name) {
  const char *text;
  if (vips_image_get_typeof(picture, name) == 0 || vips_image_get_string(picture, name, &text) != 0) return NULL;
  return text;
}

picture_bytes picture_embedded(picture *picture) {
  static const char name[] = "jpeg-thumbnail-data";
  const void *bytes;
  picture_bytes none = {0}, found = {0};
  if (vips_image_get_typeof(picture, name) == 0 || vips_image_get_blob(picture, name, &bytes, &found.count) != 0) return none;
  found.bytes = (void *)bytes;
  return found;
}

// Replaces a picture by the result of an operation on it, or by NULL after an error.
#define REPLACE(picture, operation, ...)                                                                                       \
  do {                                                                                                                         \
    struct _VipsImage *result = NULL;                                                                                          \
    if (picture && operation(picture, &result, __VA_ARGS__) != 0) result = NULL;                                               \
    if (picture) g_object_unref(picture);                                                                                      \
    picture = result;                                                                                                          \
  } while (0)

// The picture in a box, upright and in sRGB, from a file or from bytes. A picture without a profile is in sRGB: libvips would
// give it another one, and change its colours.
static picture *thumbnail(int descriptor, picture_bytes bytes, int width, int height) {
#define BOX "height", height, "size", SIZE_DOWN, NULL
  picture *made = NULL;
  source *source = descriptor < 0 ? NULL : source_of(descriptor);
  if (descriptor < 0) vips_thumbnail_buffer(bytes.bytes, bytes.count, &made, width, BOX);
  if (source) {
    vips_thumbnail_source(source, &made, width, BOX);
    g_object_unref(source);
  }
  picture *converted = NULL;
  // A profile that does not fit the picture counts as none.
  if (made && vips_image_get_typeof(made, "icc-profile-data") != 0
    && vips_icc_transform(made, &converted, "srgb", "embedded", 1, NULL) == 0) {
    g_object_unref(made);
    made = converted;
  }
  REPLACE(made, vips_colourspace, SPACE_SRGB, NULL);
  return made;
}

// The picture without all that its file says of it, such as its place on the earth. For WebP, libvips 8.14 takes no notice of
// "strip".
static picture *without_metadata(picture *picture) {
  REPLACE(picture, vips_copy, NULL);
  char **names = picture ? vips_image_get_fields(picture) : NULL;
  for (char **name = names; name && *name; name++) vips_image_remove(picture, *name);
  g_strfreev(names);
  return picture;
}

// Takes the EXIF out of a WebP file, which libvips adds: the chunk, and its flag in VP8X.
static void remove_exif(picture_bytes *webp) {
  uint8_t *bytes = webp->bytes;
  size_t end = 12;
  for (size_t at = 12, size; at + 8 <= webp->count; at += size) {
    const uint32_t length = bytes[at + 4] | bytes[at + 5] << 8 | bytes[at + 6] << 16 | (uint32_t)bytes[at + 7] << 24;
    size = 8 + length + length % 2;
    if (size > webp->count - at) return;
    if (memcmp(bytes + at, "VP8X", 4) == 0) bytes[at + 8] &= ~8;
    if (memcmp(bytes + at, "EXIF", 4) == 0) continue;
    memmove(bytes + end, bytes + at, size);
    end += size;
  }
  webp->count = end;
  for (int k = 0; k < 4; k++) bytes[4 + k] = (uint8_t)((end - 8) >> 8 * k);
}

picture_bytes picture_make(int descriptor, int width, picture_format format) {
  picture_bytes made = {0}, none = {0};
  picture *small = without_metadata(thumbnail(descriptor, none, width, format == PICTURE_WEBP ? WEBP_HEIGHT : JPEG_HEIGHT));
  if (format == PICTURE_JPEG && small && vips_image_hasalpha(small)) { // on white: a transparent pixel is black otherwise
    void *white = vips_array_double_newv(3, 255.0, 255.0, 255.0);
    REPLACE(small, vips_flatten, "background", white, NULL);
    vips_area_unref(white);
  }
  if (!small) return made;
  const int failed = format == PICTURE_WEBP
    ? vips_webpsave_buffer(small, &made.bytes, &made.count, "Q", 78, "effort", 3, "strip", 1, NULL)
    : vips_jpegsave_buffer(small, &made.bytes, &made.count, "Q", 80, "optimize_coding", 1, "strip", 1, NULL);
  g_object_unref(small);
  if (failed) return none;
  if (format == PICTURE_WEBP) remove_exif(&made);
  return made;
}

picture_bytes picture_pixels(int descriptor, picture_bytes bytes, int size, int *width, int *height) {
  picture_bytes pixels = {0};
  picture *small = thumbnail(descriptor, bytes, size, size);
  if (small && !vips_image_hasalpha(small)) REPLACE(small, vips_addalpha, NULL);
  REPLACE(small, vips_cast_uchar, NULL);
  if (!small) return pixels;
  *width = vips_image_get_width(small);
  *height = vips_image_get_height(small);
  if (vips_image_get_bands(small) == 4) pixels.bytes = vips_image_write_to_memory(small, &pixels.count);
  g_object_unref(small);
  return pixels;
}

void picture_free(picture_bytes bytes) { g_free(bytes.bytes); }
