"""What the process that reads pictures may not do: the filter of its system calls is tried in a process of its own."""

import json
import platform
import shutil
import subprocess
import sys

import pytest

from command import ROOT

#: Loads the filter, and tries calls by their numbers on x86-64. Prints the results: errors are negative numbers.
TRY = """
import ctypes, json, os, sys
filter = ctypes.CDLL(sys.argv[1])
system = ctypes.CDLL(None, use_errno=True).syscall
parent, own, file = os.getppid(), os.getpid(), os.open("/dev/null", os.O_RDONLY)
limit = ctypes.create_string_buffer(16)
name = b"/dev/null"
calls = {
    "kill": (62, parent, 0), "tkill": (200, parent, 0), "tgkill": (234, parent, parent, 0), "rt_sigqueueinfo": (129, parent, 0, limit),
    "rt_tgsigqueueinfo": (297, parent, parent, 0, limit), "pidfd_open": (434, parent, 0), "pidfd_send_signal": (424, file, 0, 0, 0),
    "pidfd_getfd": (438, file, 0, 0), "prlimit64 of another": (302, parent, 7, 0, limit), "ptrace": (101, 16, parent, 0, 0),
    "process_vm_readv": (310, parent, 0, 0, 0, 0, 0), "fork": (57,), "vfork": (58,), "clone": (56, 17, 0, 0, 0, 0),
    "clone3": (435, 0, 0), "execve": (59, name, 0, 0), "open": (2, name, 0), "openat": (257, -100, name, 0), "openat2": (437, -100, name, 0, 0),
    "rename": (82, name, name), "renameat": (264, -100, name, -100, name), "renameat2": (316, -100, name, -100, name, 0),
    "unlinkat": (263, -100, name, 0), "utimensat": (280, file, 0, 0, 0), "fchmod": (91, file, 0o777), "fchown": (93, file, 0, 0),
    "fsetxattr": (190, file, name, name, 0, 0), "ftruncate": (77, file, 0), "socket": (41, 1, 1, 0), "connect": (42, file, 0, 0),
    "memfd_create": (319, name, 0), "shmget": (29, 0, 1, 0), "ioctl": (16, 0, 0x5412, name), "fcntl": (72, 0, 8, parent),
    "setpriority": (141, 0, parent, 0), "sched_setaffinity": (203, parent, 0, 0), "io_uring_setup": (425, 1, 0), "bpf": (321, 0, 0, 0),
    "prctl": (157, 1, 9, 0, 0, 0), "getpid": (39,), "prlimit64": (302, 0, 7, 0, limit), "x32": (0x40000000 + 39,),
}
assert filter.picture_confine()
found = {}
for call, arguments in calls.items():
    answer = system(*arguments)
    if call in ("fork", "vfork", "clone") and answer == 0:
        os._exit(0)
    found[call] = answer if answer >= 0 else -ctypes.get_errno()
os.write(1, json.dumps([own, found]).encode())
os._exit(0)
"""


def test_other_processes_files_and_networks_are_out_of_reach(tmp_path):
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None or platform.machine() != "x86_64":
        pytest.skip("there is no C compiler, or the numbers of calls are others")
    source = ROOT / "Sources/CVips"
    library = tmp_path / "confine.so"
    subprocess.run([compiler, "-shared", "-fPIC", f"-I{source}/include", source / "confine.c", "-o", library], check=True)
    run = subprocess.run([sys.executable, "-c", TRY, library], capture_output=True, check=True)
    own, found = json.loads(run.stdout)
    assert (found.pop("getpid"), found.pop("prlimit64"), found.pop("clone3")) == (own, 0, -38)
    assert {call: answer for call, answer in found.items() if answer != -1} == {}
