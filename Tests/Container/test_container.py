"""The container serves, reports its health, stops, and runs without privileges."""

import json

from image import REVISION

ITEMS = "".join(json.dumps({"id": f"i{n}", "aspect": 1}) + "\n" for n in range(50))


def imported(container, database="/data/catalogue.db"):
    """Imports fifty items in the container."""
    (container.data / "items.jsonl").write_text(ITEMS)
    return container.run("carousel", "import", "/data/items.jsonl", "--database", database, "--strip", "fifty")


def test_the_image_has_a_user_a_health_check_and_a_stop_signal(container):
    settings = container.settings
    assert settings["User"] == "10001:10001"
    assert settings["StopSignal"] == "SIGTERM"
    assert settings["Healthcheck"]["Test"] == ["CMD", "carousel", "health"]
    assert list(settings["Volumes"]) == ["/data"]
    assert list(settings["ExposedPorts"]) == ["8080/tcp"]


def test_it_names_the_commit(container):
    assert container.settings["Labels"]["org.opencontainers.image.revision"] == REVISION
    version = container.run("carousel", "--version")
    assert REVISION in version.stdout, version


def test_it_runs_as_an_unprivileged_user_with_a_read_only_root(container):
    who = container.run("id", "-u")
    assert who.stdout == "10001\n", who
    write = container.run("touch", "/usr/local/bin/new")
    assert "Read-only file system" in write.stderr, write


def test_it_has_no_compiler(container):
    assert container.run("which", "carousel").returncode == 0
    for tool in ("swift", "clang", "gcc", "git"):
        assert container.run("which", tool).returncode == 1, tool


def test_it_serves_the_page_to_other_hosts(container):
    with container.serve() as service:
        status, page = service.get("/")
        assert status == 200
        assert b"<carousel-strip" in page
        assert service.get("/js/element/carousel-strip.js")[0] == 200
        assert service.get("/docs/element.html")[0] == 200


def test_its_health_check_is_0_if_the_server_answers(container):
    with container.serve() as service:
        well = container.run("carousel", "health", CAROUSEL_PORT=service.port)
        assert well.returncode == 0, well
        assert service.stop() == 0
    gone = container.run("carousel", "health", CAROUSEL_PORT=service.port)
    assert gone.returncode == 69, gone


def test_sigterm_stops_it_with_status_0(container):
    with container.serve() as service:
        assert service.get("/livez")[0] == 200
        assert service.stop() == 0


def test_a_catalogue_in_data_is_served(container):
    run = imported(container)
    assert run.returncode == 0, run
    with container.serve(CAROUSEL_DATABASE="/data/catalogue.db") as service:
        window = json.loads(service.get("/window?width=500")[1])
        assert (window["strip"], window["count"]) == ("fifty", 50)


def test_the_error_names_data_that_cannot_be_written(container_without_data):
    run = imported(container_without_data)
    assert run.returncode in (69, 74), run
    assert "/data" in run.stderr, run
