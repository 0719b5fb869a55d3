"""The Debian package installs, serves, upgrades, and leaves nothing after a purge."""

import configparser
import json
import shlex
import shutil
import subprocess

from conftest import packaged
from system import ROOT, System

ITEMS = "".join(json.dumps({"id": f"i{n}", "aspect": 1}) + "\n" for n in range(50))
DATABASE = "/var/lib/carousel/fifty.db"


def install(system: System, package) -> None:
    shutil.copy(package, system.path("/root"))
    system.apt("install", "--no-install-recommends", f"/root/{package.name}")


def service(system: System):
    """Starts the command of the installed unit with its user, its folder and its variables."""
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(system.path("/lib/systemd/system/carousel.service"))
    settings = unit["Service"]
    options = system.path(settings["EnvironmentFile"].removeprefix("-")).read_text()
    lines = [line for line in options.splitlines() if line and not line.startswith("#")]
    variables = dict(pair.split("=", 1) for pair in [settings["Environment"], *lines])
    folder = shlex.quote(settings["WorkingDirectory"])
    return system.serve(
        "sh", "-c", f"cd {folder} && exec {settings['ExecStart']}",
        user=f"{settings['User']}:{settings['User']}", variables=variables,
    )  # fmt: skip


def test_it_installs_serves_upgrades_and_is_purged(bookworm, tmp_path):
    first = packaged("deb", tmp_path / "first")
    version = first.name.split("_")[1] + "+1"
    second = packaged("deb", tmp_path / "second", version)
    bookworm.apt("update")
    install(bookworm, first)
    for file in ["Documentation/Runbooks.md", "Deployment/nginx/carousel-tls.conf", "Deployment/prometheus/alerts.yml"]:
        assert bookworm.path(f"/usr/share/doc/carousel/{file}").exists()
    assert bookworm.path("/usr/libexec/carousel/carousel-pictures").exists()
    with service(bookworm) as server:
        assert json.loads(server.get("/readyz"))["status"] == "ok"
        assert json.loads(server.get("/window?width=500"))["first"] == 0
        assert b"<carousel-strip" in server.get("/")
        assert b"From CSV to a page" in server.get("/docs/")
        assert server.stop() == 0

    user = "carousel:carousel"
    bookworm.path("/tmp/items.jsonl").write_text(ITEMS)
    bookworm.run("carousel", "import", "/tmp/items.jsonl", "--database", DATABASE, "--strip", "fifty", user=user)
    with bookworm.path("/etc/default/carousel").open("a") as options:
        options.write(f"CAROUSEL_DATABASE={DATABASE}\n")

    install(bookworm, second)
    assert version in bookworm.run("dpkg-query", "--show", "carousel")
    with service(bookworm) as server:
        window = json.loads(server.get("/window?width=500"))
        assert (window["strip"], window["count"]) == ("fifty", 50)
        assert server.stop() == 0
    bookworm.run("carousel", "check", "--database", DATABASE, user=user)

    bookworm.apt("remove", "carousel")
    assert not bookworm.path("/usr/bin/carousel").exists()
    assert bookworm.path(DATABASE).exists()
    assert bookworm.path("/etc/default/carousel").exists()

    bookworm.apt("purge", "carousel")
    left = bookworm.run(
        "find", "/etc", "/lib", "/usr", "/var", "(", "-path", "/var/log", "-o", "-path", "/var/cache",
        "-o", "-path", "/var/lib/apt", ")", "-prune", "-o", "-name", "*carousel*", "-print",
    )  # fmt: skip
    assert left == ""


def test_the_manual_names_each_command_and_option():
    made = subprocess.run(
        [ROOT / "Scripts/manual", ROOT / ".build/release/carousel", "1.0"],
        capture_output=True,
        text=True,
        check=True,
    )
    words = made.stdout.replace("\\-", "-")
    for command in ("serve", "import", "export", "window", "strips", "token create", "check", "backup"):
        assert f'.SS "carousel {command}"' in words
    for option in ("--trust-proxy", "--response-budget", "--log-format", "--allow-empty"):
        assert option in words
