"""Imported strips: special characters, missing fields, hidden items, a loop, and an empty strip."""

import json

import pytest
from playwright.sync_api import expect

from conftest import run, serving
from strip import Strip

AWKWARD = """<b>bold</b> & "quoted" {title} 'x' 名前 \u2028"""


def lines(items):
    return "".join(json.dumps(item) + "\n" for item in items)


def mixed(index):
    """An item. Every second item lacks a field or an image, and every ninth item is hidden."""
    item = {"id": f"m {index}/&", "kind": ["card", "wide", "tall-one"][index % 3], "fields": {}}
    item["fields"]["title"] = AWKWARD if index % 5 == 0 else f"Title {index}"
    if index % 2:
        item["fields"]["subtitle"] = f"Subtitle {index}"
    if index % 4 == 1:
        item["fields"]["image"] = f"/covers/a{index % 50}.svg?{{w}}"
    item |= {"aspect": 0, "width": 0} if index % 9 == 4 else {"width": 30 + index * 37 % 260 + 1 / 64}
    if index // 40 % 2:
        item["group"] = f"Group {index // 40}"
    return item


@pytest.fixture(scope="session")
def imported(tmp_path_factory):
    """The address of a server of three imported strips."""
    folder = tmp_path_factory.mktemp("imported")
    database = folder / "strips.db"
    looped = [{"id": f"x{n}", "width": 120 + 10 * n, "fields": {"title": f"Item {n}"}} for n in range(7)]
    for name, items, more in [
        ("mixed", map(mixed, range(600)), ["--gap", "7.5"]),
        ("looped", looped, ["--loop", "--gap", "8"]),
        ("nothing", [], []),
    ]:
        file = folder / f"{name}.jsonl"
        file.write_text(lines(items))
        run("import", file, "--database", database, "--strip", name, *more)
    with serving("--database", database) as address:
        yield address


@pytest.fixture
def open_imported(open_page, imported):
    def open_imported(name, **options):
        strip = Strip(open_page(f"{imported}/?strip={name}", base_url=imported, **options), name)
        strip.page.wait_for_function("""() => {
          const { meta, items } = document.querySelector("carousel-strip");
          return meta && (meta.count === 0 || items[0]?.fields);
        }""")
        return strip

    return open_imported


@pytest.mark.parametrize("width", [500, 1500])
def test_strips_with_special_characters_are_drawn_correctly(open_imported, width):
    strip = open_imported("mixed", viewport={"width": width, "height": 700})
    strip.settle()
    strip.must_be_right()
    for stop in strip.scroll(25, every=1)["stops"]:
        strip.must_show(stop["offset"], stop["cards"])


def test_text_is_never_markup(open_imported):
    strip = open_imported("mixed")
    strip.settle()
    for offset in [0, 5000, 0]:
        strip.scroll_to(offset=offset)
        assert strip.element.locator("b").count() == 0
    strip.card(0).click()
    expect(strip.page.locator("#details h2")).to_contain_text("<b>bold</b>")


def test_a_reused_node_keeps_nothing_of_its_former_item(open_imported):
    strip = open_imported("mixed", viewport={"width": 700, "height": 700})
    strip.settle()
    for _ in range(30):
        strip.scroll(1)
        # In one call, since the strip may draw more items at any time.
        items, cards = strip.evaluate("""(strip) => [strip.items, [...strip.querySelectorAll("li:not([hidden])")].map((node) => ({
          id: node.dataset.id,
          subtitle: node.querySelector(".subtitle").textContent,
          source: node.querySelector("img").getAttribute("src"),
        }))]""")
        named = {item["id"]: item for item in items}
        for card in cards:
            fields = named[card["id"]]["fields"]
            assert card["subtitle"] == fields.get("subtitle", "")
            wanted = fields.get("image")
            if wanted is None:
                assert card["source"] is None
            else:
                assert card["source"].split("?")[0].endswith(wanted.split("?")[0])
                assert card["source"].split("?")[1].isdigit()


def test_fields_that_were_missing_create_no_node(open_imported):
    strip = open_imported("mixed", viewport={"width": 700, "height": 700})
    strip.settle()
    strip.scroll(25)
    strip.scroll_to(offset=0)
    strip.await_titles()
    before = strip.made
    strip.scroll(25)
    assert strip.made == before


def test_hidden_items_have_no_card_and_keys_skip_them(open_imported):
    strip = open_imported("mixed")
    strip.settle()
    expect(strip.card(4)).to_have_count(0)
    strip.card(3).focus()
    strip.page.keyboard.press("ArrowRight")
    expect(strip.card(5)).to_be_focused()


