// Pictures by libvips, which is opened when the program starts: a build needs no header of it, and a system without it gets an
// error that names the package.
#ifndef C_VIPS_H
#define C_VIPS_H

#include <stdbool.h>
#include <stddef.h>

/// A picture of which only the header is read: a `VipsImage`.
typedef struct _VipsImage picture;

/// Bytes that `picture_free` frees.
typedef struct {
  void *bytes;
  size_t count;
} picture_bytes;

/// Opens libvips, and lets it read JPEG, PNG, WebP, GIF, HEIF (AVIF too) and TIFF, and nothing else. Returns false without libvips.
bool picture_start(void);

/// The last error, in the words of libvips. Valid until the next call.
const char *picture_error(void);

/// Reads the header of an open file, from its first byte. NULL after an error.
picture *picture_open(int descriptor);
void picture_close(picture *picture);

/// The width and the height in pixels as stored, and the EXIF orientation, from 1 to 8.
int picture_width(picture *picture);
int picture_height(picture *picture);
int picture_orientation(picture *picture);

/// A text in the header, such as "vips-loader" or "exif-ifd0-Model". NULL if there is none. Valid until `picture_close`.
const char *picture_text(picture *picture, const char *name);

/// The JPEG that EXIF embeds. Empty if there is none. Valid until `picture_close`; not to be freed.
picture_bytes picture_embedded(picture *picture);

typedef enum { PICTURE_JPEG, PICTURE_WEBP } picture_format;

/// Encodes the picture of an open file, upright, at most `width` pixels wide, in sRGB, without metadata. One that the format
/// cannot have as high, such as a long screenshot, is smaller. No bytes after an error.
picture_bytes picture_make(int descriptor, int width, picture_format format);

/// The pixels of a picture in a box of `size` pixels, upright, as four bytes each: red, green, blue, alpha. Of the file, or of
/// `bytes` if `descriptor` is -1. No bytes after an error.
picture_bytes picture_pixels(int descriptor, picture_bytes bytes, int size, int *width, int *height);

void picture_free(picture_bytes bytes);

/// Takes the right to open files, to use networks and to start programs from this process. Later calls of these fail.
/// Returns false if the system cannot do so.
bool picture_confine(void);

#endif
