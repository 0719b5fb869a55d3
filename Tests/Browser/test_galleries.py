"""The galleries: each gallery behaves as the control that it demonstrates."""

import json
import re

import pytest
from playwright.sync_api import expect

from conftest import ROOT, run, serving
from strip import Strip

pytestmark = [pytest.mark.alone, pytest.mark.documents]

PAGES = sorted(path.stem for path in (ROOT / "Public/galleries").glob("*.html") if path.stem != "index")

LISTEN = """(strip, types) => {
  window.told = [];
  for (const type of types) {
    strip.addEventListener(type, ({ detail }) => window.told.push([type, detail?.id ?? detail?.item?.id ?? null, detail?.origin ?? null]));
  }
}"""


@pytest.fixture
def gallery(open_page):
    def gallery(page, name, **options):
        strip = Strip(open_page(f"/galleries/{page}.html", **options), name)
        strip.arrive()
        return strip

    return gallery


def told(strip, *types):
    return [one for one in strip.page.evaluate("() => window.told") if one[0] in types]


def selected(strip):
    return strip.evaluate("(strip) => strip.selected?.id ?? null")


def centre(strip, index):
    card = next(card for card in strip.visible() if card["index"] == index)
    return card["x"] + card["size"] / 2 - strip.width / 2


# MARK: Option bar


def test_option_bar_items_have_their_widths_nodes_are_reused_and_changes_are_reported(gallery):
    strip = gallery("options", "elements")
    sizes = {card["size"] for card in strip.visible()}
    assert len(sizes) > 3
    for _ in range(2):
        strip.scroll_to(offset=1e6)
        strip.scroll_to(offset=0)
    before = strip.made
    for offset in [2000, 5000, 1e6, 0]:
        strip.scroll_to(offset=offset)
    assert strip.made["created"] == before["created"]
    assert strip.figures["reuses"] > 0
    strip.evaluate("""(strip) => strip.addEventListener("windowchange", ({ detail }) => {
      window.change = [detail.former, detail.items].map((items) => items.map(({ index }) => index));
    })""")
    former = strip.evaluate("(strip) => strip.items.map(({ index }) => index)")
    strip.evaluate("(strip) => strip.scrollTo({ offset: 1e6 })")
    strip.settle()
    change, now = strip.evaluate("(strip) => [window.change, strip.items.map(({ index }) => index)]")
    assert change[1] == now
    assert change[0] != change[1] and former[0] == 0
    strip.evaluate(LISTEN, ["willreload", "reload"])
    strip.after("reload", lambda: strip.evaluate("(strip) => strip.reload()"))
    assert [type for type, _, _ in told(strip, "willreload", "reload")] == ["willreload", "reload"]


def test_option_bar_headings_are_never_selected(gallery):
    strip = gallery("options", "elements", reduced_motion="reduce")
    assert selected(strip) == strip.evaluate("(strip) => strip.items.find(({ kind }) => kind !== 'heading').id")
    headings = strip.evaluate("(strip) => strip.loadedItems.filter(({ kind }) => kind === 'heading').map(({ index }) => index)")
    assert headings[0] == 0 and len(headings) > 1
    strip.evaluate("(strip) => { window.kinds = []; strip.addEventListener('select', ({ detail }) => window.kinds.push(detail.kind)); }")
    strip.card(0).click()
    for index in headings[1:3]:
        strip.scroll_to(index=index)
        strip.settle()
        assert strip.evaluate("(strip) => strip.current.kind !== 'heading' && strip.current.id === strip.selected.id")
    assert "heading" not in strip.evaluate("() => window.kinds")


