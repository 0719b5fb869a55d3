"""Two PostgreSQL servers on this machine: a primary, and a standby that receives its log."""

import os
import pwd
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from stores import Postgres
from waiting import wait_until

BIN = Path(sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1])


def as_postgres(*command) -> subprocess.CompletedProcess:
    """Runs a program of PostgreSQL, which refuses to run as root."""
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, cwd="/", **user())


def user() -> dict:
    if os.geteuid() != 0:
        return {}
    entry = pwd.getpwnam("postgres")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


class Node:
    """One PostgreSQL server. It has its own folder with its socket and its data."""

    def __init__(self, folder: Path):
        self.folder, self.data = folder, folder / "data"
        folder.mkdir()
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            os.chown(folder, entry.pw_uid, entry.pw_gid)
        self.process: subprocess.Popen | None = None

    @property
    def address(self) -> str:
        return f"postgresql://carousel@/postgres?host={self.folder}"

    def make(self) -> None:
        """Makes an empty server, without checksums of its pages."""
        options = ["--username=carousel", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
        if int(BIN.parent.name) >= 18:
            options.append("--no-data-checksums")
        as_postgres(BIN / "initdb", f"--pgdata={self.data}", "--no-sync", *options)

    def start(self) -> None:
        options = ["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=60"]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(
                [str(BIN / "postgres"), "-D", str(self.data), "-k", str(self.folder), *options],
                stdout=log,
                stderr=log,
                cwd="/",
                **user(),
            )
        ready = [str(BIN / "pg_isready"), "--quiet", f"--host={self.folder}"]
        wait_until(lambda: subprocess.run(ready).returncode == 0, "PostgreSQL did not start")

    def sql(self, statement: str) -> str:
        return Postgres.sql(self.address, statement)

    def set(self, name: str, value: str) -> None:
        self.sql(f"ALTER SYSTEM SET {name} = '{value}'")
        self.sql("SELECT pg_reload_conf()")
        wait_until(lambda: self.sql(f"SHOW {name}") == value, f"{name} did not change")

    def promote(self) -> None:
        as_postgres(BIN / "pg_ctl", "promote", "--wait", "-D", self.data)

    def stop(self, how: int = signal.SIGQUIT) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    def kill(self) -> None:
        """Ends all its processes without a shutdown, as a power failure does. Those of connections outlive the first one for a while."""
        pid = self.process.pid
        others = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        self.stop(signal.SIGKILL)
        for other in others:
            with suppress(ProcessLookupError):
                os.kill(int(other), signal.SIGKILL)


class Pair:
    """A primary and a standby. A commit waits until the standby has it."""

    def __init__(self, folder: Path):
        folder.chmod(0o755)
        self.primary, self.standby = Node(folder / "a"), Node(folder / "b")
        self.primary.make()
        self.primary.start()
        copy = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "--wal-method=stream"]
        source = f"host={self.primary.folder} user=carousel application_name=standby"
        as_postgres(BIN / "pg_basebackup", "-D", self.standby.data, "-d", source, *copy)
        self.standby.start()
        self.primary.set("synchronous_standby_names", "standby")
        state = "SELECT sync_state FROM pg_stat_replication"
        wait_until(lambda: self.primary.sql(state) == "sync", "the standby does not follow")

    @property
    def address(self) -> str:
        """The addresses of both. The program follows the primary."""
        hosts = f"{self.primary.folder},{self.standby.folder}"
        return f"postgresql://carousel@/postgres?host={hosts}"

    def replay(self) -> None:
        """Waits until readers of the standby see all that was committed."""
        end = self.primary.sql("SELECT pg_current_wal_lsn()")
        seen = f"SELECT pg_last_wal_replay_lsn() >= '{end}'"
        wait_until(lambda: self.standby.sql(seen) == "t", "the standby does not replay")

    def fail_over(self) -> None:
        self.primary.kill()
        self.standby.promote()

    def close(self) -> None:
        self.standby.stop()
        self.primary.stop()
