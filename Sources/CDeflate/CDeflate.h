// libdeflate: https://github.com/ebiggers/libdeflate/blob/master/libdeflate.h
#include <libdeflate.h>