def test_option_bar_the_indicator_slides_under_the_selected_item_whose_color_animates(gallery):
    strip = gallery("options", "elements")
    strip.evaluate("(strip) => { window.ran = []; strip.addEventListener('transitionrun', ({ target, propertyName }) => window.ran.push(`${propertyName} ${target.textContent}`)) }")
    strip.evaluate("""(strip) => {
      window.slid = [];
      strip.shadowRoot.addEventListener("transitionrun", ({ target, propertyName }) => {
        if (target.matches("[part='indicator']")) window.slid.push(propertyName);
      });
    }""")
    strip.card(2).click()
    strip.page.wait_for_function("() => window.slid.includes('transform')")
    strip.page.wait_for_function("""() => {
      const strip = document.querySelector("carousel-strip");
      const nodes = [strip.shadowRoot.querySelector("[part='indicator']"), strip.nodeOf(2)];
      const [bar, card] = nodes.map((one) => one.getBoundingClientRect());
      return Math.abs(bar.x - card.x) < 1 && Math.abs(bar.width - card.width) < 1;
    }""")
    strip.page.wait_for_function("() => window.ran.includes('color Lithium') || window.ran.some((one) => one.startsWith('color'))")


def test_option_bar_a_page_sets_styles_and_animation_of_the_indicator(gallery):
    strip = gallery("options", "elements")
    strip.evaluate("""(strip) => {
      const styles = { color: "rgb(1, 2, 3)", height: "7px", duration: "0.6s", easing: "linear" };
      for (const [name, value] of Object.entries(styles)) strip.style.setProperty(`--indicator-${name}`, value);
    }""")
    strip.card(2).click()
    bar = strip.element.locator("[part=indicator]")
    expect(bar).to_have_css("background-color", "rgb(1, 2, 3)")
    expect(bar).to_have_css("height", "7px")
    sliding = strip.element.locator("[part=indicator].sliding")
    expect(sliding).to_have_css("transition-duration", "0.6s, 0.6s")
    expect(sliding).to_have_css("transition-timing-function", "linear, linear")


def test_option_bar_listeners_are_independent_of_the_data(gallery):
    """Listeners do not depend on the data. They stay when the strip shows another strip of the server."""
    strip = gallery("options", "elements", reduced_motion="reduce")
    strip.evaluate(LISTEN, ["select", "willdisplay"])
    strip.after("reload", lambda: strip.evaluate("(strip) => { strip.strip = 'albums' }"))
    strip.name = "albums"
    strip.card(2).click()
    expect(strip.page.locator("#chosen")).to_contain_text("Pet Sounds")
    assert ["select", "a2", "tap"] in told(strip, "select")
    assert "a2" in [id for _, id, _ in told(strip, "willdisplay")]


# MARK: Album browser


def must_be_centred_and_current(strip):
    current = strip.evaluate("(strip) => strip.current")
    assert abs(centre(strip, current["index"])) <= 1
    assert selected(strip) == current["id"]
    return current["index"]


@pytest.mark.parametrize(
    ("name", "of", "item", "field", "text"), [("albums", "albums", "a24", "Price", r"€\d+\.\d\d"), ("table", "moons", "deimos", "Diameter", r"[\d,]+\u00a0km")]
)
def test_details_have_the_names_units_and_formats_of_their_fields(gallery, name, of, item, field, text):
    strip = gallery(name, of)
    strip.page.locator(f"li[data-id={item}]").click()
    row = strip.page.locator("#details dl > div", has=strip.page.get_by_text(field, exact=True))
    expect(row.locator("dd")).to_have_text(re.compile(f"^{text}$"))


def test_album_browser_after_a_drag_the_nearest_cover_is_centred_and_current(gallery):
    """The test must not depend on the speed of the mouse, because a throw can end at an end of the strip."""
    strip = gallery("albums", "albums", reduced_motion="reduce")
    box = strip.element.bounding_box()
    mouse = strip.page.mouse
    mouse.move(box["x"] + 900, box["y"] + 90)
    mouse.down()
    mouse.move(box["x"] + 700, box["y"] + 90)
    mouse.move(box["x"] + 580, box["y"] + 90)
    strip.rest(mouse.up)
    assert must_be_centred_and_current(strip) > 24


def test_album_browser_after_a_throw_to_an_end_its_cover_is_centred_and_current(gallery):
    strip = gallery("albums", "albums")
    for px, index in [(1e6, 49), (-1e6, 0)]:
        strip.by(px)
        assert must_be_centred_and_current(strip) == index


