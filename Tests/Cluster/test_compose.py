"""`compose.yaml` is well formed, and its commands work.

Docker is not needed: tests run the commands with the programs of this machine.
"""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from command import ROOT, carousel, exited, outcome
from proxies import free_port, shipped_haproxy
from server import Server
from stores import Postgres

COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
#: The keys of the Compose specification that compose.yaml uses.
TOP = {"services", "networks", "volumes"}
KNOWN = {
    "build", "command", "depends_on", "entrypoint", "environment", "healthcheck", "image",
    "networks", "ports", "read_only", "restart", "shm_size", "stop_signal", "volumes",
}  # fmt: skip
CONDITIONS = {"service_healthy", "service_completed_successfully", "service_started"}
ADDRESS = "postgresql://carousel@database/carousel"


def as_host(text: str, address: str) -> str:
    """The command after the substitutions of Compose, with the address of the test's database."""
    return text.replace("$$CAROUSEL_DATABASE", shlex.quote(address)).replace("$$", "$")


def test_it_uses_known_keys_of_the_specification():
    assert {key for key in COMPOSE if not key.startswith("x-")} == TOP
    for name, service in SERVICES.items():
        assert set(service) <= KNOWN, name
        assert set(service["networks"]) <= set(COMPOSE["networks"]), name
        for other, wanted in service.get("depends_on", {}).items():
            assert wanted["condition"] in CONDITIONS, name
            if wanted["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{name} waits for {other}"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            there = (ROOT / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
            assert there, volume
        watched = service.get("healthcheck", {})
        for time in ("interval", "timeout", "start_period"):
            assert re.fullmatch(r"\d+s", watched.get(time, "1s")), name


def test_images_are_built_here_or_have_a_version():
    for name, service in SERVICES.items():
        if "build" in service:
            assert (ROOT / service["build"] / "Dockerfile").is_file(), name
        else:
            assert re.fullmatch(r"(postgres:\d+|haproxy:\d+\.\d+)", service["image"]), name


def test_haproxy_names_all_servers():
    config = (ROOT / "Deployment/haproxy/haproxy.cfg").read_text()
    named = re.findall(r"^  server (\w+) (\w+):8080$", config, re.MULTILINE)
    shown = {name for name, service in SERVICES.items() if service == SERVICES["one"]}
    assert {host for _, host in named} == shown == {"one", "two"}
    assert SERVICES["one"]["environment"]["CAROUSEL_DATABASE"] == ADDRESS
    assert SERVICES["sample"]["environment"] == {"CAROUSEL_DATABASE": ADDRESS}


def test_postgresql_accepts_its_options():
    command, watched = SERVICES["database"]["command"], SERVICES["database"]["healthcheck"]
    programs = Path(sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1])
    for option in command[2::2]:
        name = option.split("=")[0]
        described = subprocess.run(
            [programs / "postgres", "--describe-config"], capture_output=True, text=True, check=True
        )
        assert re.search(rf"^{name}\t", described.stdout, re.MULTILINE), option
    usage = subprocess.run([programs / watched["test"][1], "--help"], capture_output=True, text=True)
    for option in watched["test"][2:]:
        assert option.split("=")[0] in usage.stdout, option


def test_haproxy_accepts_its_configuration(tmp_path):
    """haproxy starts even if the names of the servers cannot be resolved yet."""
    checked = ["haproxy", "-c", "-f", str(ROOT / "Deployment/haproxy/haproxy.cfg")]
    exited(subprocess.run(checked, capture_output=True, text=True))
    assert SERVICES["proxy"]["command"][:3] == ["haproxy", "-W", "-db"]


@pytest.fixture
def empty(tmp_path):
    made = Postgres(tmp_path)
    yield made
    made.release()


def test_the_sample_fills_an_empty_database_only(empty):
    service = SERVICES["sample"]
    (line,) = service["command"]
    line = as_host(line, str(empty)).replace("/samples/", f"{ROOT}/Samples/")
    for word in ("strips", "import"):
        assert f"carousel {word}" in line
    run = exited(carousel("strips", "--database", empty), 69)
    for _ in range(2):
        # The second time the database is not empty, and does not change.
        for command in line.split(" || "):
            run = carousel(*shlex.split(command)[1:])
            if run.returncode == 0:
                break
        assert run.returncode == 0, outcome(run)
    run = carousel("strips", "--database", empty)
    assert run.stdout.decode().split()[0] == "curves", outcome(run)


def test_environment_variables_alone_configure_a_server(empty, serving, tmp_path):
    (line,) = SERVICES["sample"]["command"]
    line = as_host(line, str(empty)).replace("/samples/", f"{ROOT}/Samples/")
    assert carousel(*shlex.split(line.split(" || ")[1])[1:]).returncode == 0
    variables = {**SERVICES["one"]["environment"], "CAROUSEL_DATABASE": str(empty)}
    servers = [serving(None, env=variables) for _ in range(2)]
    port = free_port()
    with shipped_haproxy(tmp_path, port, servers):
        front = Server.__new__(Server)
        front.__dict__ = {**servers[0].__dict__, "port": port, "threads": type(servers[0].threads)()}
        answers = {one.get("/window?strip=curves&width=800").body for one in (front, *servers)}
        assert len(answers) == 1
