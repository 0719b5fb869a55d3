"""Edits a strip through a server."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from command import carousel, exited, imported
from model.edits import Items
from model.strips import Item, Strip
from server import Reply, Server


def token(database: Path, strip: str, *options: str) -> str:
    """A new token of a strip: "`carousel token create` ..., whose last line of output is the token"."""
    run = exited(carousel("token", "create", "--database", database, "--strip", strip, *options))
    return run.stdout.decode().splitlines()[-1].strip()


class Editor:
    """A strip, its server, and a token that may change it."""

    def __init__(self, server: Server, database: Path, strip: Strip, bearer: str):
        self.server = server
        self.database = database
        self.strip = strip
        self.bearer = bearer

    def send(self, method: str, path: str, body, fields: dict | None = None) -> Reply:
        """Sends a request with the token. `fields` adds header fields; None removes one."""
        authorized = {"Authorization": f"Bearer {self.bearer}", "Content-Type": "application/json"}
        content = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        named = {k: v for k, v in {**authorized, **(fields or {})}.items() if v is not None}
        return self.server.ask(method, path, named, content)

    def edit(self, *batch: dict, fields: dict | None = None) -> Reply:
        """`POST /strips/{strip}/edits` with a JSON array."""
        return self.send("POST", f"/strips/{self.strip.name}/edits", list(batch), fields)

    def edited(self, *batch: dict, fields: dict | None = None) -> int:
        """Applies a batch; returns the new revision."""
        return self.edit(*batch, fields=fields).json()["revision"]

    def set(self, strip: Strip) -> int:
        """Gives the strip the settings of another one; returns the revision."""
        return self.send("PUT", f"/strips/{self.strip.name}", as_settings(strip)).json()["revision"]

    def become(self, strip: Strip) -> int:
        """Gives the strip the settings and the items of another one; returns the revision."""
        revision = self.set(strip)
        batch: list[dict] = []
        if self.strip.items:
            batch.append({"op": "remove", "ids": [item.id for item in self.strip.items]})
        if strip.items:
            batch.append({"op": "insert", "before": None, "items": strip.items})
        if batch:
            revision = self.applied(batch)
        self.strip = replace(strip, name=self.strip.name, memory={})
        return revision

    def applied(self, batch: list[dict]) -> int:
        """Applies operations of the model; returns the new revision. Fields keep their spelling."""
        body = "[" + ",".join(map(spelled, batch)) + "]"
        return self.send("POST", f"/strips/{self.strip.name}/edits", body.encode()).json()["revision"]

    def window(self, **asked: str) -> Reply:
        return self.server.window(asked, strip=self.strip.name)

    def ids(self) -> list[str]:
        """The ids of all items, in order."""
        return [item["id"] for item in self.window(width="60000", wrap="false").json()["items"]]

    @property
    def revision(self) -> int:
        return self.server.revision(self.strip.name)


def editors(database: Path, strip: Strip) -> Iterator[Editor]:
    """Imports a strip and serves it; for fixtures."""
    imported(database, strip)
    bearer = token(database, strip.name)
    with Server("--database", database) as server:
        yield Editor(server, database, strip, bearer)


def as_json(op: dict) -> dict:
    """The JSON of an operation of the model."""
    sent = dict(op)
    if "items" in op:
        sent["items"] = [json.loads(item.line()) for item in op["items"]]
    if "set" in op:
        sent["set"] = {
            name: float(value) if name in ("aspect", "width") and value is not None else value
            for name, value in op["set"].items()
        }
    return sent


def spelled(op: dict) -> str:
    """The JSON text of an operation of the model, with fields as they are spelled."""
    if op["op"] != "insert":
        return json.dumps(as_json(op))
    where = {name: value for name, value in op.items() if name != "items"}
    lines = ",".join(item.line() for item in op["items"])
    return json.dumps(where)[:-1] + f',"items":[{lines}]}}'


def as_settings(strip: Strip) -> dict:
    """The settings of a strip of the model, as `PUT /strips/{strip}` takes them."""
    names = {"item_width": "itemWidth", "item_height": "itemHeight", "cell_aspect": "cellAspect"}
    lengths = ["height", "gap", "inset", "item_width", "item_height", "cell_aspect", "caption"]
    numbers = {names.get(name, name): float(getattr(strip, name)) for name in lengths}
    heights = {kind: height and float(height) for kind, height in strip.item_heights}
    return {**numbers, "itemHeights": heights or None, "loop": strip.loop, "layout": strip.layout}


def numbered(count: int) -> Items:
    """Items of 10 px each."""
    return tuple(Item(f"i{n}", width="10") for n in range(count))
