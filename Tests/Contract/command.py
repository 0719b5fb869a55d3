"""Runs the command `carousel`."""

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from model.strips import Strip

ROOT = Path(__file__).resolve().parents[2]


def binary() -> str:
    """The program under test: $CAROUSEL, else the newest release or debug build."""
    named = os.environ.get("CAROUSEL")
    built = [ROOT / ".build" / kind / "carousel" for kind in ("release", "debug")]
    for path in [Path(named)] if named else built:
        if path.is_file():
            return str(path)
    raise FileNotFoundError(f"no carousel to test: {named or built}; build it or set CAROUSEL")


def environment(**extra: str) -> dict[str, str]:
    """This process's environment without the variables that configure a server, with `extra`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("CAROUSEL") and k != "PORT"}
    return {**kept, **extra}


def carousel(*arguments, env: dict[str, str] | None = None, cwd: Path = ROOT, timeout=60, given=b""):
    """Runs one command to its end; its output is bytes.

    `given` is its standard input: bytes, or an open file, which is read from its current position.
    """
    source = {"input": given} if isinstance(given, bytes) else {"stdin": given}
    return subprocess.run(
        [binary(), *map(str, arguments)],
        **source,
        capture_output=True,
        timeout=timeout,
        cwd=cwd,
        env=env or environment(),
    )


def settings(strip: Strip) -> list[str]:
    """The options of `import` for a strip's settings."""
    options = [f"--height={strip.height}", f"--gap={strip.gap}", f"--inset={strip.inset}"]
    options.append(f"--item-width={strip.item_width}")
    return options + (["--loop"] if strip.loop else [])


def import_lines(database: Path, strip: Strip, *options) -> subprocess.CompletedProcess:
    """Imports a strip from a file of JSON Lines in the folder of the database."""
    file = database.parent / f"{strip.name}.jsonl"
    file.write_text(strip.lines(), encoding="utf-8", newline="")
    kept = [] if "--append" in options else settings(strip)
    return carousel("import", file, "--database", database, "--strip", strip.name, *kept, *options)


def imported(database: Path, *strips: Strip) -> Path:
    """Imports the strips in this order; returns the database."""
    for strip in strips:
        exited(import_lines(database, strip))
    return database


def import_items(database: Path, items: Iterable[dict], *options, strip: str = "s") -> None:
    """Imports items from a file of JSON Lines in the folder of the database."""
    file = database.parent / "items.jsonl"
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    exited(carousel("import", file, "--database", database, "--strip", strip, *options))


def exported(database: Path, strip: str = "s", *options) -> bytes:
    """The lines of an export."""
    return exited(carousel("export", "--database", database, "--strip", strip, *options)).stdout


def exported_items(database: Path, strip: str = "s", *options) -> list[dict]:
    return [json.loads(line) for line in exported(database, strip, *options).splitlines()]


def exported_ids(database: Path, strip: str = "s") -> list[str]:
    return [item["id"] for item in exported_items(database, strip)]


def shown(database: Path, strip: str = "s", *options) -> dict:
    """The window that the command `window` prints."""
    return json.loads(exited(carousel("window", "--database", database, "--strip", strip, *options)).stdout)


def exited(run: subprocess.CompletedProcess, status: int = 0) -> subprocess.CompletedProcess:
    """Asserts the exit status of a command; returns its run."""
    assert run.returncode == status, outcome(run)
    return run


def outcome(run: subprocess.CompletedProcess) -> str:
    """A command's exit status and output, for the message of a failed test."""
    said = (run.stdout + run.stderr).decode("utf-8", "replace")
    return f"status {run.returncode}: {said[-2000:]}"
