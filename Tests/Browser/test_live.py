"""Edits while a strip is in view: items in view keep their position when edits insert, remove or resize others."""

import json
import re
import urllib.request
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from cases import case
from conftest import run, serving
from strip import IDLE, Requests, Strip, poll
from test_plugins import made_with

pytestmark = pytest.mark.alone

ITEMS = [{"id": f"i{n}", "width": 80 + n * 13 % 100, "fields": {"title": f"Item {n}"}} for n in range(400)]

# Records writes to cards in view, and sums up the layout shift, from now on.
WATCH_CARDS = """(strip) => {
  window.written = [];
  window.shift = 0;
  for (const { index, id, start, size } of strip.items) {
    const isInView = start < strip.offset + strip.clientWidth && start + size > strip.offset;
    if (isInView) strip.nodeOf(index).mark = id;
  }
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const node = (target.nodeType === 1 ? target : target.parentElement).closest("li");
      if (node && node !== target && node.mark && node.mark === node.dataset.id) window.written.push(node.mark);
    }
  }).observe(strip, { childList: true, characterData: true, attributes: true, subtree: true });
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (window.shift += value)))
    .observe({ type: "layout-shift" });
}"""

# Records the event streams of a page, and lets a test hide the page.
WATCH_STREAMS = """
window.streams = [];
window.EventSource = class extends EventSource {
  constructor(address) { super(address); window.streams.push(this); }
};
let isHidden = false;
Object.defineProperty(document, "hidden", { get: () => isHidden });
window.hide = (hides) => { isHidden = hides; document.dispatchEvent(new Event("visibilitychange")); };
"""

FRAMES = "async () => { for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame); }"


