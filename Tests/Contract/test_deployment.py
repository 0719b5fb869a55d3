"""The files of `Deployment/` work. The tests change only ports and paths."""

import http.client
import json
import re
import shutil
import ssl
import subprocess

import pytest
import yaml

from command import ROOT, imported
from editing import Editor, token
from model.strips import Item
from proxies import free_port, nginx, varnish
from samples import TENS
from server import Server
from server_log import ServerLog
from test_events import listening
from waiting import TIMEOUT_SECONDS, wait_until

SHIPPED = ROOT / "Deployment"


def adapted(file: str, **changes: str) -> str:
    """The text of a file of `Deployment/` with these replacements, each of which must apply."""
    text = (SHIPPED / file).read_text()
    for before, after in changes.items():
        assert before in text, f"{file} has no {before}"
        text = text.replace(before, after)
    return text


class Front(Server):
    """A server behind a proxy."""

    def __init__(self, back: Server, port: int, proxy: str):
        self.__dict__ = {**back.__dict__, "port": port, "threads": type(back.threads)()}
        self.proxy = proxy


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """A server, its database, and a token of its strip."""
    database = imported(tmp_path_factory.mktemp("behind") / "s.db", TENS)
    bearer = token(database, TENS.name)
    with Server("--database", database) as server:
        yield server, database, bearer


@pytest.fixture(scope="module", params=["nginx", "varnish"])
def front(request, behind, tmp_path_factory):
    """The proxy with the shipped configuration, the server behind it, and an editor through the proxy."""
    server, database, bearer = behind
    folder, port = tmp_path_factory.mktemp(request.param), free_port()
    if request.param == "nginx":
        changes = {
            "127.0.0.1:8080": f"127.0.0.1:{server.port}",
            "listen 80;": f"listen 127.0.0.1:{port};",
            "/var/cache/nginx": str(folder),
        }
        running = nginx(folder, port, adapted("nginx/carousel.conf", **changes))
    else:
        changes = {'.port = "8080"': f'.port = "{server.port}"'}
        running = varnish(folder, port, adapted("varnish/carousel.vcl", **changes))
    with running:
        through = Front(server, port, request.param)
        yield through, server, Editor(through, database, TENS, bearer)


def asked(back: Server, route: str) -> int:
    """The number of requests of a route that the server behind the proxy has answered."""
    name = "http_server_request_duration_seconds_count"
    found = re.findall(rf'^{name}\{{.*"{route}"\}} (\d+)$', back.get("/metrics").text, re.M)
    return sum(map(int, found))


def test_a_pinned_window_reaches_the_server_once(front):
    through, back, editor = front
    target = f"/window?strip=tens&revision={editor.revision}&width=77"
    before = asked(back, "/window")
    replies = [through.get(target) for _ in range(5)]
    assert {reply.status for reply in replies} == {200}
    assert len({reply.body for reply in replies}) == 1
    assert asked(back, "/window") == before + 1


def test_a_cached_answer_has_the_id_of_the_request_not_of_the_first(front):
    through, _, editor = front
    target = f"/window?strip=tens&revision={editor.revision}&width=78"
    first, second, third = (
        through.get(target, fields).fields
        for fields in ({"X-Request-Id": "first"}, {"X-Request-Id": "second"}, {})
    )
    assert second["x-cache"] == third["x-cache"] == "HIT"
    ids = [fields.get("x-request-id") for fields in (first, second, third)]
    assert ids[:2] == ["first", "second"]
    # nginx adds an id to a request without one.
    assert (ids[2] not in (None, *ids[:2])) if through.proxy == "nginx" else ids[2] is None


