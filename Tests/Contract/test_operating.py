"""For operators: metrics, the access log, limits, and socket activation."""

import fcntl
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from command import ROOT, binary, carousel, environment, exited, imported
from editing import editors, numbered
from model.strips import Strip
from proxies import accepts, free_port
from samples import TENS
from server import Server, exchange
from waiting import TIMEOUT_SECONDS, wait_until

LINE = re.compile(r'[a-z_]+(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? -?[0-9.e+-]+')


def test_metrics_are_in_the_format_of_prometheus(built_in):
    built_in.window(strip="albums")
    built_in.get("/strips/nowhere")
    reply = built_in.get("/metrics")
    assert reply.status == 200
    assert reply.fields["content-type"].startswith("text/plain; version=0.0.4")
    for line in reply.text.splitlines():
        assert line.startswith("# ") or LINE.fullmatch(line), line
    name = "http_server_request_duration_seconds_count"
    routes = set(re.findall(name + r'\{.*?_code="(\d+)",http_route="(.*?)"\}', reply.text))
    assert {("200", "/window"), ("404", "/strips/{strip}")} <= routes
    for name in ("http_server_rejected_requests_total", "process_resident_memory_bytes", "target_info"):
        assert f"\n{name}{{" in reply.text or f"\n{name} " in reply.text


def output(*requests: bytes, options=()) -> tuple[bytes, bytes]:
    """Standard output and standard error of a server of `requests`, each on its own connection."""
    with Server(*options, stdout=subprocess.PIPE) as server:
        for request in requests:
            server.raw(request)
        server.stop()
        return server.process.stdout.read(), server.log.content()


def logged(*requests: bytes) -> list[dict]:
    """The lines of the access log for `requests`."""
    return [json.loads(line) for line in output(*requests, options=["--access-log"])[0].splitlines()]


def test_standard_output_has_nothing_but_the_access_log():
    request = b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    written, errors = output(request)
    assert written == b""
    assert re.search(rb"^Serving on http://127\.0\.0\.1:\d+/$", errors, re.MULTILINE), errors
    written, errors = output(request, request, options=["--access-log"])
    assert [json.loads(line)["target"] for line in written.splitlines()] == ["/livez"] * 2
    assert errors.count(b"Serving on ") == 1, errors


@pytest.mark.parametrize("closed", ["pipe", "descriptor"])
def test_a_server_serves_without_a_reader_of_its_standard_error(closed):
    port = free_port()
    reader, writer = os.pipe()
    os.close(reader)
    to = "" if closed == "pipe" else "2>&-"
    command = ["bash", "-c", f'exec "$0" serve --port {port} {to}', binary()]
    with subprocess.Popen(command, stderr=writer, cwd=ROOT, env=environment()) as server:
        os.close(writer)
        try:
            wait_until(lambda: server.poll() is not None or accepts(port))
            request = b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            assert exchange(port, request).startswith(b"HTTP/1.1 200 ")
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=TIMEOUT_SECONDS) == 0
        finally:
            server.kill()


def test_the_access_log_has_a_line_of_json_for_each_request():
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    fields = f"X-Request-Id: from-proxy\r\ntraceparent: {trace}\r\n"
    first, refused, second = logged(
        f"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n".encode(),
        b"GET /livez HTTP/1.1\r\n\r\n",
        b'GET /no/such"thing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nUser-Agent: a"\\\xff\r\n\r\n',
    )
    assert first["target"] == "/livez" and first["status"] == 200
    assert first["request_id"] == "from-proxy" and first["traceparent"] == trace
    assert second["target"] == '/no/such"thing' and second["status"] == 404
    assert refused["refused"] == "missingHost" and refused["status"] == 400
    assert second["request_id"] and second["user_agent"].startswith('a"\\')


def test_a_full_pipe_of_the_access_log_does_not_block_the_stop():
    with Server("--access-log", stdout=subprocess.PIPE) as server:
        with server.connect() as link:
            # More than the capacity of the pipe.
            for _ in range(100):
                link.sendall(f"GET /livez HTTP/1.1\r\nHost: x\r\nUser-Agent: {'a' * 1000}\r\n\r\n".encode())
                assert link.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert server.stop() == 0


