"""A database of the first version of the schema is migrated by the first reader or writer, or not changed."""

import json
import subprocess
from pathlib import Path

import pytest

from command import binary, carousel, environment, outcome
from editing import Editor
from model.strips import Strip
from stores import Postgres
from waiting import TIMEOUT_SECONDS, wait_until

PAST = Path(__file__).parent / "past"
#: What the former program answered, by target.
ANSWERS = {
    line["target"]: line["answer"]
    for line in map(json.loads, (PAST / "schema-1.jsonl").read_text().splitlines())
}
#: A token that the former program gave.
BEARER = "carousel_9NaDII1ZLPzcmzntQiMQmNDUw5semOseK34aVm1dfGZ"


@pytest.fixture
def database(tmp_path):
    """A database as the former program left it."""
    made = Postgres(tmp_path)
    file = PAST / "schema-1.sql"
    command = ["psql", "--no-psqlrc", "-qv", "ON_ERROR_STOP=1", "-o", "/dev/null", "-f", file]
    subprocess.run([*command, str(made)], check=True)
    return made


def version(database: Postgres) -> str:
    return database.sql(str(database), "SELECT number FROM carousel.version")


def test_windows_are_the_same_before_and_after(database, serving):
    server = serving(database)
    assert version(database) == "3"
    for target, answer in ANSWERS.items():
        assert server.get(target).json() == answer, target
    run = carousel("check", "--database", database)
    assert run.returncode == 0, outcome(run)


def test_what_was_listed_and_who_could_write_is_still_so(database, serving):
    server = serving(database)
    listed = {one["strip"]: one for one in server.get("/strips").json()["strips"]}
    newest = {answer["strip"]: answer for answer in reversed(ANSWERS.values())}
    assert listed.keys() == newest.keys()
    for name, answer in newest.items():
        assert {key: listed[name][key] for key in ("revision", "count", "extent")} == {
            key: answer[key] for key in ("revision", "count", "extent")
        }
    editor = Editor(server, database, Strip("records", ()), BEARER)
    made = editor.edited({"op": "insert", "after": "n1", "items": [{"id": "later"}]})
    assert made > newest["records"]["revision"]
    assert editor.window(width="5000").json()["count"] == newest["records"]["count"] + 1
    run = carousel("check", "--database", database)
    assert run.returncode == 0, outcome(run)


def test_version_2_is_counted_by_kinds(database, serving):
    first = serving(database).get("/strips").json()
    database.sql(
        str(database),
        "ALTER TABLE carousel.strip DROP COLUMN kind_counts;"
        "DROP TABLE carousel.home; UPDATE carousel.version SET number = 2",
    )
    assert serving(database).get("/strips").json() == first
    assert version(database) == "3"
    run = carousel("check", "--database", database)
    assert run.returncode == 0, outcome(run)


@pytest.mark.parametrize("command", ["strips", "token"])
def test_an_error_in_it_leaves_the_old_state(database, command):
    """Its last statement fails, whether a reader comes first or a writer."""
    table = "ALTER TABLE carousel.version"
    database.sql(str(database), f"{table} ADD CONSTRAINT old CHECK (number < 3)")
    before = database.content()
    line = ["token", "create", "--strip", "few"] if command == "token" else [command]
    assert carousel(*line, "--database", database).returncode != 0
    assert database.content() == before
    database.sql(str(database), f"{table} DROP CONSTRAINT old")
    run = carousel(*line, "--database", database)
    assert run.returncode == 0, outcome(run)
    assert version(database) == "3"


def test_two_that_come_at_once_migrate_it_once(database):
    line = [binary(), "window", "--database", str(database), "--strip", "few", "--width", "300"]
    # Both commands have read the old version and wait for the lock.
    with database.locked("LOCK carousel.strip"):
        runs = [
            subprocess.Popen(line, stdout=subprocess.PIPE, env=environment()) for _ in range(2)
        ]
        waiting = (
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        wait_until(lambda: database.sql(str(database), waiting) == "2", "the commands do not wait")
    for run in runs:
        said, _ = run.communicate(timeout=TIMEOUT_SECONDS)
        assert run.returncode == 0
        assert json.loads(said) == ANSWERS["/window?strip=few&width=300"]
