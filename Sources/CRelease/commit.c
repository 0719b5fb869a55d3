#include "CRelease.h"

const char *carousel_commit(void) { return CAROUSEL_COMMIT; }
