"""The command `carousel`, run as a person would run it."""

import os
import subprocess
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
    """This process's environment without what would configure a server."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("CAROUSEL") and k != "PORT"}
    return {**kept, **extra}


def carousel(*arguments, env: dict[str, str] | None = None, cwd: Path = ROOT, timeout=60, given=b""):
    """Runs one command to its end, with `given` on its standard input, bytes through a pipe or a file
    from where it stands; its output is bytes.
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
    """The options of `import` that say a strip's settings."""
    options = [f"--height={strip.height}", f"--gap={strip.gap}", f"--inset={strip.inset}"]
    options.append(f"--item-width={strip.item_width}")
    return options + (["--loop"] if strip.loop else [])


def import_lines(database: Path, strip: Strip, *options) -> subprocess.CompletedProcess:
    """`carousel import` of a strip, written as JSON Lines beside the database."""
    file = database.parent / f"{strip.name}.jsonl"
    file.write_text(strip.lines(), encoding="utf-8", newline="")
    kept = [] if "--append" in options else settings(strip)
    return carousel("import", file, "--database", database, "--strip", strip.name, *kept, *options)


def imported(database: Path, *strips: Strip) -> Path:
    """A database that holds these strips, in this order."""
    for strip in strips:
        run = import_lines(database, strip)
        assert run.returncode == 0, f"import of {strip.name}: {told(run)}"
    return database


def told(run: subprocess.CompletedProcess) -> str:
    """What a command said and how it ended, for a failure's message."""
    said = (run.stdout + run.stderr).decode("utf-8", "replace")
    return f"status {run.returncode}: {said[-2000:]}"