class Catalogue:
    """A database with a strip `s`, its server, and functions that change it."""

    def __init__(self, folder):
        self.database, self.file = folder / "s.db", folder / "s.jsonl"
        self.write(ITEMS)
        self.token = self.token_for("s")
        self.address, self.changed = None, False

    def restore(self):
        """Gives the strip its first items back, and waits until the server has them."""
        if self.changed:
            former = self.about["revision"]
            self.write(ITEMS, "--replace")
            poll(lambda: self.about["count"] == len(ITEMS) and self.about["revision"] != former, lambda: "the server has other items")
            self.changed = False

    @property
    def about(self):
        with urllib.request.urlopen(f"{self.address}/window?strip=s&width=1") as answer:
            return json.load(answer)

    def token_for(self, strip):
        return run("token", "create", "--database", self.database, "--strip", strip).stdout.split()[-1]

    def write(self, items, *more, strip="s"):
        self.changed = True
        self.file.write_text("".join(json.dumps(item) + "\n" for item in items))
        run("import", self.file, "--database", self.database, "--strip", strip, "--gap", "8", *more)

    def edit(self, *operations):
        """Edits over HTTP. Returns the revision."""
        self.changed = True
        request = urllib.request.Request(
            f"{self.address}/strips/s/edits",
            json.dumps(operations).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["revision"]

    def remove(self, strip):
        """Removes a whole strip over HTTP."""
        leave = {"Authorization": f"Bearer {self.token_for(strip)}"}
        with urllib.request.urlopen(urllib.request.Request(f"{self.address}/strips/{strip}", headers=leave, method="DELETE")):
            pass

    def command(self, *operations):
        """Edits with the command, in another process than the server."""
        self.changed = True
        self.file.write_text("".join(json.dumps(operation) + "\n" for operation in operations))
        run("edit", self.file, "--database", self.database, "--strip", "s")


def insert(*ids, before, width=200):
    items = [{"id": id, "width": width, "fields": {"title": f"New {id}"}} for id in ids]
    return {"op": "insert", "before": before, "items": items}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    catalogue = Catalogue(tmp_path_factory.mktemp("live"))
    with serving("--database", catalogue.database) as catalogue.address:
        yield catalogue


@pytest.fixture
def catalogue(served):
    """A catalogue that its module uses test by test."""
    served.restore()
    return served


@pytest.fixture
def live(open_page, catalogue):
    """Opens the strip in the demo page, at an offset that cuts items on both sides, and waits for its event stream."""

    def live(offset=9_000.0):
        page = open_page("about:blank", complains=True, base_url=catalogue.address)
        page.add_init_script(WATCH_STREAMS)
        page.goto("/?strip=s")
        strip = Strip(page, "s")
        strip.arrive()
        strip.scroll_to(offset=offset)
        page.wait_for_function("() => window.streams.at(-1)?.readyState === 1")
        return strip

    return live


def await_revision(strip, revision):
    strip.page.wait_for_function("(revision) => document.querySelector('carousel-strip').meta?.revision >= revision", arg=revision)
    strip.settle()
    strip.page.evaluate(FRAMES)


def hide(strip):
    """Hides the page, and waits until its event streams are closed."""
    strip.page.evaluate("() => window.hide(true)")
    strip.page.wait_for_function("() => window.streams.every(({ readyState }) => readyState === 2)")


def must_stay(strip, act):
    """Items in view are at the same px after the revision that `act` returns is drawn, and no card is filled again."""
    before = {card["id"]: card["x"] for card in strip.visible()}
    strip.evaluate(WATCH_CARDS)
    await_revision(strip, act())
    after = {card["id"]: card["x"] for card in strip.visible()}
    assert after == pytest.approx(before, abs=1 / 16)
    assert strip.page.evaluate("() => window.written") == []
    assert strip.page.evaluate("() => window.shift") == 0
    assert strip.evaluate("(strip) => strip.items.filter(({ index }) => +strip.nodeOf(index).ariaPosInSet !== index + 1)") == []
    strip.must_be_right()


EDITS = {
    "an insert": [insert("new1", "new2", "new3", before="i0")],
    "an insert of many": [insert(*[f"many{n}" for n in range(500)], before="i20")],
    "a removal": [{"op": "remove", "ids": ["i3", "i4", "i50"]}],
    "another size": [{"op": "update", "id": "i9", "set": {"width": 333.5}}],
    "a move": [{"op": "move", "ids": ["i399", "i398"], "after": None}],
    "all at once": [
        insert("one", before="i7"),
        {"op": "remove", "ids": ["i1", "i2"]},
        {"op": "update", "id": "i0", "set": {"width": 20}},
        {"op": "move", "ids": ["i5"], "before": None},
    ],
    "after the viewport": [insert("late", before=None), {"op": "remove", "ids": ["i300"]}],
}


def test_an_edit_outside_of_the_viewport_moves_nothing_that_is_in_view(live, catalogue):
    strip = live()
    for name, edit in EDITS.items():
        with case(name):
            must_stay(strip, lambda edit=edit: catalogue.edit(*edit))

    def edits():
        for n in range(5):
            last = catalogue.edit(insert(f"a{n}", before="i20"), {"op": "remove", "ids": [f"i{n + 10}"]})
        return last

    with case("many in a row"):
        must_stay(strip, edits)

    def command():
        revision = strip.window()["revision"]
        catalogue.command(insert("c", before="i0"))
        return revision + 1

    with case("a command"):
        must_stay(strip, command)


def test_the_next_item_stays_when_the_leading_one_is_removed(live, catalogue):
    strip = live()
    first, *rest = strip.visible()
    await_revision(strip, catalogue.edit(insert("x", before="i0"), {"op": "remove", "ids": [first["id"]]}))
    after = {card["id"]: card["x"] for card in strip.visible()}
    for card in rest:
        assert after[card["id"]] == pytest.approx(card["x"], abs=1 / 16)
    strip.must_be_right()


def test_a_card_with_new_fields_is_displayed_again_in_place(live, catalogue):
    strip = live()
    places = [(one["id"], one["x"]) for one in strip.visible()]
    id = strip.visible()[2]["id"]
    strip.evaluate("""(strip) => {
      window.told = [];
      for (const type of ["enddisplay", "willdisplay"]) {
        strip.addEventListener(type, ({ detail: { item, node } }) =>
          window.told.push([type, item.id, node.querySelector(".title, .banner").textContent]));
      }
    }""")
    before = strip.visible()[2]["title"]
    await_revision(strip, catalogue.edit({"op": "update", "id": id, "set": {"fields": {"title": "Changed"}}}))
    told = [event for event in strip.page.evaluate("() => window.told") if event[1] == id]
    assert told == [["enddisplay", id, before], ["willdisplay", id, "Changed"]]
    assert [(one["id"], one["x"]) for one in strip.visible()] == places
    assert strip.visible()[2]["title"] == "Changed"


def test_after_edits_back_and_a_shared_link_restore_the_item_at_the_same_px(live, catalogue):
    strip = live()
    strip.by(333)
    before = pytest.approx({card["id"]: card["x"] for card in strip.visible()}, abs=1)
    link = strip.page.evaluate("() => location.href")
    assert "item=" in link
    strip.page.goto("/galleries/race.html")
    catalogue.edit(insert("n1", "n2", before="i0", width=345), {"op": "remove", "ids": ["i3", "i399"]})
    strip.page.go_back()
    strip.arrive()
    assert {card["id"]: card["x"] for card in strip.visible()} == before
    strip.page.goto("about:blank")
    catalogue.edit({"op": "update", "id": "i5", "set": {"width": 20}})
    strip.page.goto(link)
    strip.arrive()
    assert {card["id"]: card["x"] for card in strip.visible()} == before
    strip.must_be_right()


def test_while_a_finger_is_down_nothing_else_scrolls(live, catalogue):
    strip = live()
    touch = """(strip, [type, count]) => {
      const finger = { identifier: 0 };
      strip.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { touches: Array(count).fill(finger), changedTouches: [finger] }));
    }"""
    before = strip.visible()
    revision = strip.window()["revision"]
    strip.evaluate(touch, ["touchstart", 1])
    strip.evaluate("""(strip) => {
      window.came = false;
      const { revision } = strip.meta;
      strip.addEventListener("window", ({ detail }) => { if (detail.revision > revision) window.came = true; });
      window.writes = 0;
      strip.scrollLeft;
      for (const name of ["scrollTo", "scrollBy"]) {
        const original = Element.prototype[name];
        Element.prototype[name] = function (...rest) { window.writes += 1; return original.apply(this, rest); };
      }
    }""")
    catalogue.edit(insert("touched", before="i0", width=1000))
    strip.page.wait_for_function("() => window.came")
    strip.page.evaluate(FRAMES)
    assert strip.page.evaluate("() => window.writes") == 0
    assert strip.evaluate("(strip) => strip.meta.revision") == revision
    strip.evaluate(touch, ["touchend", 0])
    await_revision(strip, revision + 1)
    assert strip.page.evaluate("() => window.writes") > 0
    assert {card["id"]: card["x"] for card in strip.visible()} == pytest.approx({card["id"]: card["x"] for card in before}, abs=1 / 16)


def test_other_sizes_are_asked_for_at_the_drawn_revision(live):
    strip = live()
    revision = strip.evaluate("(strip) => strip.meta.revision")
    for name, value, parameter in [("height", 150, "height=150"), ("loop", True, "wrap=true")]:
        with strip.page.expect_request(re.compile("/window.*" + parameter)) as asked:
            strip.evaluate("(strip, [name, value]) => { strip[name] = value }", [name, value])
        assert parse_qs(urlsplit(asked.value.url).query)["revision"] == [str(revision)], name
        strip.settle()


def test_a_hidden_strip_catches_up_when_it_is_shown(live, catalogue):
    strip = live()
    strip.evaluate("(strip) => { strip.parentElement.style.display = 'none' }")
    strip.page.wait_for_function("() => !document.querySelector('carousel-strip').loadedItems.length")
    revision = catalogue.edit({"op": "update", "id": "i1", "set": {"width": 500}})
    strip.evaluate("(strip, revision) => strip.reload(revision)", revision)  # as its event stream calls it
    strip.evaluate("(strip) => { strip.parentElement.style.display = '' }")
    await_revision(strip, revision)
    strip.must_be_right()


def test_a_rejected_stream_is_opened_again(live, catalogue):
    strip = live()
    refusals = []

    def refuse(route):
        refusals.append(route)
        route.fulfill(status=502, body="the server is away") if len(refusals) < 3 else route.continue_()

    strip.page.route("**/events**", refuse)
    hide(strip)
    strip.page.evaluate("() => window.hide(false)")
    strip.page.wait_for_function("() => window.streams.at(-1).readyState === 1")
    assert len(refusals) == 3
    must_stay(strip, lambda: catalogue.edit(insert("heard", before="i0")))


def test_without_a_stream_a_page_polls(live, catalogue):
    strip = live()
    strip.page.route("**/events**", lambda route: route.fulfill(status=503, body="too many streams"))
    hide(strip)
    revision = catalogue.edit(insert("unheard", before="i0"))
    strip.page.evaluate("() => window.hide(false)")
    await_revision(strip, revision)
    strip.must_be_right()


def test_a_removed_strip_does_not_end_the_stream_of_others(live, catalogue):
    catalogue.write(ITEMS[:50], strip="other")
    strip = live()
    strip.page.evaluate("""() => {
      const strip = document.querySelector("carousel-strip");
      const other = document.createElement("carousel-strip");
      other.append(strip.querySelector("template").cloneNode(true));
      other.setAttribute("live", "");
      other.setAttribute("strip", "other");
      document.body.append(other);
    }""")
    strip.page.wait_for_function("() => window.streams.at(-1).url.endsWith('=other%2Cs') && window.streams.at(-1).readyState === 1")
    catalogue.remove("other")
    hide(strip)
    strip.page.evaluate("() => window.hide(false)")
    strip.page.wait_for_function("() => window.streams.at(-1).url.endsWith('=s') && window.streams.at(-1).readyState === 1")
    must_stay(Strip(strip.page, "s", 0), lambda: catalogue.edit(insert("heard", before="i0")))


def test_a_hidden_page_has_no_stream_and_catches_up_when_shown(live, catalogue):
    strip = live()
    strip.page.wait_for_function("() => window.streams.length === 1 && window.streams[0].readyState === 1")
    before = {card["id"]: card["x"] for card in strip.visible()}
    hide(strip)
    revision = catalogue.edit(insert("slept", before="i0"))
    strip.page.evaluate("() => window.hide(false)")
    await_revision(strip, revision)
    assert {card["id"]: card["x"] for card in strip.visible()} == pytest.approx(before, abs=1 / 16)


def test_for_a_new_revision_a_strip_asks_where_its_items_are_and_then_for_windows_that_readers_share(live, catalogue):
    strip = live()
    asked = []
    strip.page.on("request", lambda request: asked.append(urlsplit(request.url)))
    former = strip.evaluate("(strip) => strip.meta.revision")
    revision = catalogue.edit(insert("news", before="i0"))
    await_revision(strip, revision)
    asked = [url for url in asked if parse_qs(url.query).get("revision") != [str(former)]]  # the strip may still prefetch
    paths = [url.path for url in asked if url.path in ("/window", "/strips/s/items")]
    assert paths[0] == "/strips/s/items" and set(paths[1:]) == {"/window"}
    for query in [parse_qs(url.query) for url in asked if url.path == "/window"]:
        assert "item" not in query and query["revision"] == [str(revision)]
        assert float(query["offset"][0]) % float(query["width"][0]) == 0


def test_an_edit_that_moves_the_first_visible_items_elsewhere_does_not_take_the_reader_along(live, catalogue):
    strip = live()
    for count, place in [(1, {"after": None}), (2, {"after": None}), (1, {"before": None}), (2, {"before": None})]:
        with case(count, place):
            moved, rest = strip.visible()[:count], strip.visible()[count:]
            await_revision(strip, catalogue.edit({"op": "move", "ids": [card["id"] for card in moved], **place}))
            after = {card["id"]: card["x"] for card in strip.visible()}
            for card in rest:
                assert after[card["id"]] == pytest.approx(card["x"], abs=1 / 16)
            strip.must_be_right()


def test_a_filter_that_hides_the_first_visible_item_keeps_the_others_in_place(live):
    strip = live()
    first, *rest = strip.visible()
    strip.after("reload", lambda: strip.evaluate("(strip, where) => (strip.where = where)", f'id != "{first["id"]}"'))
    assert strip.evaluate("(strip) => strip.meta.count") == 399
    after = {card["id"]: card["x"] for card in strip.visible()}
    for card in rest:
        assert after[card["id"]] == pytest.approx(card["x"], abs=1 / 16)


def test_a_strip_with_a_live_delay_opens_no_stream_before(live):
    strip = live()
    strip.page.wait_for_function("() => window.streams.length === 1 && window.streams[0].readyState === 1")
    strip.evaluate("(strip) => strip.setAttribute('live', '3600')")
    strip.page.wait_for_function("() => window.streams[0].readyState === 2")
    strip.after("reload", lambda: strip.evaluate("(strip) => strip.reload()"))
    strip.page.evaluate(FRAMES)
    assert strip.page.evaluate("() => window.streams.length") == 1
    strip.evaluate("(strip) => strip.setAttribute('live', '0.01')")
    strip.page.wait_for_function("() => window.streams.length === 2 && window.streams[1].readyState === 1")


@pytest.mark.parametrize("status", [404, 410])
def test_an_item_is_found_when_its_revision_is_gone(live, catalogue, status):
    strip = live()
    first = strip.visible()[0]
    old = strip.evaluate("(strip) => strip.meta.revision")
    problem = {"status": status, "title": "Gone", "detail": "no such revision", "parameter": "revision"}
    strip.page.route(f"**/window?**revision={old}**", lambda route: route.fulfill(status=status, json=problem))
    strip.page.evaluate("() => window.hide(true)")  # a hidden page gets no event of the edit
    revision = catalogue.edit(insert("gone1", "gone2", before="i0"))
    strip.evaluate("(strip) => { strip.scrollBy({ left: 2000, behavior: 'instant' }) }")
    strip.evaluate("(strip) => { strip.scrollBy({ left: -2000, behavior: 'instant' }) }")
    strip.evaluate("(strip) => { strip.scrollTo({ index: 399 }) }")
    await_revision(strip, revision)
    strip.must_be_right()
    strip.scroll_to(item=first["id"], at=first["x"])
    assert strip.visible()[0]["x"] == pytest.approx(first["x"], abs=1)


@pytest.mark.parametrize("status", [None, 410])
def test_a_reload_leaves_out_a_revision_that_does_not_arrive(live, catalogue, status):
    strip = live()
    strip.page.evaluate("() => window.hide(true)")  # a hidden page gets no event of the edits
    old = catalogue.edit(insert("old1", before="i0"))
    answer = {"status": 410, "title": "Gone", "detail": "no such revision", "parameter": "revision"}
    asked = []
    strip.page.route(re.compile(f"revision={old}"), lambda route: asked.append(route))
    strip.evaluate("(strip, revision) => { strip.reload(revision) }", old)
    poll(lambda: asked or strip.page.evaluate(IDLE), lambda: "the revision was not requested")
    new = catalogue.edit(insert("new1", before="i0"))
    if status:  # only now: what the strip requests next has the new revision
        strip.page.route(re.compile(f"revision={old}"), lambda route: route.fulfill(status=status, json=answer))
        for route in asked:
            route.fulfill(status=status, json=answer)
    else:
        strip.evaluate("(strip) => { strip.reload() }")
    await_revision(strip, new)
    strip.must_be_right()


def test_after_a_restart_with_another_database_the_item_keeps_its_place(open_page, catalogue, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    page = open_page("about:blank", complains=True)
    with serving("--database", catalogue.database) as address:
        page.goto(f"{address}/?strip=s")
        strip = Strip(page, "s")
        strip.arrive()
        strip.scroll_to(offset=9_000)
        before = {card["id"]: card["x"] for card in strip.visible()}
        old = strip.evaluate("(strip) => strip.meta.revision")
    again = Catalogue(other)
    again.write([{"id": f"n{n}", "width": 150} for n in range(30)] + ITEMS, "--replace")
    with serving("--database", again.database, "--port", address.split(":")[-1]):
        strip.evaluate("(strip) => { strip.reload() }")
        page.wait_for_function("(old) => document.querySelector('carousel-strip').meta.revision !== old", arg=old)
        strip.settle()
        assert {card["id"]: card["x"] for card in strip.visible()} == pytest.approx(before, abs=1 / 16)
        page.close()


def test_a_focused_card_whose_item_is_removed_leaves_and_its_neighbour_gets_the_focus(live, catalogue):
    strip = live()
    card = strip.visible()[2]
    strip.card(card["index"]).focus()
    await_revision(strip, catalogue.edit({"op": "remove", "ids": [card["id"]]}))
    expect(strip.element.locator(f"li[data-id='{card['id']}']:not([hidden])")).to_have_count(0)
    expect(strip.card(card["index"])).to_be_focused()
    strip.must_be_right()


def test_counts_details_and_notices_follow_edits(live, catalogue):
    strip = live()
    count, details, notice = (strip.page.locator(one) for one in [".count", "#details", "[part=notice]"])
    expect(count).to_have_text("400 items")
    strip.card(strip.visible()[2]["index"]).click()
    strip.settle()
    id = strip.evaluate("(strip) => strip.selected.id")
    expect(details).to_contain_text(f"Item {id[1:]}")
    await_revision(strip, catalogue.edit({"op": "remove", "ids": [id]}))
    expect(details).to_be_hidden()
    expect(count).to_have_text("399 items")
    strip.page.evaluate("() => document.activeElement.blur()")
    catalogue.edit({"op": "remove", "ids": [f"i{n}" for n in range(400) if f"i{n}" != id]})
    expect(count).to_have_text("0 items")
    expect(notice).to_have_text("This strip has no items.")
    expect(strip.element.locator("li:not([hidden])")).to_have_count(0)
    catalogue.edit(insert("again", before=None))
    expect(count).to_have_text("1 item")
    expect(notice).to_be_empty()


def test_the_heading_of_a_group_leaves_with_its_items(open_page, catalogue):
    items = [{"id": f"i{n}", "width": 100, "group": f"Group {n // 4}"} for n in range(40)]
    catalogue.write(items, "--replace")
    poll(lambda: catalogue.about["count"] == len(items), lambda: "the server has other items")  # the page of former ones has no heading
    page = open_page("/?strip=s", base_url=catalogue.address, complains=True)
    strip = Strip(page, "s")
    strip.arrive()
    heading = strip.element.locator(".group")
    expect(heading).to_have_text("Group 0")
    catalogue.edit({"op": "remove", "ids": [f"i{n}" for n in range(4)]})
    expect(heading).to_have_text("Group 1")
    catalogue.edit({"op": "remove", "ids": [f"i{n}" for n in range(4, 40)]})
    expect(heading).to_be_empty()


def test_a_strip_that_was_emptied_starts_with_its_first_item(open_page, catalogue):
    page = open_page("about:blank", complains=True, base_url=catalogue.address, viewport={"width": 375, "height": 812})
    page.goto("/?strip=s")
    attributes = {"live": "", "snap": "center", "inset": "center", "selection": "current"}
    strip = made_with(page, "s", **attributes)
    strip.rest(lambda: strip.evaluate("(strip) => { strip.scrollTo({ index: 10 }) }"))
    count = "(count) => document.querySelector('carousel-strip').meta.count === count"
    catalogue.write([], "--replace", "--allow-empty")
    page.wait_for_function(count, arg=0)
    page.evaluate(FRAMES)
    catalogue.write(ITEMS[:20], "--replace")
    page.wait_for_function(count, arg=20)
    strip.settle()
    page.wait_for_function("() => document.querySelector('carousel-strip').selected?.index === 0")


def test_emptying_a_strip_is_no_error(open_page, catalogue):
    page = open_page("/?strip=s", base_url=catalogue.address)  # an error in the console fails the test
    strip = Strip(page, "s")
    strip.arrive()
    strip.scroll_to(offset=3000)
    strip.card(strip.visible()[2]["index"]).click()
    strip.settle()
    requests = Requests(page, r"/(window|items)\?")
    catalogue.write([], "--replace", "--allow-empty")
    page.wait_for_function("() => { const { meta, selected } = document.querySelector('carousel-strip'); return !meta.count && !selected; }")
    requests.settle()
    asked = requests.sent
    assert [url for url in asked if "item=" in url] == []
    assert len([url for url in asked if "/items?" in url]) <= 2  # for the anchor, and for the selected item