def test_a_slow_reader_of_a_log_that_does_not_block_gets_whole_lines():
    reader, writer = os.pipe()
    # One page, and writes to it fail with EAGAIN when it is full.
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writer, False)
    with Server("--access-log", stdout=writer) as server, open(reader, "rb") as log:
        os.close(writer)
        with server.connect() as link:
            for number in range(100):
                link.sendall(f"GET /{number} HTTP/1.1\r\nHost: x\r\nUser-Agent: {'a' * 999}\r\n\r\n".encode())
                assert link.recv(65536).startswith(b"HTTP/1.1 404 ")
        server.process.send_signal(signal.SIGTERM)
        lines = log.read().splitlines()
    assert [json.loads(line)["target"] for line in lines] == [f"/{number}" for number in range(100)]


def test_limits_are_options_and_environment_variables(serving):
    server = serving(env=environment(CAROUSEL_TARGET_LIMIT="100", CAROUSEL_ACCESS_LOG="false"))
    assert server.get("/livez?" + "a" * 50).status == 200
    assert server.get("/livez?" + "a" * 200).status == 414
    server = serving("--field-limit", "10", "--head-limit", "4096")
    fields = {f"X-{n}": "y" for n in range(6)}
    assert server.get("/livez", fields).status == 200
    assert server.get("/livez", fields | {f"Y-{n}": "z" for n in range(6)}).status == 431
    assert server.get("/livez?" + "a" * 3000).status == 200
    server = serving("--body-limit", "2000")
    assert server.ask("POST", "/livez", body=b"a" * 3000).status == 413


def error(run) -> str:
    """The message about a wrong command line."""
    return run.stderr.decode().splitlines()[0]


@pytest.mark.parametrize(
    "wrong",
    [
        *(["--origin", origin] for origin in ("notanorigin", "https://example.org/", "https://Example.org", "https://example.org:443")),
        *([option, "-1"] for option in ("--port", "--threads", "--fresh-for", "--idle-deadline")),
        *([option, "0"] for option in ("--head-deadline", "--heartbeat")),
        ["--head-limit", "4096", "--target-limit", "4096"], ["--target-limit", "20000"], ["--target-limit", "x"],
        ["--body-limit", "100000000"], ["--stream-limit", "4097"], ["--connection-limit", "9", "--stream-limit", "10"],
        ["--connection-limit", "9", "--connection-limit-per-address", "10"],
    ],
    ids=" ".join,
)
def test_limits_and_origins_that_cannot_work_are_a_wrong_command_line(wrong):
    run = exited(carousel("serve", *wrong), 64)
    assert wrong[-2] in error(run) and "Missing value" not in error(run)


def test_a_request_id_is_repeated_in_the_answer(built_in):
    reply = built_in.get("/window?strip=albums", {"X-Request-Id": "from-proxy:7"})
    assert reply.fields["x-request-id"] == "from-proxy:7"
    for malformed in ("two words", "a" * 129, '"'):
        reply = built_in.get("/window?strip=albums", {"X-Request-Id": malformed})
        assert reply.status == 200 and "x-request-id" not in reply.fields


@pytest.mark.parametrize("name", ["PORT", "CAROUSEL_PORT", "CAROUSEL_FRESH_FOR", "CAROUSEL_ACCESS_LOG"])
def test_the_error_names_a_wrong_variable(name):
    run = exited(carousel("serve", env=environment(**{name: "maybe"})), 64)
    assert re.search(rf"\b{name}\b", run.stderr.decode())


def test_an_unknown_variable_gets_a_warning(serving):
    given = {"CAROUSEL_FRSH_FOR": "5", "CAROUSEL_GAP": "", "CAROUSEL_SERVICE_HOST": "10.0.0.1"}
    server = serving(env=environment(CAROUSEL_THREADS="1", **given))
    assert server.get("/livez").status == 200
    assert re.findall("CAROUSEL_[A-Z_]+", server.logged()) == ["CAROUSEL_FRSH_FOR"]


def test_the_error_of_a_wrong_option_names_no_variable():
    run = exited(carousel("serve", "--port", "abc", env=environment(PORT="8080")), 64)
    assert b"environment" not in run.stderr


def test_a_damaged_database_is_not_ready_and_the_log_says_what_is_damaged(serving, database):
    imported(database, TENS)
    database.damage()
    server = serving("--database", database)
    assert server.get("/livez").status == 200
    ready, window = server.get("/readyz"), server.get("/window")
    assert window.status in (500, 503), window
    assert ready.status == window.status
    for reply in (ready, window):
        assert str(database.parent) not in reply.text and database.name not in reply.text
    # A file that is no database has no strip yet.
    log = server.logged()
    assert database.name in log or 'the strip "tens"' in log


