#ifndef CRELEASE_H
#define CRELEASE_H

/// The commit that the program is built from. Empty if the build does not name it.
///
/// `CAROUSEL_COMMIT` in the environment of `swift build` names it. Only this file is compiled again when it changes.
const char *carousel_commit(void);

/// Returns memory that is free to the system. glibc keeps it for the next allocations of the same thread.
void carousel_trim_memory(void);

/// From now on, memory of 256 kB or more goes back to the system when it is freed. Otherwise glibc keeps ever larger parts, up to
/// 32 MB.
void carousel_return_large_memory(void);

#endif
