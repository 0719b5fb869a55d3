"""A server loads long strips before it is ready, and short strips when they are requested."""

from command import exited, import_lines
from database_proxy import DatabaseProxy
from model.strips import Item, Strip
from waiting import wait_until
from workload import STRIPS

LONG = Strip("long", tuple(Item(f"i{n}", width=str(n % 90)) for n in range(60_000)))


def test_a_long_strip_is_in_memory_when_the_server_is_ready(database, serving, tmp_path):
    exited(import_lines(database, LONG))
    folder = tmp_path / "proxy"
    folder.mkdir()
    with DatabaseProxy(str(database), folder) as proxy:
        revision = serving(database).revision("long")
        server = serving(proxy.address)
        wait_until(lambda: server.get("/readyz").status == 200, "the server did not become ready")
        proxy.disconnect()
        # This window needs the layout but no items, since the client has them.
        asked = {"width": "300", "have": "0..40", "revision": str(revision)}
        reply = server.window(asked, strip="long")
        assert reply.json()["count"] == len(LONG.items)
        server.window(strip=STRIPS[0].name, width="300").rejected(503)


def test_the_list_of_strips_has_the_numbers_of_each_strip(database, serving):
    server = serving(database)
    listed = {one["strip"]: one for one in server.get("/strips").json()["strips"]}
    for strip in STRIPS:
        window = server.window(strip=strip.name, width="1", wrap="false").json()
        shown = listed[strip.name]
        assert (shown["count"], shown["extent"]) == (window["count"], window["extent"])
        assert shown["revision"] == window["revision"]
