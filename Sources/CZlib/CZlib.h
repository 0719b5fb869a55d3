// zlib: https://zlib.net/manual.html
#include <zlib.h>
