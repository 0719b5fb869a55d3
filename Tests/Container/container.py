"""Runs commands with the files and settings of an image.

Commands run as the image's user in a mount namespace, with a read-only root and a writable /data.
They are child processes, so that tests can send signals and read exit statuses. `buildah run` forwards
no signals.
"""

import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from image import buildah, settings

sys.path.append(str(Path(__file__).resolve().parents[1] / "Contract"))

from server_log import ServerLog  # noqa: E402

WAIT_SECONDS = 60
STOP_SECONDS = 30

ENTER = """
set -e
root=$1 data=$2 user=$3
shift 3
mount --rbind "$root" "$root"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount --bind "$data" "$root/data"
mount --options remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" /usr/bin/env --ignore-environment "$@"
"""


class Container:
    """A container of `image`, on the host's network, with the folder `data` at /data."""

    def __init__(self, image: str, data: Path):
        self.data = data
        self.settings = settings(image)
        self.name = buildah("from", "--pull-never", image).stdout.strip()
        self.files = Path(buildah("mount", self.name).stdout.strip())

    def __enter__(self) -> "Container":
        return self

    def __exit__(self, *_) -> None:
        buildah("rm", self.name)

    def start(self, *command, stderr=subprocess.PIPE, **environment) -> subprocess.Popen:
        """Starts a command; its output is text."""
        added = [f"{name}={value}" for name, value in environment.items()]
        inside = [*self.settings["Env"], *added, *map(str, command)]
        return subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", ENTER, "enter"]
            + [self.files, self.data, self.settings["User"], *inside],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        )

    def run(self, *command, **environment) -> subprocess.CompletedProcess:
        """Runs a command to its end."""
        with self.start(*command, **environment) as process:
            said = process.communicate(timeout=WAIT_SECONDS)
        return subprocess.CompletedProcess(command, process.returncode, *said)

    def serve(self, **environment) -> "Service":
        """Runs the default command of the image on a free port."""
        command = self.settings["Entrypoint"] + self.settings["Cmd"]
        log = ServerLog()
        return Service(self.start(*command, stderr=log, CAROUSEL_PORT=0, **environment), log)


class Service:
    """A server in a container. It accepts requests as soon as it is constructed."""

    def __init__(self, process: subprocess.Popen, log: ServerLog):
        self.process, self.log = process, log
        self.port = log.port(process)

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.communicate()
        self.log.close()

    def get(self, path: str) -> tuple[int, bytes]:
        """Sends GET to 127.0.0.2, where only a server on 0.0.0.0 listens; returns status and body."""
        url = f"http://127.0.0.2:{self.port}{path}"
        with urlopen(url, timeout=WAIT_SECONDS) as answer:
            return answer.status, answer.read()

    def stop(self) -> int:
        """Stops the server with SIGTERM, as `docker stop` does; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=STOP_SECONDS)
        return self.process.returncode
