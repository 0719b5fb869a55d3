// Swift's and C++'s libraries refer to functions that are new in glibc 2.35 and 2.36. A program that is linked on
// such a system then does not start on glibc 2.34. The program calls none of them. These definitions take their place.
#ifdef __linux__
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

double hypot(double x, double y) { return (double)hypotl(x, y); }

float hypotf(float x, float y) { return (float)hypotl(x, y); }

uint32_t arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof number) != 0) abort();
  return number;
}
#endif
