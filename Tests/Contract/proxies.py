"""Real proxies in front of a server, each a process with a folder of its own."""

import socket
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from waiting import GIVEN_UP_SECONDS



def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


@contextmanager
def proxy(command: list, port: int, folder: Path):
    """Runs a proxy until the block ends, from when it takes connections on."""
    said = folder / "said.log"
    with said.open("wb") as log:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        try:
            deadline = time.monotonic() + GIVEN_UP_SECONDS
            while not answers(port):
                assert process.poll() is None and time.monotonic() < deadline, said.read_text()
            yield process
        finally:
            process.terminate()
            process.wait(timeout=15)


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def nginx(folder: Path, port: int, server: str):
    """nginx with `server`, what belongs into `http`."""
    config = folder / "nginx.conf"
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;\n"
        f"worker_processes 1; user root;\nevents {{ worker_connections 512; }}\n"
        f"http {{\naccess_log off;\n{paths}{server}\n}}\n"
    )
    return proxy(["/usr/sbin/nginx", "-c", config, "-p", folder], port, folder)


def haproxy(folder: Path, port: int, config: str):
    file = folder / "haproxy.cfg"
    file.write_text(config)
    return proxy(["/usr/sbin/haproxy", "-db", "-f", file], port, folder)


def varnish(folder: Path, port: int, vcl: str):
    file = folder / "shipped.vcl"
    file.write_text(vcl)
    command = ["/usr/sbin/varnishd", "-F", "-n", folder / "varnish", "-f", file]
    command += ["-a", f"127.0.0.1:{port}", "-s", "malloc,256m", "-j", "none"]
    return proxy(command, port, folder)