def test_album_browser_starts_with_an_album_in_the_centre_and_a_reload_keeps_it(gallery):
    strip = gallery("albums", "albums")
    assert selected(strip) == "a24"
    assert abs(centre(strip, 24)) <= 1
    offset = strip.offset
    strip.after("reload", lambda: strip.evaluate("(strip) => strip.reload()"))
    assert selected(strip) == "a24"
    assert abs(strip.offset - offset) <= 1


def test_album_browser_a_reload_with_fewer_albums_selects_the_last_one(gallery_of_changing, changing):
    strip = gallery_of_changing("albums")
    strip.scroll_to(offset=9000)
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').selected?.index > 50")
    change(strip, changing, [module(n) for n in range(20)])
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').selected?.index < 20")
    strip.settle()
    current = strip.evaluate("(strip) => strip.current.id")
    assert selected(strip) == current
    expect(strip.element.locator("li[aria-selected='true']:not([hidden])")).to_have_attribute("data-id", current)


# MARK: Menu, and changing items


@pytest.fixture
def changing(tmp_path):
    """A server of a strip `s`, and a function that replaces its items."""
    database, file = tmp_path / "s.db", tmp_path / "s.jsonl"

    def write(items, *more):
        file.write_text("".join(json.dumps(item) + "\n" for item in items))
        run("import", file, "--database", database, "--strip", "s", "--gap", "8", *more)

    write([module(n) for n in range(300)])
    with serving("--database", database) as address:
        yield address, lambda items: write(items, "--replace", "--allow-empty")


def module(n, width=None):
    kind = ["heading", "element", "gas"][n % 3]
    fields = {"title": f"Item {n}", "subtitle": "2 elements", "category": "Metal", "symbol": str(n)}
    return {"id": f"i{n}", "kind": kind, "width": width or 80 + n % 7 * 20, "group": f"Group {n // 30}", "fields": fields}


def change(strip, changing, items):
    """Replaces the items, waits for the server, and reloads the strip."""
    revision = strip.window()["revision"]
    changing[1](items)
    new = strip.await_revision_after(revision)
    strip.evaluate("(strip) => strip.reload()")
    strip.page.wait_for_function("(revision) => document.querySelector('carousel-strip').meta?.revision === revision", arg=new)
    strip.settle()


@pytest.fixture
def gallery_of_changing(open_page, changing):
    """Opens a gallery that shows the strip `s`."""

    def gallery_of_changing(page):
        address, _ = changing
        opened = open_page(f"{address}/galleries/{page}.html", base_url=address, complains=True)
        opened.evaluate("() => { document.querySelector('carousel-strip').setAttribute('strip', 's') }")
        opened.wait_for_function("() => document.querySelector('carousel-strip').meta?.strip === 's'")
        strip = Strip(opened, "s")
        strip.arrive()
        return strip

    return gallery_of_changing


def test_menu_entries_are_as_wide_as_their_texts_and_each_kind_has_its_pool(gallery):
    strip = gallery("menu", "elements")
    slack = strip.evaluate("""(strip) => strip.items.map((item) => {
      const title = strip.nodeOf(item.index).querySelector(".title");
      const range = document.createRange();
      range.selectNodeContents(title);
      return item.size - range.getBoundingClientRect().width - 16; // the padding
    })""")
    assert len(slack) > 5 and all(0 <= px < 1 for px in slack), slack
    pools = strip.figures["pools"]
    assert pools.keys() == {"element", "gas", "heading"}
    for kind, count in pools.items():
        assert strip.nodes(kind) <= count + 1


def test_menu_a_reload_keeps_the_offset_or_moves_it_to_the_new_end_or_to_0(gallery_of_changing, changing):
    strip = gallery_of_changing("menu")
    strip.scroll_to(offset=9000)
    change(strip, changing, [module(n) for n in range(301)])
    assert abs(strip.offset - 9000) <= 1
    change(strip, changing, [module(n) for n in range(50)])
    assert abs(strip.offset - strip.evaluate("(strip) => strip.maxOffset")) <= 1
    assert strip.offset > 0
    revision = strip.window()["revision"]
    changing[1]([])
    strip.await_revision_after(revision)
    strip.evaluate("(strip) => strip.reload()")
    strip.page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 0")
    expect(strip.element.locator("li:not([hidden])")).to_have_count(0)
    assert strip.offset == 0


