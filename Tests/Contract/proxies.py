"""Runs nginx, haproxy and Varnish in front of a server."""

import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from random import SystemRandom

from command import ROOT
from waiting import TIMEOUT_SECONDS, wait_until


def free_port() -> int:
    """A port on which no process listens now. Linux chooses higher ones for other servers and for clients."""
    while True:
        port = SystemRandom().randrange(10_000, 30_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            continue


@contextmanager
def proxy(command: list, port: int, folder: Path):
    """Runs a proxy while the block runs, which starts once the proxy accepts connections."""
    output = folder / "output.log"
    with output.open("wb") as log:
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        try:
            wait_until(lambda: process.poll() is not None or accepts(port), f"{command[0]} does not listen")
            assert process.poll() is None, output.read_text()
            yield process
        finally:
            process.terminate()
            process.wait(timeout=TIMEOUT_SECONDS)


def accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def nginx(folder: Path, port: int, server: str):
    """Runs nginx. `server` is the content of the `http` block."""
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
    """Runs haproxy with this configuration."""
    file = folder / "haproxy.cfg"
    file.write_text(config)
    return proxy(["/usr/sbin/haproxy", "-db", "-f", file], port, folder)


def shipped_haproxy(folder: Path, port: int, servers: list):
    """Runs haproxy with the shipped configuration, in front of these servers."""
    text = (ROOT / "Deployment/haproxy/haproxy.cfg").read_text()
    shipped = "  server one one:8080\n  server two two:8080\n"
    assert shipped in text and "bind :8080" in text
    lines = (f"  server s{n} 127.0.0.1:{one.port}\n" for n, one in enumerate(servers))
    text = text.replace(shipped, "".join(lines))
    return haproxy(folder, port, text.replace("bind :8080", f"bind 127.0.0.1:{port}"))


def varnish(folder: Path, port: int, vcl: str):
    """Runs Varnish with this VCL."""
    file = folder / "shipped.vcl"
    file.write_text(vcl)
    command = ["/usr/sbin/varnishd", "-F", "-n", folder / "varnish", "-f", file]
    command += ["-a", f"127.0.0.1:{port}", "-s", "malloc,256m", "-j", "none"]
    return proxy(command, port, folder)
