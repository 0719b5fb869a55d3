"""The commands of the runbooks work, in the order of the page."""

import os
import re
import subprocess

import pytest
import yaml

from command import ROOT, binary, carousel, environment, exited
from proxies import free_port
from stores import Postgres

PAGE = (ROOT / "Documentation/Runbooks.md").read_text()

#: A replacement of systemctl, with the commands that the runbooks use.
SYSTEMCTL = """#!/usr/bin/env bash
set -eu
case "$1" in
start)
  carousel serve --database curves.db --port "$SERVED" --public "$PUBLIC" 2>>log >>log &
  echo $! >server
  until carousel health --port "$SERVED" 2>/dev/null; do kill -0 "$(cat server)"; done
  ;;
stop)
  kill "$(cat server)"
  while kill -0 "$(cat server)" 2>/dev/null; do :; done
  ;;
restart) "$0" stop && "$0" start ;;
status) kill -0 "$(cat server)" ;;
esac
"""


SQLITE = """#!/usr/bin/env python3
import sqlite3, sys
path, statement = sys.argv[-2:]
for row in sqlite3.connect(path, isolation_level=None).execute(statement):
    print(*row, sep="|")
"""


@pytest.fixture
def machine(tmp_path):
    """A folder with a served database, an address of PostgreSQL, and the commands of the runbooks."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "carousel").symlink_to(binary())
    stubs = {"systemctl": SYSTEMCTL, "journalctl": "#!/bin/sh\ncat log\n", "fuser": "#!/bin/sh\n", "sqlite3": SQLITE}
    for name, text in stubs.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    folder = tmp_path / "data"
    folder.mkdir()
    database = Postgres(tmp_path)
    for place in folder / "curves.db", database:
        options = ["--strip", "curves", "--map", "title=title"]
        exited(carousel("import", "Samples/curves.csv", "--database", place, *options))
    variables = environment(
        DATABASE=str(database),
        SERVED=str(free_port()),
        PUBLIC=str(ROOT / "Public"),
        PATH=f"{programs}:{os.environ['PATH']}",
    )
    start = [programs / "systemctl", "start"]
    subprocess.run(start, cwd=folder, env=variables, check=True, timeout=60)
    yield folder, variables
    subprocess.run([programs / "systemctl", "stop"], cwd=folder, env=variables, timeout=60)
    database.release()


def test_each_block_of_the_runbooks_works_and_works_again(machine):
    folder, variables = machine
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 15
    for block in (block for block in blocks for _ in range(2)):
        own = block.replace("8080", variables["SERVED"])
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", own],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=(folder / "output").open("w+"),
            stderr=subprocess.STDOUT,
            timeout=120,
        )
        output = (folder / "output").read_text()
        assert run.returncode == 0, f"{block}\n{output}\n{(folder / 'log').read_text()}"


def test_there_is_a_runbook_for_each_alert():
    alerts = yaml.safe_load((ROOT / "Deployment/prometheus/alerts.yml").read_text())
    (group,) = alerts["groups"]
    assert set(re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)) == {rule["alert"] for rule in group["rules"]}
