"""The command line: the same windows as over HTTP, and the exit status of each command."""

import socket

import pytest

import at_random
import samples
from command import carousel, environment, exited, exported_ids, imported, outcome
from model.strips import Item, Strip
from server import Server


def window(database, *options):
    return carousel("window", "--database", database, *options)


@pytest.mark.parametrize("strip", samples.STRIPS, ids=lambda strip: strip.name)
def test_the_command_window_prints_the_json_of_the_route_window(server, sample_database, strip):
    run = exited(window(sample_database, "--strip", strip.name, "--width", "300"))
    assert run.stdout.rstrip(b"\n") == server.window(strip=strip.name, width="300").body


def test_the_command_window_has_an_option_for_each_parameter(server, sample_database):
    revision = server.revision("mixed")
    asked = [
        {"offset": "100.5", "width": "250", "height": "99", "overscan": "20", "pool": "500"},
        {"index": "3", "align": "end"},
        {"item": "h2", "at": "12.5"},
        {"item": "a5", "align": "nearest", "offset": "30"},
        {"have": "0..4", "revision": str(revision)},
    ]
    for one in asked:
        options = [f"--{name}={value}" for name, value in one.items()]
        run = exited(window(sample_database, "--strip=mixed", *options))
        assert run.stdout.rstrip(b"\n") == server.window(one, strip="mixed").body


def test_random_windows_are_the_same_over_http(server, sample_database):
    queries = at_random.queries(samples.MIXED, 7, 12)
    for one in [query for query in queries if "clamp" not in query]:  # the command has no such option
        options = [f"--{name}={value}" for name, value in one.items() if value and name != "wrap"]
        asked = {name: value for name, value in one.items() if name != "wrap"}
        run = window(sample_database, "--strip=mixed", *options)
        assert run.stdout.rstrip(b"\n") == server.window(asked, strip="mixed").body, outcome(run)


def test_a_negative_offset_may_follow_its_option(server, sample_database):
    """`--offset -100` as well as `--offset=-100`."""
    expected = server.window(strip="tens", offset="-100").body
    for options in (["--offset=-100"], ["--offset", "-100"]):
        run = window(sample_database, "--strip", "tens", *options)
        assert (run.returncode, run.stdout.rstrip(b"\n")) == (0, expected), outcome(run)


def test_strips_names_each_strip_in_order(sample_database):
    run = exited(carousel("strips", "--database", sample_database))
    words = [line.split() for line in run.stdout.decode().splitlines()]
    places = [next(n for n, line in enumerate(words) if strip.name in line) for strip in samples.STRIPS]
    assert places == sorted(set(places))


TO = ["--database", "d.db", "--strip", "s"]
WRONG_LINES = [
    ["nothing"], ["import"], ["import", "x.jsonl"], ["import", "x.jsonl", "--database", "d.db"],
    *(["import", "x.jsonl", "--database", "d.db", "--strip", name] for name in ("Not A Name", "-x")),
    *(["import", "x.jsonl", *TO, "--height", height] for height in ("15", "16385", "tall")),
    *(["import", "x.jsonl", *TO, wrong] for wrong in ("--gap=-1", "--gap=65537", "--inset=-1", "--inset=65537", "--unknown")),
    *(["import", "x.jsonl", *TO, *wrong] for wrong in (["--append", "--replace"], ["--on-error", "panic"], ["--format", "xml"])),
    *(["import", "x.csv", *TO, *wrong] for wrong in (["--map", "title"], ["--map", "a=id", "--map", "a=id"])),
    *(["import", "x.csv", *TO, "--aspect-range", wrong] for wrong in ("4:1", "wide")),
    ["import", "x.csv", *TO, "--item-width", "100001"], ["import", "x.txt", *TO],
    ["export", "--database", "d.db"], ["window", "--strip", "s"], ["strips"], ["strips", "--database"],
    ["serve", "--port", "70000"], ["serve", "--port", "http"], ["serve", "--unknown"],
]


