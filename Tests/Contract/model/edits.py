"""Edits of a strip: "applied in order, all or nothing"."""

from dataclasses import replace

from .strips import Item

Items = tuple[Item, ...]


class Conflict(Exception):
    """ "a batch that cannot be applied is 409 (an id unknown, repeated, or moved next to
    itself)".
    """


def place(items: Items, op: dict) -> int:
    """ ""before": "id or null"" or ""after": exactly one of the two". "`before` null is the end of
    the strip, `after` null its front."
    """
    if "before" in op:
        return len(items) if op["before"] is None else find(items, op["before"])
    return 0 if op["after"] is None else find(items, op["after"]) + 1


def find(items: Items, id: str) -> int:
    """The index of an item."""
    for index, item in enumerate(items):
        if item.id == id:
            return index
    raise Conflict(id)


def apply(items: Items, batch: list[dict]) -> Items:
    """The items after a batch."""
    for op in batch:
        match op["op"]:
            case "insert":
                new = tuple(op["items"])
                ids = [item.id for item in (*items, *new)]
                if len(set(ids)) != len(ids):
                    raise Conflict("repeated")
                at = place(items, op)
                items = (*items[:at], *new, *items[at:])
            case "update":
                at = find(items, op["id"])
                items = (*items[:at], replace(items[at], **op["set"]), *items[at + 1 :])
            case "move":
                moved = tuple(items[find(items, id)] for id in op["ids"])
                if (len(set(op["ids"])) != len(moved) or op.get("before", op.get("after")) in op["ids"]):
                    raise Conflict("moved next to itself")
                rest = tuple(item for item in items if item.id not in op["ids"])
                # "Moved items stand in the order given."
                at = place(rest, op)
                items = (*rest[:at], *moved, *rest[at:])
            case "remove":
                if len(set(op["ids"])) != len(op["ids"]):
                    raise Conflict("repeated")
                for id in op["ids"]:
                    at = find(items, id)
                    items = (*items[:at], *items[at + 1 :])
    return items
