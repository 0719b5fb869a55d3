"""The examples with several servers in the documentation work."""

import re
import subprocess

from command import ROOT, binary, carousel, environment, exited
from proxies import free_port
from stores import Postgres


def test_the_answers_of_two_servers_compared_are_equal(tmp_path):
    """Runs the lines of Scaling.md in a shell, with other ports and another program."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "Documentation/Scaling.md").read_text(), re.DOTALL)
    (shown,) = [block for block in blocks if "cmp <(" in block]
    first, lines = shown.split("\n", 1)
    assert first == "Scripts/with-postgres bash"
    for written, own in {"8081": free_port(), "8082": free_port()}.items():
        lines = lines.replace(written, str(own))
    lines = lines.replace(".build/release/carousel", binary())
    run = exited(subprocess.run(
        ["bash", "-c", f"trap 'kill $(jobs -p)' EXIT\n{lines}"],
        cwd=ROOT,
        env=environment(POSTGRES=str(Postgres(tmp_path))),
        capture_output=True,
        text=True,
        timeout=60,
    ))
    assert run.stdout.splitlines()[-1] == "equal", run.stdout + run.stderr


def test_a_strip_can_be_copied_from_sqlite_to_postgresql(tmp_path):
    file, there = tmp_path / "s.db", Postgres(tmp_path)
    line = ["--strip", "curves", "--map", "title=title", "--map", "group=family"]
    exited(carousel("import", "Samples/curves.csv", "--database", file, *line))
    before = carousel("export", "--database", file, "--strip", "curves")
    (tmp_path / "items.jsonl").write_bytes(before.stdout)
    exited(carousel("import", tmp_path / "items.jsonl", "--database", there, "--strip", "curves"))
    assert carousel("export", "--database", there, "--strip", "curves").stdout == before.stdout != b""