def test_a_loop_scrolls_past_both_ends(open_imported):
    strip = open_imported("looped")
    strip.settle()
    for offset in [-300, -5000, 5000, 0]:
        strip.scroll_to(offset=offset)
        assert strip.offset == pytest.approx(offset, abs=1)
        strip.must_be_right()
    for _ in range(8):
        strip.page.get_by_role("button", name="Previous").click()
        strip.settle()
        strip.must_be_right()
    assert strip.offset < 0
    assert strip.nodes() <= strip.figures["pools"]["card"] + 1


def test_in_a_loop_a_card_has_its_position_in_the_turn(open_imported):
    strip = open_imported("looped")
    strip.settle()
    strip.scroll_to(offset=-300)
    expect(strip.card(-1)).to_have_attribute("aria-posinset", "7")
    strip.card(-1).click()
    expect(strip.page.locator("#details .place")).to_have_text("7 of 7")


def test_in_a_loop_the_focus_stays_on_one_of_the_copies_in_view(open_imported):
    strip = open_imported("looped", viewport={"width": 2400, "height": 700})
    strip.settle()
    strip.scroll_to(offset=-300)
    copies = strip.evaluate("(strip) => strip.items.filter(({ id }) => id === 'x3').map(({ index }) => index)")
    assert len(copies) > 1
    for index in reversed(copies):
        strip.evaluate("(strip, index) => strip.nodeOf(index).focus({ preventScroll: true })", index)
        strip.scroll_to(offset=strip.offset + 10)
        expect(strip.card(index)).to_be_focused()
        strip.must_be_right()


def test_an_empty_strip_says_so(open_imported):
    strip = open_imported("nothing")
    expect(strip.page.locator("[part=notice]")).to_have_text("This strip has no items.")
    expect(strip.page.locator("#scrubber")).to_be_disabled()
    assert strip.nodes() == 0


def test_the_page_without_scripts_shows_the_same(open_page, imported):
    page = open_page(f"{imported}/?strip=mixed", java_script_enabled=False)
    window = page.request.get(f"{imported}/window?strip=mixed&width=2560").json()
    titles = page.locator("carousel-strip li .title").all_text_contents()
    assert titles == [item["fields"]["title"] for item in window["items"]]
    expect(page.get_by_role("link", name="mixed")).to_have_attribute("aria-current", "page")


def test_a_server_with_a_database_links_no_gallery_and_a_gallery_names_the_missing_strip(open_page, imported):
    page = open_page(f"{imported}/?strip=mixed", base_url=imported, complains=True)
    expect(page.get_by_role("navigation", name="Strips").get_by_role("link")).not_to_have_count(0)
    expect(page.get_by_role("link", name="Galleries")).to_have_count(0)
    page.goto(f"{imported}/galleries/menu.html")
    expect(page.get_by_role("status").first).to_contain_text("no strip “elements”")
    page.goto(f"{imported}/galleries/grid.html")
    expect(page.get_by_role("status").first).to_contain_text("no strip “albums”")
    expect(page.locator("main > .filters")).to_be_hidden()
    page.goto(f"{imported}/galleries/")
    expect(page.get_by_role("status").first).to_contain_text("The galleries need the built-in strips")
    expect(page.get_by_role("link", name="Your strips are on the first page.")).to_have_attribute("href", "/")
    page.goto(f"{imported}/docs/layouts.html")
    expect(page.locator("main carousel-strip").first).to_be_hidden()


def test_many_strips_are_a_menu_that_a_search_filters(tmp_path, open_page):
    file = tmp_path / "many.csv"
    file.write_text("strip,id\n" + "".join(f"shelf {n},x\n" for n in range(40)))
    run("import", file, "--database", tmp_path / "many.db", "--strip-from", "strip", "--map", "id=id")
    with serving("--database", tmp_path / "many.db") as address:
        page = open_page(f"{address}/?strip=shelf-7", base_url=address)
        links = page.get_by_role("navigation", name="Strips").locator(".menu").get_by_role("link")
        expect(links).to_have_count(0)
        page.get_by_text("All strips").click()
        expect(links).to_have_count(40)
        page.get_by_role("searchbox", name="Find a strip").fill("F 3")
        expect(links).to_have_count(11)
        page.keyboard.press("Escape")
        expect(links).to_have_count(0)
        page.get_by_text("All strips").click()
        links.filter(has_text="shelf 39").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("shelf 39")
        page.close()  # before its server stops