# MARK: Every item of a short strip


@pytest.fixture
def short(open_page, tmp_path):
    """Opens a gallery with a strip of seven items, at a width."""
    file, database = tmp_path / "s.jsonl", tmp_path / "s.db"
    file.write_text("".join(json.dumps(module(n)) + "\n" for n in range(7)))
    run("import", file, "--database", database, "--strip", "s", "--gap", "8")
    with serving("--database", database) as address:

        def short(page, width, attributes):
            opened = open_page(f"{address}/galleries/{page}.html", base_url=address, complains=True,
                               viewport={"width": width, "height": 800}, reduced_motion="reduce")
            opened.evaluate("""(attributes) => {
              const strip = document.querySelector("carousel-strip");
              const made = strip.cloneNode();
              made.append(...strip.querySelectorAll("template"));
              for (const template of made.children) template.removeAttribute("data-select");
              for (const [name, value] of Object.entries({ strip: "s", ...attributes })) made.setAttribute(name, value);
              strip.replaceWith(made);
            }""", attributes)
            strip = Strip(opened, "s")
            strip.arrive()
            return strip

        yield short


def await_selected(strip, index, why):
    strip.settle()
    strip.page.wait_for_function("(id) => document.querySelector('carousel-strip').selected?.id === id", arg=f"i{index}")
    strip.settle()
    assert selected(strip) == f"i{index}", why


@pytest.mark.parametrize(("page", "width"), [("albums", 320), ("options", 500)])
def test_every_item_of_a_short_strip_can_be_chosen_by_code_taps_and_keys(short, page, width):
    for index in [1, 6]:
        strip = short(page, width, {"initial-index": str(index)})
        await_selected(strip, index, "the initial index")
    for index in [3, 0, 6, 5, 0]:
        strip.evaluate("(strip, index) => { strip.select(index) }", index)
        await_selected(strip, index, "code")
    for index in range(7):
        strip.scroll_to(index=index)
        card = strip.card(index).bounding_box()
        box = strip.element.bounding_box()
        x = (max(card["x"], box["x"]) + min(card["x"] + card["width"], box["x"] + box["width"])) / 2
        strip.page.mouse.click(x, card["y"] + 10)
        await_selected(strip, index, "a tap")
    strip.page.keyboard.press("Home")
    for index in range(7):
        expect(strip.card(index)).to_be_focused()
        strip.page.keyboard.press("Enter")
        await_selected(strip, index, "a key")
        strip.page.keyboard.press("ArrowRight")


def test_every_item_of_a_short_strip_can_be_chosen_by_sliding_if_the_first_and_last_have_room(short):
    strip = short("albums", 320, {})
    places = strip.evaluate("(strip) => strip.loadedItems.map((item) => strip.offsetOf(item))")
    assert len(set(places)) == 7
    for index in [3, 0, 6, 1, 5, 2, 4]:
        px = places[index] - strip.offset + 3
        strip.by(px)
        await_selected(strip, index, "a slide")
        assert abs(centre(strip, index)) <= 1
    strip.page.keyboard.press("Tab")
    strip.card(4).focus()
    for key, index in [("End", 6), ("Home", 0)]:
        strip.page.keyboard.press(key)
        await_selected(strip, index, key)
        expect(strip.card(index)).to_be_focused()


def test_without_room_a_slide_to_an_end_selects_the_item_at_the_end(short):
    strip = short("options", 320, {})
    assert selected(strip) == "i0"
    strip.by(1e6)
    await_selected(strip, 6, "a slide to the end")
    strip.by(-1e6)
    await_selected(strip, 0, "a slide to the start")


# MARK: Modules


