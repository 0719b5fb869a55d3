"""A server whose strip may be changed, as far as the program under test can do that yet."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import carousel, imported
from model.edits import Items
from model.strips import Item, Strip
from server import Reply, Server

#: What a server that has no edits yet says to one.
NOT_YET = (404, 405, 501)


def token(database: Path, strip: str, *options: str) -> str:
    """ "`carousel token create --database D --strip NAME`, whose last line of output is the
    token"; skips the test while there is no such command.
    """
    run = carousel("token", "create", "--database", database, "--strip", strip, *options)
    if run.returncode == 64:
        pytest.skip("this carousel has no `token create`")
    assert run.returncode == 0, run.stderr
    return run.stdout.decode().splitlines()[-1].strip()


class Editor:
    """One strip, its server and the token that changes it."""

    def __init__(self, server: Server, database: Path, strip: Strip, bearer: str):
        self.server = server
        self.database = database
        self.strip = strip
        self.bearer = bearer

    def send(self, method: str, path: str, body, fields: dict | None = None) -> Reply:
        """A change, with the token unless `Authorization` is given; skips while none is known."""
        authorized = {"Authorization": f"Bearer {self.bearer}", "Content-Type": "application/json"}
        content = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        named = {k: v for k, v in {**authorized, **(fields or {})}.items() if v is not None}
        return self.server.ask(method, path, named, content)

    def edit(self, *batch: dict, fields: dict | None = None) -> Reply:
        """`POST /strips/{strip}/edits` with a JSON array."""
        return self.send("POST", f"/strips/{self.strip.name}/edits", list(batch), fields)

    def edited(self, *batch: dict, fields: dict | None = None) -> int:
        """The revision that a batch makes."""
        return self.edit(*batch, fields=fields).json()["revision"]

    def window(self, **asked: str) -> Reply:
        return self.server.window(asked, strip=self.strip.name)

    def ids(self) -> list[str]:
        """The items in their order."""
        return [item["id"] for item in self.window(width="60000", wrap="false").json()["items"]]

    @property
    def revision(self) -> int:
        return self.server.revision(self.strip.name)


def editors(database: Path, strip: Strip) -> Iterator[Editor]:
    """An editor of a strip, as a fixture yields it."""
    imported(database, strip)
    bearer = token(database, strip.name)
    with Server("--database", database) as server:
        editor = Editor(server, database, strip, bearer)
        probe = editor.edit({"op": "remove", "ids": ["no item has this id"]})
        if probe.status in NOT_YET:
            pytest.skip(f"this carousel answers edits with {probe.status}")
        yield editor


def spoken(op: dict) -> dict:
    """An operation of the model as it is sent: items and numbers become JSON."""
    said = dict(op)
    if "items" in op:
        said["items"] = [json.loads(item.line()) for item in op["items"]]
    if "set" in op:
        said["set"] = {
            name: float(value) if name in ("aspect", "width") and value is not None else value
            for name, value in op["set"].items()
        }
    return said


def numbered(count: int) -> Items:
    """Items of 10 px each."""
    return tuple(Item(f"i{n}", width="10") for n in range(count))
