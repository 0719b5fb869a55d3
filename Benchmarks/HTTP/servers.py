"""The measured servers. Each server has one thread and its own core."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks"))

from serving import serving_port  # noqa: E402

HERE = Path(__file__).resolve().parent
OUT = ROOT / ".build/bench"
CAROUSEL = ROOT / ".build/release/carousel"
SERVER_CORE, CLIENT_CORE = "0", "1"
# The approximate length of the first ten million built-in items in px.
EXTENT = 1_600_000_000

NGINX = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; sendfile off; keepalive_requests 1000000000; keepalive_timeout 600;
  gzip on; gzip_comp_level 1; gzip_types application/json;
  open_file_cache max=2000 inactive=600s; open_file_cache_valid 600s;
  types {{ application/json json; image/svg+xml svg; }}
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  server {{ listen 127.0.0.1:{port}; root {folder}; location = /window {{ {window} }} }}
}}
"""
# How nginx answers a request for a window: with one file for all offsets, or with a file for each
# offset.
ONE_WINDOW = "try_files /window.json =404;"
ANY_WINDOW = "default_type application/json; alias {folder}/windows/$arg_offset;"


class Measured:
    """A measured server: its port, and the process whose time is counted."""

    def __init__(self, port: int, process: int):
        self.port, self.process = port, process

    def seconds_used(self) -> float:
        fields = Path(f"/proc/{self.process}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def url(self, target: str) -> str:
        return f"http://127.0.0.1:{self.port}{target}"

    def get(self, target: str):
        return urllib.request.urlopen(self.url(target))


@contextmanager
def ended(process: subprocess.Popen):
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


@contextmanager
def carousel(*arguments: str, threads: int = 1, cores: str = SERVER_CORE):
    command = ["taskset", "-c", cores, CAROUSEL, "serve", "--port", "0"]
    command += ["--threads", str(threads), *arguments]
    pipes = dict(stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with ended(subprocess.Popen(command, **pipes, cwd=ROOT)) as process:
        yield Measured(serving_port(process), process.pid)


@contextmanager
def nginx(folder: Path, window: str = ONE_WINDOW, port: int = 18099):
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, port=port, window=window.format(folder=folder)))
    command = ["taskset", "-c", SERVER_CORE, "nginx", "-c", config, "-p", folder]
    with ended(subprocess.Popen(command)) as process:
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        until(lambda: workers.exists() and workers.read_text().split(), "nginx does not start")
        yield Measured(port, int(workers.read_text().split()[0]))


@contextmanager
def hummingbird(folder: Path, port: int = 18098):
    server = hummingbird_window()
    command = ["taskset", "-c", SERVER_CORE, server, folder / "window.json", str(port)]
    with ended(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)) as process:
        measured = Measured(port, process.pid)
        until(lambda: answers(measured), "Hummingbird does not start")
        yield measured


def hummingbird_window() -> Path:
    """The path of Hummingbird's server. Builds it if its sources are newer, which takes minutes."""
    package, scratch = HERE / "HummingbirdWindow", ROOT / ".build/bench-hummingbird"
    server = scratch / "release/hummingbird-window"
    sources = [path for path in package.rglob("*") if path.suffix in (".swift", ".resolved")]
    newest = max(path.stat().st_mtime for path in sources)
    if not server.exists() or server.stat().st_mtime < newest:
        build = ["swift", "build", "-c", "release", "--package-path", package]
        subprocess.run([*build, "--scratch-path", scratch], check=True, stdout=sys.stderr)
    return server


def answers(server: Measured) -> bool:
    try:
        return server.get("/window").status == 200
    except OSError:
        return False


def until(happens, complaint: str):
    deadline = time.monotonic() + 10
    while not happens():
        if time.monotonic() > deadline:
            sys.exit(complaint)


def database(count: int) -> Path:
    """The path of a database with `count` items of different widths. It is imported once. The file is
    read into the page cache, so that the server is measured and not the disk."""
    path = OUT / f"items-{count}.db"
    if not path.exists():
        imported(path, count)
    with path.open("rb") as file:
        while file.read(1 << 24):
            pass
    return path


def imported(address: Path | str, count: int) -> None:
    """Imports `count` items as the strip `many`."""
    print(f"importing {count} items", flush=True)
    command = [CAROUSEL, "import", "-", "--database", address, "--strip", "many"]
    command += ["--format", "jsonl", "--gap", "8"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        for start in range(0, count, 10_000):
            process.stdin.write(
                "".join(
                    f'{{"id":"n{n}","width":{72 + n * 7919 % 167},"fields":{{"title":"No. {n}",'
                    f'"subtitle":"{72 + n * 7919 % 167} px","color":"#5b7a99"}}}}\n'
                    for n in range(start, min(start + 10_000, count))
                ).encode()
            )
    if process.returncode != 0:
        sys.exit("the import failed")