def test_modules_each_kind_has_its_card_its_size_and_its_response(gallery):
    strip = gallery("modules", "elements")
    chosen = strip.page.locator("#chosen")
    for index, kind, words in [(0, "heading", "2 elements"), (1, "element", "nonmetal"), (2, "gas", "itself")]:
        expect(strip.card(index)).to_have_attribute("data-kind", kind)
        strip.card(index).click()
        expect(chosen).to_contain_text(words)
    assert strip.card(0).bounding_box()["width"] == 112
    assert strip.card(2).bounding_box()["width"] == strip.evaluate("(strip) => strip.meta.height")


def test_modules_an_element_of_which_little_is_known_is_a_blank_module(gallery):
    strip = gallery("modules", "elements")
    items = {item["id"]: item for item in strip.window(width=60_000)["items"]}
    for id in ["Mt", "H"]:
        strip.scroll_to(index=items[id]["index"])
        expect(strip.card(items[id]["index"]).locator(".title")).to_be_visible(visible=id == "H")


def test_modules_are_hidden_shown_resized_and_recounted_by_identifier(gallery_of_changing, changing):
    strip = gallery_of_changing("modules")
    items = [module(n) for n in range(300)]
    hidden = [{**item, "width": 0, "aspect": 0} if item["kind"] == "gas" else item for item in items]
    change(strip, changing, hidden)
    expect(strip.element.locator("li[data-kind='gas']:not([hidden])")).to_have_count(0)
    change(strip, changing, items)
    expect(strip.element.locator("li[data-kind='gas']:not([hidden])").first).to_be_visible()
    change(strip, changing, [module(n, width=200 if n == 1 else None) for n in range(300)])
    assert strip.card(1).bounding_box()["width"] == 200
    change(strip, changing, items[:6])
    assert strip.evaluate("(strip) => strip.meta.count") == 6
    strip.must_be_right()


# MARK: Cards


def test_cards_the_card_in_the_center_is_whole_and_its_neighbours_are_scaled(gallery):
    strip = gallery("cards", "albums")
    strip.page.wait_for_function("() => Number(document.querySelector('li[data-index=\"0\"]').style.getPropertyValue('--progress') || 1) ** 2 < 0.0001")
    scales = strip.evaluate("""(strip) => [...strip.querySelectorAll("li:not([hidden])")].map((node) => {
      const box = node.getBoundingClientRect(), card = node.firstElementChild.getBoundingClientRect();
      return [Number(node.dataset.index), card.width / box.width, card.height / node.firstElementChild.offsetHeight];
    })""")
    by_index = {index: (x, y) for index, x, y in scales}
    assert by_index[0] == pytest.approx((1, 1), abs=0.01)
    for index in (-1, 1):
        assert by_index[index] == pytest.approx((0.9, 0.8), abs=0.01)
    assert abs(centre(strip, 0)) <= 1
    assert [card["index"] for card in strip.visible()] == [-1, 0, 1]


def test_cards_scroll_smoothly_to_an_index_and_report_the_current_one_at_rest(gallery):
    strip = gallery("cards", "albums")
    begin = strip.offset
    # A jump has no target, and has ended when `scrollTo` returns. A smooth movement begins only then.
    go = "async (strip) => { await strip.scrollTo({ index: 3, align: 'center', behavior: 'smooth' }); return [strip.offset, strip.scrollTarget]; }"
    places = []
    strip.rest(lambda: places.extend(strip.evaluate(go)))
    assert places == [begin, pytest.approx(strip.offset, abs=1)]
    assert strip.offset > begin + 1
    assert strip.evaluate("(strip) => strip.current.index") == 3
    expect(strip.page.locator("#current")).to_have_text("Abbey Road")
    strip.rest(strip.page.get_by_role("button", name="Next").click)
    expect(strip.page.locator("#current")).to_have_text("Tapestry")