def metrics(server) -> tuple[str, dict[str, float]]:
    text = server.get("/metrics").text
    return text, {k: float(v) for k, v in re.findall(r"^([a-z_]+)(?:\{.*\})? ([0-9.e+-]+)$", text, re.M)}


def test_metrics_have_the_size_of_the_store_and_what_is_to_be_deleted(tmp_path):
    """A strip that is removed leaves free pages. A deletion that names rows of a strip is never made: it stays."""
    for editor in editors(tmp_path / "s.db", Strip("numbered", numbered(5000))):

        def value(name: str) -> float:
            return metrics(editor.server)[1][f"carousel_store_{name}"]

        wait_until(lambda: value("bytes") > 5000 * 50)
        assert value("bytes") % 8192 == 0
        before = value("free_bytes")
        assert editor.send("DELETE", "/strips/numbered", None).status == 204
        wait_until(lambda: value("free_bytes") > before + 5000 * 50)
        assert value("free_bytes") < value("bytes")
        imported(editor.database, TENS)
        wait_until(lambda: value("pending_deletions") == 0)
        with sqlite3.connect(editor.database) as file:
            file.execute("INSERT INTO garbage (number, strip) SELECT 1000000, number FROM strip")
        wait_until(lambda: value("pending_deletions") == 1)


def test_metrics_have_each_limit_and_its_use(serving, tmp_path):
    database = imported(tmp_path / "s.db", TENS)
    server = serving("--database", database, "--response-budget", "7", "--connection-limit", "99")
    server.window(strip="tens")
    for _ in range(2):
        assert server.window(strip="tens", where="width > 0").status == 200
    text, values = metrics(server)
    assert values["http_server_response_limit_bytes"] == 7 << 20
    assert values["http_server_connection_limit"] == 99
    assert values["http_server_address_connection_limit"] == 99
    assert values["http_server_address_connections_max"] == 1
    assert values["carousel_store_reachable"] == 1
    assert 0 <= values["carousel_store_contact_age_seconds"] < 15
    assert values["carousel_store_wal_bytes"] >= 0
    assert values["carousel_strip_cache_strips"] == 1
    assert 0 < values["carousel_strip_cache_bytes"] < values["carousel_strip_cache_limit_bytes"]
    runbook = (ROOT / "Documentation/Runbooks.md").read_text()
    page_caches = int(re.search(r"^\| SQLite's page caches.*\| (\d+) MB \|", runbook, re.M)[1])
    assert values["carousel_page_cache_limit_bytes"] == page_caches << 20
    assert values["carousel_store_writable"] == 1
    assert values["carousel_view_cache_views"] == values["carousel_view_builds_total"] == 1
    assert 0 < values["carousel_view_cache_bytes"] < values["carousel_view_cache_limit_bytes"]
    queues = re.findall(r'^carousel_queue_limit\{queue="(.*)"\}', text, re.M)
    assert queues == ["io", "disk", "compressions", "changes", "authentication", "layout", "views", "columns"]
    keyed = re.findall(r'^carousel_queue_keys_limit\{queue="(.*)"\} (\d+)', text, re.M)
    assert keyed == [("layout", "16"), ("views", "64"), ("columns", "64")]


def test_the_log_as_json_has_a_level_and_the_id_of_the_request(serving, tmp_path):
    database = imported(tmp_path / "s.db", TENS)
    server = serving("--database", database, "--log-format", "json")
    database.write_bytes(b"no database" * 1000)
    reply = server.get("/strips")
    assert reply.status in (500, 503), reply
    lines = [json.loads(line) for line in server.log.text().splitlines()]
    assert all({"time", "level", "message"} <= line.keys() for line in lines)
    assert {line["level"] for line in lines if "Serving on" in line["message"]} == {"info"}
    failed = [line for line in lines if "request_id" in line]
    assert failed and failed[0]["level"] in ("warning", "error")
    assert reply.fields["x-request-id"] == failed[0]["request_id"]


def test_an_error_at_the_start_is_a_line_of_json_too(tmp_path):
    run = exited(carousel("serve", "--database", tmp_path / "none.db", "--log-format", "json"), 69)
    assert json.loads(run.stderr)["level"] == "critical"


def test_a_server_says_that_its_memory_is_nearly_used_up(serving):
    server = serving()
    size = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[0]) * 4096
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_AS)
    # The limit is more than the process uses, so that the process continues, but less than ten ninths of it.
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, (size + size // 20, hard))
    wait_until(lambda: "Memory is nearly used up" in server.log.text(), "the log says nothing")
    assert server.log.text().count("Memory is nearly used up") == 1
