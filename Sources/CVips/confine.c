// What the process may no longer do: a picture that takes it over finds no files, no network and no programs.
#include "CVips.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// The system calls that fail with EPERM.
static const int refused[] = {
#ifdef __NR_open
  __NR_open, __NR_creat, __NR_rename, __NR_unlink, __NR_link, __NR_symlink, __NR_mkdir, __NR_rmdir, __NR_chmod, __NR_chown, __NR_fork,
  __NR_vfork,
#endif
  __NR_openat, __NR_openat2, __NR_open_by_handle_at, __NR_renameat2, __NR_unlinkat, __NR_linkat, __NR_symlinkat, __NR_mkdirat,
  __NR_fchmodat, __NR_fchownat, __NR_truncate, __NR_ftruncate, __NR_mknodat, __NR_mount, __NR_umount2, __NR_chdir, __NR_chroot,
  __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4, __NR_sendto, __NR_execve,
  __NR_execveat, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kill, __NR_tkill, __NR_bpf, __NR_unshare, __NR_setns,
  __NR_keyctl, __NR_io_uring_setup, __NR_userfaultfd, __NR_perf_event_open, __NR_memfd_create, __NR_shmget, __NR_inotify_init1,
};
enum { COUNT = sizeof refused / sizeof *refused };

bool picture_confine(void) {
  struct sock_filter program[2 * COUNT + 8];
  unsigned short length = 0;
  const struct sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  // Another architecture would have other numbers.
  program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); // the numbers of x32
  program[length++] = refuse;
#endif
  for (int k = 0; k < COUNT; k += 1) {
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused[k], 0, 1);
    program[length++] = refuse;
  }
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {length, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
