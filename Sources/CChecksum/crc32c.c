#include "CChecksum.h"

#include <stdbool.h>
#include <string.h>

uint32_t carousel_crc32c_from_table(uint32_t crc, const void *bytes, size_t count) {
  // The remainders of all values of four bits.
  static const uint32_t table[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
    0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
  };
  for (const uint8_t *byte = bytes; count > 0; byte++, count--) {
    crc ^= *byte;
    crc = table[crc & 15] ^ (crc >> 4);
    crc = table[crc & 15] ^ (crc >> 4);
  }
  return crc;
}

#if defined(__x86_64__)
#define TARGET "sse4.2"
#define ADD_WORD(crc, word) (uint32_t) __builtin_ia32_crc32di(crc, word)
#define ADD_BYTE(crc, byte) __builtin_ia32_crc32qi(crc, byte)

static bool has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#define TARGET "crc"
#define ADD_WORD(crc, word) __builtin_arm_crc32cd(crc, word)
#define ADD_BYTE(crc, byte) __builtin_arm_crc32cb(crc, byte)

// HWCAP_CRC32 of the kernel's interface. getauxval reads memory, without a system call.
static bool has_instruction(void) { return getauxval(AT_HWCAP) & (1 << 7); }
#endif

#ifdef TARGET
__attribute__((target(TARGET)))
static uint32_t from_instruction(uint32_t crc, const uint8_t *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    crc = ADD_WORD(crc, word);
  }
  for (; count > 0; bytes++, count--) crc = ADD_BYTE(crc, *bytes);
  return crc;
}
#endif

uint32_t carousel_crc32c(uint32_t crc, const void *bytes, size_t count) {
#ifdef TARGET
  if (has_instruction()) return from_instruction(crc, bytes, count);
#endif
  return carousel_crc32c_from_table(crc, bytes, count);
}