def test_requests_up_to_the_limits_of_the_server_pass_the_proxy(front):
    through, _, editor = front
    # Varnish rejects lines above 8 KB by default.
    longest = {"nginx": 12_000, "varnish": 7_000}[through.proxy]
    target = f"/strips/tens?v={longest}"
    assert through.get(target, {"Cookie": "a=" + "b" * longest}).status == 200
    assert through.get(target, {"Cookie": "a=" + "b" * 13_000}).status in (400, 431)
    large = [{"op": "remove", "ids": ["x" * 250] * 3_500}]
    assert editor.send("POST", "/strips/tens/edits", large).status in (400, 409)
    assert editor.send("POST", "/strips/tens/edits", large * 2).status == 413
    ids = [f"{n:0256}" for n in range(20_000)]
    assert editor.send("POST", "/strips/tens/lists", ids).status in (200, 201)
    editor.send("POST", "/strips/tens/lists", ids, {"Authorization": None}).rejected(401)


def test_a_window_without_a_revision_is_the_newest(front):
    through, back, editor = front
    for _ in range(3):
        made = editor.edited({"op": "move", "ids": ["t9"], "after": None})
        assert through.window(strip="tens").json()["revision"] == made
        made = editor.edited({"op": "move", "ids": ["t9"], "before": None})
        assert through.window(strip="tens").json()["revision"] == made


def test_an_error_is_not_cached(front):
    through, back, _ = front
    before = asked(back, "/window")
    for _ in range(3):
        through.get("/window?strip=tens&revision=1").rejected(404)
    assert asked(back, "/window") == before + 3


def test_edits_pass_each_time_with_their_token(front):
    through, back, editor = front
    item = {"op": "insert", "before": None, "items": [{"id": "extra", "width": 9}]}
    made = editor.edited(item)
    editor.edit(item).rejected(409)
    assert editor.edited({"op": "remove", "ids": ["extra"]}) == made + 1
    editor.edit(item, fields={"Authorization": None}).rejected(401)
    assert editor.ids() == [Item.id for Item in TENS.items]


def test_events_pass_without_a_delay(front):
    through, back, editor = front
    with listening(through, "tens") as stream:
        stream.wait_for("tens", editor.revision)
        stream.wait_for("tens", editor.edited({"op": "move", "ids": ["t9"], "before": None}))


def test_the_probes_are_not_public(front):
    through, back, _ = front
    assert through.get("/strips").status == 200
    spelled = ["/readyz", "/%72eadyz", "/livez", "/metrics", "/%6detrics", "/%6Detrics?x=1"]
    statuses = {through.get(target).status for target in spelled}
    assert len(statuses) == 1
    if statuses != {404}:
        # nginx allows the probes from this machine only.
        assert "deny all" in (SHIPPED / "nginx/carousel.conf").read_text()


def test_the_systemd_units_are_well_formed_and_restricted(tmp_path):
    program = tmp_path / "carousel"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    service = adapted("systemd/carousel.service", **{"/usr/local/bin/carousel serve": f"{program} serve"})
    (tmp_path / "carousel.service").write_text(service)
    shutil.copy(SHIPPED / "systemd/carousel.socket", tmp_path)
    programs = {f"ExecStart={name}": f"ExecStart={program}" for name in ("carousel", "sqlite3")}
    backup = adapted("backup/carousel-backup.service", **programs)
    (tmp_path / "carousel-backup.service").write_text(backup)
    shutil.copy(SHIPPED / "backup/carousel-backup.timer", tmp_path)
    units = [tmp_path / "carousel.socket", tmp_path / "carousel.service"]
    night = [tmp_path / "carousel-backup.service", tmp_path / "carousel-backup.timer"]
    verify = subprocess.run(["systemd-analyze", "verify", *units, *night], capture_output=True, text=True)
    assert verify.returncode == 0 and verify.stderr == "", verify.stderr
    security = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", units[1]],
        capture_output=True,
        text=True,
    )
    exposure = float(re.search(r"Overall exposure level .*?: ([\d.]+)", security.stdout)[1])
    assert exposure < 2


