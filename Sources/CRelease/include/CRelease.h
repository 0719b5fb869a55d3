#ifndef CRELEASE_H
#define CRELEASE_H

/// The commit that the program is built from. Empty if the build does not name it.
///
/// `CAROUSEL_COMMIT` in the environment of `swift build` names it. Only this file is compiled again when it changes.
const char *carousel_commit(void);

#endif
