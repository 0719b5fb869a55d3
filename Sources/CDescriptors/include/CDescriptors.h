// Messages with open files, over a socket of this machine, and files below a folder.
#ifndef C_DESCRIPTORS_H
#define C_DESCRIPTORS_H

#include <stddef.h>
#include <sys/types.h>

/// How many files come with a message at most.
enum { DESCRIPTOR_LIMIT = 2 };

/// Sends a message with open files. Returns 0, or -1 with `errno`.
int descriptor_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/// Receives a message of up to `count` bytes, and puts the files that came with it into the first elements of `descriptors`: at
/// most `descriptor_count`, which is 0 or DESCRIPTOR_LIMIT. The system opens no others. Returns the number of bytes, 0 at the end,
/// or -1 with `errno`.
ssize_t descriptor_receive(int socket, void *bytes, size_t count, int *descriptors, int descriptor_count);

/// An open file in memory, which has no name. Returns its descriptor, or -1 with `errno`.
int descriptor_memory(void);

/// Opens a file for its status alone: `O_PATH`, which Swift does not see.
extern const int DESCRIPTOR_PATH;

/// Opens a file below `folder` for reading. A link, `..` or a magic link that leads out of the folder is an error: `EXDEV`.
/// Returns its descriptor, or -1 with `errno`.
int descriptor_open_below(int folder, const char *path, int flags);

#endif
