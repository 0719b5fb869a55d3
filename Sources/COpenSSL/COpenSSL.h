// libcrypto of OpenSSL: https://docs.openssl.org/3.0/man3/SHA256_Init/
#include <openssl/sha.h>