@pytest.fixture
def known(behind) -> set[str]:
    """The names of the metrics, with those that the first request of their kind makes."""
    server, _, _ = behind
    server.window(strip="tens")
    server.raw(b"GET / HTTP/1.1\r\n\r\n")
    return {"up", *re.findall(r"^([a-z_]+)(?:\{| )", server.get("/metrics").text, re.M)}


def test_each_metric_of_the_dashboard_exists(known):
    dashboard= json.loads((SHIPPED / "grafana/carousel.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    named = {name for query in queries for name in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", query)}
    named -= {"histogram_quantile", "http_route", "http_request_method", "service_version"}
    named -= {"http_response_status_code"}
    assert len(named) > 8
    assert named <= known, f"not in /metrics: {named - known}"


def test_each_metric_of_the_alerts_exists_and_the_documentation_has_each_alert(known):
    rules= yaml.safe_load((SHIPPED / "prometheus/alerts.yml").read_text())["groups"][0]["rules"]
    documentation = (ROOT / "Documentation/Operating.md").read_text()
    for rule in rules:
        assert {"alert", "expr", "labels", "annotations"} <= rule.keys()
        assert f"`{rule['alert']}`" in documentation
        query = re.sub(r"\{[^}]*\}|\b(?:sum )?by \([^)]*\)", "", rule["expr"])
        named = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", query)) - {"histogram_quantile"}
        assert named <= known, f"{rule['alert']}: not in /metrics: {named - known}"
        assert named or query.startswith("up")


@pytest.fixture
def certificate(tmp_path):
    """A certificate for localhost, in the folder `tls` of the shipped configuration."""
    (tmp_path / "tls").mkdir()
    key, chain = tmp_path / "tls/privkey.pem", tmp_path / "tls/fullchain.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*command, "-keyout", key, "-out", chain], check=True, capture_output=True)
    return chain


def test_edits_pass_through_tls_and_the_log_has_the_clients_address(certificate, tmp_path):
    database = imported(tmp_path / "s.db", TENS)
    bearer = token(database, TENS.name)
    plain, port = free_port(), free_port()
    options = ["--database", database, "--access-log", "--trust-proxy", "127.0.0.1"]
    with ServerLog() as access, Server(*options, stdout=access) as server:
        tls = adapted("nginx/carousel-tls.conf", **{"listen 443": f"listen 127.0.0.1:{port}"})
        (tmp_path / "carousel-tls.conf").write_text(tls.replace("/etc/nginx", str(tmp_path)))
        changes = {
            "127.0.0.1:8080": f"127.0.0.1:{server.port}",
            "listen 80;": f"listen 127.0.0.1:{plain};",
            "/var/cache/nginx": str(tmp_path),
            "/etc/nginx": str(tmp_path),
        }
        with nginx(tmp_path, port, adapted("nginx/carousel.conf", **changes)):
            fields = {"Authorization": f"Bearer {bearer}", "Content-Type": "application/json"}
            fields |= {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
            edit = json.dumps([{"op": "remove", "ids": ["t1"]}])
            # Linux gives the whole network 127.0.0.0/8 to this machine.
            more = {"source_address": ("127.0.0.2", 0), "context": ssl.create_default_context(cafile=certificate)}
            client = http.client.HTTPSConnection("localhost", port, timeout=TIMEOUT_SECONDS, **more)
            client.request("POST", "/strips/tens/edits", edit, fields)
            assert client.getresponse().status == 200
            redirected = http.client.HTTPConnection("127.0.0.1", plain, timeout=TIMEOUT_SECONDS)
            redirected.request("POST", "/strips/tens/edits", edit, fields)
            answer = redirected.getresponse()
            assert answer.status == 308
            assert answer.headers["location"] == "https://127.0.0.1/strips/tens/edits"
        wait_until(lambda: b'"target":"/strips/tens/edits"' in access.content())
        lines = [json.loads(line) for line in access.text().splitlines()]
        assert [line["client"] for line in lines if line["method"] == "POST"] == ["127.0.0.2"]