@pytest.mark.parametrize("line", WRONG_LINES, ids=" ".join)
def test_a_wrong_command_line_is_64(line, tmp_path):
    (tmp_path / "x.jsonl").write_text('{"id":"a","width":10}\n')
    for name in ("x.csv", "x.txt"):
        (tmp_path / name).write_text("id,title\n1,a\n")
    run = exited(carousel(*line, cwd=tmp_path), 64)
    assert run.stderr.strip(), "there is no error message"
    assert not (tmp_path / "d.db").exists()


@pytest.mark.one_store
@pytest.mark.parametrize(
    "options",
    [
        ["--offset", "far"], ["--width", "0"], ["--width", "+5"], ["--height", "1"],
        ["--align", "middle", "--index", "1"], ["--align", "end"], ["--index", "1", "--item", "a1"], ["--pool", "1"],
        ["--have", "1..2"],
    ],
    ids=" ".join,
)
def test_a_window_that_http_rejects_with_400_is_64(sample_database, options):
    run = exited(window(sample_database, "--strip", "mixed", *options), 64)
    assert run.stdout == b""


@pytest.mark.parametrize("options", [["--item", "none"], ["--index", "11"], ["--revision", "1"]])
def test_an_item_index_or_revision_that_does_not_exist_is_an_error(sample_database, options):
    run = window(sample_database, "--strip", "mixed", *options)
    assert run.returncode in (64, 65, 69), outcome(run)
    assert run.stderr.strip()


@pytest.mark.parametrize("command", ["window", "export"])
def test_the_error_names_a_strip_that_does_not_exist(sample_database, command):
    run = carousel(command, "--database", sample_database, "--strip", "nowhere")
    assert run.returncode in (64, 65, 69), outcome(run)
    assert b"nowhere" in run.stderr


def test_a_file_that_cannot_be_read_is_74(database):
    for file in (database.parent / "none.jsonl", database.parent):
        run = exited(carousel("import", file, "--database", database, "--strip", "s", "--format", "jsonl"), 74)
        assert str(file).encode() in run.stderr
        assert not database.exists()


def test_a_port_in_use_is_69_and_named(server):
    run = exited(carousel("serve", "--port", server.port), 69)
    assert str(server.port).encode() in run.stderr
    assert b"--port" in run.stderr


def test_help_and_version_end_with_0():
    for line in (["--help"], ["serve", "--help"], ["import", "--help"], ["--version"]):
        run = carousel(*line)
        assert (run.returncode, bool(run.stdout.strip())) == (0, True), outcome(run)


def test_health_is_0_if_a_server_answers(server):
    exited(carousel("health", "--port", server.port))
    exited(carousel("health", env=environment(CAROUSEL_PORT=str(server.port))))


def test_health_is_69_without_a_server():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        run = carousel("health", "--port", taken.getsockname()[1])
    assert run.returncode == 69, outcome(run)


@pytest.mark.parametrize(
    "variables",
    [{"CAROUSEL_PORT": "0"}, {"PORT": "0"}, {"CAROUSEL_PORT": "0", "PORT": "1"}],
    ids=lambda variables: " ".join(f"{k}={v}" for k, v in variables.items()),
)
def test_options_of_serve_are_environment_variables(variables, sample_database):
    env = environment(CAROUSEL_DATABASE=str(sample_database), **variables)
    with Server(env=env, port=None) as running:
        assert running.window().json()["strip"] == "mixed"


def test_an_option_overrides_its_environment_variable(sample_database):
    env = environment(CAROUSEL_DATABASE="/nowhere/at/all.db", CAROUSEL_PORT="1")
    with Server("--database", sample_database, env=env) as running:
        assert running.window().json()["strip"] == "mixed"


def test_serve_ends_with_0_after_sigterm(serving):
    running = serving()
    assert running.get("/livez").status == 200
    assert running.stop() == 0


def test_export_writes_one_of_several_strips(database):
    imported(database, Strip("one", (Item("a", width="1"),)), Strip("two", (Item("b", width="2"),)))
    assert exported_ids(database, "two") == ["b"]
