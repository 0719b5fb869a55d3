#define _GNU_SOURCE
#include "CDescriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/openat2.h>
#include <sys/syscall.h>

// Room for the descriptors beside the bytes of a message.
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(DESCRIPTOR_LIMIT * sizeof(int))];
};

int descriptor_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
  const size_t size = (size_t)descriptor_count * sizeof *descriptors;
  struct iovec part = {(void *)bytes, count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union control control = {0};
  if (descriptor_count > 0) {
    message.msg_control = &control;
    message.msg_controllen = CMSG_SPACE(size);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(&control.header), descriptors, size);
  }
  return TEMP_FAILURE_RETRY(sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 ? -1 : 0;
}

ssize_t descriptor_receive(int socket, void *bytes, size_t count, int *descriptors, int descriptor_count) {
  struct iovec part = {bytes, count};
  union control control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control};
  message.msg_controllen = descriptor_count > 0 ? CMSG_SPACE((size_t)descriptor_count * sizeof *descriptors) : 0;
  const ssize_t received = TEMP_FAILURE_RETRY(recvmsg(socket, &message, MSG_CMSG_CLOEXEC));
  struct cmsghdr *first = received < 0 ? NULL : CMSG_FIRSTHDR(&message);
  if (first && first->cmsg_type == SCM_RIGHTS) memcpy(descriptors, CMSG_DATA(first), first->cmsg_len - CMSG_LEN(0));
  return received;
}

int descriptor_memory(void) { return memfd_create("picture", MFD_CLOEXEC); }

const int DESCRIPTOR_PATH = O_PATH;

int descriptor_open_below(int folder, const char *path, int flags) {
  struct open_how how = {
    .flags = (unsigned)flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY | O_NONBLOCK),
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
  };
  long opened;
  do {
    opened = syscall(SYS_openat2, folder, path, &how, sizeof how);
  } while (opened < 0 && (errno == EINTR || errno == EAGAIN));
  return (int)opened;
}