def test_cards_a_fling_however_fast_ends_on_a_full_card(gallery):
    strip = gallery("cards", "albums")
    strip.element.hover()
    # On a slow machine, the strip may come to rest between two turns of the wheel.
    strip.evaluate("""(strip) => {
      window.turned = 0;
      strip.addEventListener("wheel", ({ deltaX }) => { window.turned += deltaX; window.rests = false; }, { passive: true });
      strip.addEventListener("settle", () => (window.rests = true));
    }""")
    turned = 0
    while strip.offset <= 3000:
        for _ in range(8):
            strip.page.mouse.wheel(1700, 0)
        turned += 8 * 1700
        strip.page.wait_for_function("(px) => window.turned === px && window.rests", arg=turned)
        strip.settle()
    assert abs(centre(strip, strip.evaluate("(strip) => strip.current.index"))) <= 1


# MARK: Playlist


def removed(strip):
    return strip.page.locator(".undo [role=status]")


def await_ids(strip, count, first):
    """Waits until the strip has so many items, and begins with these."""
    has = "([count, first]) => { const { meta, items } = document.querySelector('carousel-strip'); return meta.count === count && first.every((id, k) => items[k]?.id === id); }"
    strip.page.wait_for_function(has, arg=[count, first])


def remove(strip, id):
    strip.page.locator(f"carousel-strip li[data-id={id}]").get_by_role("button").click()


def test_playlist_takes_the_last_removal_back(gallery):
    strip = gallery("playlist", "albums")
    undo = strip.page.get_by_role("button", name="Undo")
    for id, title, count, rest in (("a1", "A Love Supreme", 49, ["a0", "a2"]), ("a0", "Kind of Blue", 48, ["a2", "a3"])):
        remove(strip, id)
        expect(removed(strip)).to_have_text(f"Removed {title}.")
        await_ids(strip, count, rest)
    undo.click()
    expect(removed(strip)).to_have_text("Nothing is removed.")
    await_ids(strip, 49, ["a0", "a2"])
    expect(undo).to_be_hidden()
    assert strip.evaluate("(strip) => strip.contains(document.activeElement)")


def test_playlist_with_a_token_edits_the_strip_for_all_readers(open_page, tmp_path):
    database, file = tmp_path / "s.db", tmp_path / "s.jsonl"
    items = [{"id": f"a{n}", "kind": "album", "aspect": 1, "fields": {"title": f"Album {n}"}} for n in range(40)]
    file.write_text("".join(json.dumps(item) + "\n" for item in items))
    run("import", file, "--database", database, "--strip", "albums")
    token = run("token", "create", "--database", database, "--strip", "albums").stdout.split()[-1]
    with serving("--database", database) as address:
        reader, other = (Strip(open_page("/galleries/playlist.html", base_url=address, complains=True), "albums") for _ in range(2))
        for strip in (reader, other):
            strip.arrive()
        reader.page.get_by_label("Token").fill("wrong")
        remove(reader, "a1")
        expect(removed(reader)).to_contain_text("The token is unknown")
        reader.page.get_by_label("Token").fill(token)
        remove(reader, "a1")
        expect(removed(reader)).to_have_text("Removed Album 1.")
        for strip in (reader, other):
            await_ids(strip, 39, ["a0", "a2"])
        reader.page.get_by_role("button", name="Undo").click()
        for strip in (reader, other):
            await_ids(strip, 40, ["a0", "a1"])
        expect(removed(reader)).to_have_text("Nothing is removed.")
        # After another edit, the batch would take back too much.
        remove(reader, "a1")
        expect(removed(reader)).to_have_text("Removed Album 1.")
        other.page.get_by_label("Token").fill(token)
        remove(other, "a3")
        expect(removed(other)).to_have_text("Removed Album 3.")
        reader.page.get_by_role("button", name="Undo").click()
        expect(removed(reader)).to_contain_text("revision")


def test_without_scripts_a_gallery_leads_to_the_others_and_to_the_documentation(open_page):
    page = open_page("about:blank", java_script_enabled=False)
    for name in PAGES:
        page.goto(f"/galleries/{name}.html")
        links = page.get_by_role("navigation", name="Site").get_by_role("link")
        assert [link.get_attribute("href") for link in links.all()] == ["/galleries/", "/docs/"], name
