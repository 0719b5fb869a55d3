// What the process may still do: a picture that takes it over finds no files, no network, no programs and no other processes.
#include "CVips.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// The system calls of libvips and its decoders, found with strace for each format, and those that the C library may choose
// instead. The bits of `mask` in the first argument have to be `value`. All other calls fail with EPERM.
static const struct {
  int number;
  uint32_t mask, value;
} allowed[] = {
  // Open files, and the socket.
  {__NR_read, 0, 0}, {__NR_pread64, 0, 0}, {__NR_lseek, 0, 0}, {__NR_write, 0, 0}, {__NR_fstat, 0, 0}, {__NR_newfstatat, 0, 0},
  {__NR_dup, 0, 0}, {__NR_close, 0, 0}, {__NR_recvmsg, 0, 0}, {__NR_sendmsg, 0, 0},
  // Memory.
  {__NR_mmap, 0, 0}, {__NR_munmap, 0, 0}, {__NR_mremap, 0, 0}, {__NR_mprotect, 0, 0}, {__NR_madvise, 0, 0}, {__NR_brk, 0, 0},
  // Threads of this process.
  {__NR_futex, 0, 0}, {__NR_clone, CLONE_THREAD, CLONE_THREAD}, {__NR_set_robust_list, 0, 0}, {__NR_rseq, 0, 0},
  {__NR_prctl, UINT32_MAX, PR_SET_NAME}, {__NR_sched_yield, 0, 0}, {__NR_sched_getaffinity, 0, 0}, {__NR_rt_sigaction, 0, 0},
  {__NR_rt_sigprocmask, 0, 0}, {__NR_rt_sigreturn, 0, 0}, {__NR_restart_syscall, 0, 0}, {__NR_exit, 0, 0}, {__NR_exit_group, 0, 0},
  // What it is, its time and its own limits.
  {__NR_getpid, 0, 0}, {__NR_gettid, 0, 0}, {__NR_clock_gettime, 0, 0}, {__NR_gettimeofday, 0, 0}, {__NR_clock_nanosleep, 0, 0},
  {__NR_getrusage, 0, 0}, {__NR_prlimit64, UINT32_MAX, 0}, {__NR_sysinfo, 0, 0}, {__NR_getrandom, 0, 0},
};
enum { COUNT = sizeof allowed / sizeof *allowed };

bool picture_confine(void) {
  struct sock_filter program[6 * COUNT + 7];
  unsigned short length = 0;
#define ADD(...) program[length++] = (struct sock_filter)__VA_ARGS__
  // Another architecture would have other numbers.
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
  // Its flags are in memory, which a filter does not see. The C library calls clone instead.
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1));
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  for (int k = 0; k < COUNT; k += 1) {
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[k].number, 0, 5));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
    ADD(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, allowed[k].mask));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[k].value, 0, 1));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  const struct sock_fprog filter = {length, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
