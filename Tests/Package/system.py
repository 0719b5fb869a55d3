"""A new Debian bookworm with the smallest set of packages, in a folder.

Commands run in it by chroot, in a separate mount namespace. systemd does not run there.
"""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Contract"))

from server_log import ServerLog  # noqa: E402

SUITE = "bookworm"
#: The folder with the base system, which is made once. git ignores it.
BASE = ROOT / ".build/bookworm"
STOP_SECONDS = 30

ENTER = """
set -e
root=$1 user=$2
shift 2
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
exec chroot --userspec="$user" "$root" "$@"
"""

ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "DEBIAN_FRONTEND": "noninteractive",
    "LC_ALL": "C",
}


def missing() -> str | None:
    """Why a test cannot or need not make the system; None if it runs."""
    if reason := os.environ.get("UNCHANGED"):
        return reason
    if os.geteuid() != 0:
        return "debootstrap needs root"
    if shutil.which("debootstrap") is None:
        return "debootstrap is not installed"
    mounts = ["unshare", "--mount", "mount", "-t", "proc", "proc", "/mnt"]
    if subprocess.run(mounts, capture_output=True).returncode != 0:
        return "this machine does not permit mount namespaces"
    return None


def base() -> Path:
    """The base system. debootstrap makes it if it does not exist. Skips the test if it cannot, for example offline."""
    if not BASE.exists():
        unfinished = BASE.with_name(f"{BASE.name}.{os.getpid()}")
        made = subprocess.run(["debootstrap", "--variant=minbase", SUITE, unfinished], capture_output=True, text=True)
        if made.returncode != 0:
            shutil.rmtree(unfinished, ignore_errors=True)
            pytest.skip(f"debootstrap failed: {made.stdout[-500:]}{made.stderr[-500:]}")
        unfinished.rename(BASE)
    return BASE


class System:
    """A copy of the base system in `folder`."""

    def __init__(self, folder: Path):
        self.folder = folder
        subprocess.run(["cp", "-a", "--reflink=auto", base(), folder], check=True)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        # The packages of a test start no service.
        policy = folder / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)

    def path(self, inside: str) -> Path:
        """The path on this machine of an absolute path in the system."""
        return self.folder / inside.lstrip("/")

    def start(self, *command, user="root:root", variables=None, **options) -> subprocess.Popen:
        """Starts a command; its output is text."""
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", ENTER, "enter", self.folder, user, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT | (variables or {}),
            **options,
        )

    def run(self, *command, status=0, **options) -> str:
        """Runs a command; returns its output. Fails if the exit status is not `status`."""
        with self.start(*command, stderr=subprocess.STDOUT, **options) as process:
            output = process.communicate()[0]
        assert process.returncode == status, f"{command}: {process.returncode}: {output[-4000:]}"
        return output

    def apt(self, *arguments) -> str:
        return self.run("apt-get", "-y", "-q", "-o", "Acquire::Retries=3", *arguments)

    def serve(self, *command, **options) -> "Service":
        """Starts a command that serves, on a free port."""
        log = ServerLog()
        variables = options.pop("variables", {}) | {"CAROUSEL_PORT": "0"}
        return Service(self.start(*command, stderr=log, variables=variables, **options), log)


class Service:
    """A server in the system. It accepts requests when it is made."""

    def __init__(self, process: subprocess.Popen, log: ServerLog):
        self.process, self.log = process, log
        self.address = log.address(process)

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.communicate()
        self.log.close()

    def get(self, target: str) -> bytes:
        """Sends GET; the status must be 200."""
        with urlopen(self.address + target) as answer:
            return answer.read()

    def stop(self) -> int:
        """Stops the server as systemd does; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=STOP_SECONDS)
        return self.process.returncode
