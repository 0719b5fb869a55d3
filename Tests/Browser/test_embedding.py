"""A strip in a page of another origin, many strips in one page, and custom cards."""

import json

import pytest
from playwright.sync_api import expect

from conftest import run, serving
from strip import IDLE, STYLED, Requests, Strip, show

# Counts the event streams. One that the server refused is closed.
STREAMS = """window.streams = {
  all: [],
  most: 0,
  get made() { return this.all.length; },
  get now() { return this.all.filter(({ readyState }) => readyState !== 2).length; },
};
window.EventSource = class extends EventSource {
  constructor(...rest) {
    super(...rest);
    streams.all.push(this);
    streams.most = Math.max(streams.most, streams.now);
  }
};"""


def strict(address):
    """A policy that only allows the strips' server, and requires trusted types."""
    allowed = "; ".join(f"{what} {address}" for what in ["script-src", "connect-src", "img-src"])
    return f"default-src 'none'; {allowed}; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"


def open_elsewhere(open_page, elsewhere, address, html=None):
    page = open_page("/galleries/embedding.html")
    shown = page.locator("#page").inner_text()
    # Without this, the browser would request /favicon.ico and log an error.
    html = (html or shown).replace("<title>", '<link rel="icon" href="data:,"><title>')
    policy = strict(address).replace("img-src", "img-src data:")
    return open_page(elsewhere(html, Content_Security_Policy=policy))


def test_the_page_that_is_shown_works_on_another_origin_under_a_strict_policy(open_page, elsewhere, address):
    html = open_page("/galleries/embedding.html").locator("#page").inner_text()
    assert html.count("<script") == html.count("<carousel-strip") == 1
    assert "unsafe" not in html and "<style" not in html and "stylesheet" not in html
    page = open_elsewhere(open_page, elsewhere, address, html.replace("img-src ", "img-src data: "))
    assert page.evaluate("() => location.origin") != address
    strip = Strip(page, "albums")
    strip.settle()
    items = page.request.get(f"{address}/window?strip=albums&width={strip.width}").json()["items"]
    assert [card["id"] for card in strip.visible()] == [item["id"] for item in items]
    card = strip.card(0)
    expect(card.locator(".title")).to_have_text("Kind of Blue")
    expect(card.locator(".title")).to_have_css("white-space", "nowrap")
    expect(card.locator("img")).to_have_js_property("complete", True)
    assert card.locator("img").evaluate("(image) => image.naturalWidth") > 0
    assert card.bounding_box()["width"] == 180
    expect(page.get_by_role("region", name="Albums")).to_be_visible()
    card.click()
    expect(card).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    expect(strip.card(49)).to_be_focused()


def test_controls_and_live_updates_work_on_another_origin(open_page, elsewhere, tmp_path):
    file, database = tmp_path / "s.jsonl", tmp_path / "s.db"

    def write(count, *more):
        file.write_text("".join(json.dumps({"id": f"i{n}", "width": 100, "fields": {"title": f"Item {n}"}}) + "\n" for n in range(count)))
        run("import", file, "--database", database, "--strip", "s", *more)

    write(60)
    with serving("--database", database) as address:
        html = f"""<!doctype html><html lang="en"><title>Elsewhere</title>
          <script type="module" src="{address}/js/embed.js"></script>
          <carousel-strip strip="s" live controls="previous scrubber dots next" aria-label="Items"></carousel-strip>"""
        page = open_elsewhere(open_page, elsewhere, address, html)
        strip = Strip(page, "s")
        strip.settle()
        expect(page.locator("[part=step]").first).to_have_css("width", "44px")
        strip.rest(page.get_by_role("button", name="Next").click)
        assert strip.offset > 100
        write(70, "--replace")
        page.wait_for_function("() => document.querySelector('carousel-strip').meta?.count === 70")


def test_a_page_sets_the_colors(open_page, elsewhere, address):
    html = f"""<!doctype html><html lang="en"><title>Elsewhere</title>
      <script type="module" src="{address}/js/embed.js"></script>
      <link rel="stylesheet" href="{address}/css/page.css">
      <carousel-strip strip="albums" indicator aria-label="Albums"></carousel-strip>"""
    page = open_page(elsewhere(html.replace("<title>", '<link rel="icon" href="data:,"><title>')))
    strip = Strip(page, "albums")
    strip.settle()
    page.evaluate("() => document.documentElement.style.setProperty('--strip-accent', 'rgb(1, 2, 3)')")
    strip.card(0).click()
    expect(strip.element.locator("[part=indicator]")).to_have_css("background-color", "rgb(1, 2, 3)")


def test_in_a_shadow_tree_a_strip_has_its_styles(open_page, elsewhere, address):
    html = f"""<!doctype html><html lang="en"><title>Elsewhere</title>
      <script type="module" src="{address}/js/embed.js"></script>
      <div id="host"><template shadowrootmode="open"><carousel-strip strip="albums" aria-label="Albums"></carousel-strip></template></div>"""
    page = open_elsewhere(open_page, elsewhere, address, html)
    strip = Strip(page, "albums")
    strip.settle()
    expect(strip.card(0).locator(".picture")).to_have_css("border-radius", "10px")
    expect(strip.card(0).locator(".picture")).to_have_css("background-color", "rgb(235, 230, 220)")
    strip.card(1).click()
    expect(strip.card(1)).to_have_attribute("aria-selected", "true")


def test_style_sheets_that_failed_to_load_are_requested_again(open_page, elsewhere, address):
    html = f"""<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,">
      <script type="module" src="{address}/js/embed.js"></script>
      <carousel-strip strip="albums" aria-label="Albums"></carousel-strip>"""
    page = open_page("about:blank", complains=True)
    answers = [lambda route: route.abort(), lambda route: route.fulfill(status=503)]
    page.route("**/css/strip.css", lambda route: answers.pop()(route), times=2)
    page.goto(elsewhere(html))
    strip = Strip(page, "albums")
    strip.settle()
    expect(strip.element).to_have_css("visibility", "visible")
    strip.settle()
    strip.must_be_right()


def test_the_core_alone_scrolls(open_page, elsewhere, address):
    html = f"""<!doctype html><html lang="en"><title>Elsewhere</title>
      <script type="module">
        import {{ CarouselStrip }} from "{address}/js/element/carousel-strip.js";
        customElements.define("carousel-strip", CarouselStrip);
      </script>
      <link rel="stylesheet" href="{address}/css/strip.css">
      <carousel-strip strip="albums"><template data-kind="card"><p class="title">{{title}}</p></template><ul></ul></carousel-strip>"""
    strip = Strip(open_page(elsewhere(html.replace("<title>", '<link rel="icon" href="data:,"><title>'))), "albums")
    strip.settle()
    for left, call in [(3000, "scrollBy({ left: 3000, behavior: 'instant' })"), (500, "scroll(500, 0)"), (40, "scroll({ offset: 40 })")]:
        strip.evaluate(f"(strip) => void strip.{call}")
        strip.settle()
        assert strip.evaluate("({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]") == [left, 0]
    strip.must_be_right()


# MARK: Twelve strips

# All twelve strips are near the screen, so that all are drawn.
TALL = {"width": 1280, "height": 4000}


def shelves(page):
    page.wait_for_function("""() => {
      const strips = [...document.querySelectorAll("carousel-strip")];
      return strips.length === 12 && strips.every((strip) =>
        !strip.isWaiting && strip.items?.length && strip.items.every((item) => item.fields));
    }""")
    return page.locator("carousel-strip")


def test_twelve_strips_are_drawn_over_one_stream_which_a_hidden_page_closes(open_page):
    page = open_page("about:blank", viewport=TALL)
    page.add_init_script(STREAMS)
    page.goto("/galleries/shelves.html")
    strips = shelves(page)
    page.wait_for_function("() => window.streams.now === 1")
    assert page.evaluate("() => window.streams.most") == 1
    protocols = page.evaluate("() => [...new Set(performance.getEntriesByType('resource').map((one) => one.nextHopProtocol))]")
    assert set(protocols) - {""} == {"http/1.1"}
    for k in range(12):
        name, index = strips.nth(k).get_attribute("strip"), strips.nth(k).get_attribute("initial-index")
        card = strips.nth(k).locator(f"li[data-index='{index}']")
        title = page.request.get(f"/window?strip={name}&index={index}&width=1").json()["items"][0]["fields"]["title"]
        expect(card.locator(".title, .banner").first).to_have_text(title)
    page.evaluate("() => document.querySelectorAll('carousel-strip').forEach((strip) => strip.scrollTo({ offset: 4000 }))")
    shelves(page)
    page.evaluate("""() => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""")
    page.wait_for_function("() => window.streams.now === 0")


# MARK: Custom cards


def test_each_kind_without_a_template_has_the_template_for_card(open_page):
    strip = Strip(open_page("/galleries/embedding.html"), "elements")
    strip.settle()
    strip.scroll_to(offset=200)
    assert strip.element.locator("li[data-kind='element'] canvas").count() > 0
    assert strip.element.locator("li[data-kind='gas'] canvas").count() > 0
    assert strip.element.locator("li[data-kind='heading'] canvas").count() == 0


# MARK: Forty strips


FORTY = """([names, gap]) => {
  const template = document.querySelector("template");
  document.querySelectorAll("carousel-strip").forEach((strip) => strip.remove());
  window.asked = [];
  const original = window.fetch;
  window.fetch = (...rest) => { window.asked.push(String(rest[0])); return original(...rest); };
  for (let k = 0; k < 40; k += 1) {
    const made = document.createElement("carousel-strip");
    made.append(template.cloneNode(true));
    made.setAttribute("live", "");
    made.setAttribute("strip", names[k % names.length]);
    made.setAttribute("loop", "");
    made.id = `strip-${k}`;
    document.querySelector("main").append(made);
  }
}"""


def test_forty_strips_share_one_event_stream_and_those_far_from_the_screen_request_nothing(open_page):
    page = open_page("about:blank")
    page.add_init_script(STREAMS)
    page.goto("/galleries/menu.html")
    Strip(page, "elements").arrive()
    page.evaluate(FORTY, [["albums", "elements", "billion"], 0])
    Strip(page, "albums", nth=0).settle()
    page.wait_for_function("() => window.streams.now === 1")
    near = page.evaluate(
        "() => [...document.querySelectorAll('carousel-strip')].filter((one) => one.getBoundingClientRect().top < 1.75 * innerHeight).length"
    )
    page.wait_for_function("(near) => [...document.querySelectorAll('carousel-strip')].slice(0, near).every((one) => !one.isWaiting)", arg=near)
    assert 3 < near < 35
    assert page.evaluate("() => [...document.querySelectorAll('carousel-strip')].map((one) => !!one.meta)") == [k < near for k in range(40)]
    assert page.evaluate("() => window.streams.made") == 1
    page.locator("#strip-39").scroll_into_view_if_needed()
    page.wait_for_function("() => document.querySelector('#strip-39').items.some(({ fields }) => fields)")
    assert page.evaluate("() => window.streams.made") == 1


def load_forty(page, where, attributes=""):
    """Loads a page of 40 strips of albums, each with the attribute `where`. Returns its requests for windows and groups."""
    requests = Requests(page, r"/(window|groups)\?")
    strips = "".join(f'<carousel-strip strip="albums" aria-label="{k}" where="{where(k)}" {attributes}></carousel-strip>' for k in range(40))
    show(page, strips)
    return requests


# Whether the strips on the screen have what is in their view.
SHOWN = """() => [...document.querySelectorAll("carousel-strip")]
  .every((strip) => strip.getBoundingClientRect().top >= innerHeight || (strip.meta && !strip.isWaiting))"""


def open_forty(page, where, attributes=""):
    """As `load_forty`. The strips on the screen have drawn their windows."""
    requests = load_forty(page, where, attributes)
    page.wait_for_function(SHOWN)
    requests.settle()
    return requests


@pytest.mark.fresh  # a mouse that rests in a page is an input of the next
@pytest.mark.parametrize("width, height", [(1280, 900), (1440, 2560)])
def test_before_any_input_forty_strips_request_at_most_twelve_windows(open_page, width, height):
    page = open_page("about:blank", viewport={"width": width, "height": height})
    requests = open_forty(page, lambda k: f"year &gt;= {1900 + k}")
    assert 5 < len(requests.sent) <= 12, requests.sent
    with page.expect_request("**/window?**"):
        page.mouse.move(400, 100)
        page.mouse.move(410, 100)


@pytest.mark.fresh
@pytest.mark.parametrize("attributes", ['initial-index="20"', 'initial-item="a20" snap="center" loop', 'controls="scrubber"'])
def test_before_any_input_a_loop_a_first_item_and_a_scrubber_need_no_more_than_twelve_requests(open_page, attributes):
    page = open_page("about:blank")
    requests = open_forty(page, lambda k: f"year &gt;= {1900 + k}", attributes)
    page.wait_for_function("() => document.querySelector('carousel-strip').prefetchLevel === 1")
    requests.settle()
    on_screen = page.evaluate("() => [...document.querySelectorAll('carousel-strip')].filter((one) => one.getBoundingClientRect().top < innerHeight).length")
    asked = requests.sent
    assert 5 < len(asked) <= 12, asked
    assert len([url for url in asked if "/groups?" in url]) == ("scrubber" in attributes and on_screen)
    page.keyboard.press("Shift")
    page.wait_for_function("(count) => !document.querySelectorAll('carousel-strip')[count].isWaiting", arg=on_screen)


@pytest.mark.fresh
def test_more_than_twelve_strips_on_the_screen_request_a_window_each_and_the_others_after_an_input(open_page):
    page = open_page("about:blank", viewport={"width": 1440, "height": 4000})
    asked = open_forty(page, lambda k: f"year &gt;= {1900 + k}").sent
    in_view = page.evaluate("() => [...document.querySelectorAll('carousel-strip')].filter((one) => one.getBoundingClientRect().top < innerHeight).length")
    assert 12 < in_view == len(asked) < 30, (in_view, asked)
    page.keyboard.press("Shift")
    page.wait_for_function("(in_view) => document.querySelectorAll('carousel-strip')[in_view].meta", arg=in_view)


def test_with_save_data_a_strip_requests_only_the_window_in_view(open_page):
    page = open_page("about:blank")
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page.goto("/galleries/options.html")
    Strip(page, page.locator("carousel-strip").first.get_attribute("strip"), nth=0).arrive()
    page.evaluate(IDLE)
    assert page.evaluate("() => [...document.querySelectorAll('carousel-strip')].every((strip) => strip.prefetchLevel === 0)")


@pytest.mark.parametrize("name", ["elements", "billion"])
def test_one_press_of_an_arrow_scrolls_by_a_viewport_and_requests_at_most_two_windows(open_page, name):
    page = open_page(f"/?strip={name}")
    strip = Strip(page, name)
    strip.arrive()
    requests = Requests(page, r"/window\?")
    strip.card(0).hover()  # the strip prefetches
    page.wait_for_function("() => document.querySelector('carousel-strip').prefetchLevel === 2")
    requests.settle()
    for press in range(1, 4):
        before = len(requests.sent)
        strip.rest(page.get_by_role("button", name="Next").click)
        assert strip.offset == press * strip.width
        requests.settle()
        asked = requests.sent[before:]
        assert len(asked) <= 2, asked
        assert len(set(asked)) == len(asked)
        assert not [url for url in asked if "width=16&" in url + "&"]


# Delays the answers of `/window`, and records how far the requests reach, in px.
LATE = """const original = window.fetch;
window.reach = 0;
window.fetch = async (url, ...rest) => {
  const query = new URL(url, location).searchParams;
  if (!String(url).includes("/window?")) return original(url, ...rest);
  window.reach = Math.max(window.reach, +query.get("offset") + +query.get("width"));
  await new Promise((go) => setTimeout(go, %d));
  return original(url, ...rest);
};"""


@pytest.mark.parametrize("delay", [0, 1000])
def test_a_narrow_strip_prefetches_by_intent_and_not_by_latency(open_page, delay):
    page = open_page("about:blank", viewport={"width": 358, "height": 800}, has_touch=True)
    page.add_init_script(LATE % delay)
    show(page, '<body style="margin: 0"><carousel-strip strip="billion" aria-label="One"></carousel-strip>')
    page.wait_for_function("() => document.querySelector('carousel-strip').prefetchLevel === 1")
    page.evaluate(IDLE)
    assert page.evaluate("() => window.reach") <= 5 * 358 + 2
    page.locator("carousel-strip").tap(position={"x": 100, "y": 200})
    page.wait_for_function("() => window.reach > 7 * 358")
    page.evaluate(IDLE)
    assert page.evaluate("() => window.reach") <= 10.1 * 358


# The least contrast of the titles that cards show in place of a picture, with their grounds.
LEAST_CONTRAST = """(strip) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = (...colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const [color, alpha] of colors) {
      Object.assign(canvas, { fillStyle: color, globalAlpha: alpha });
      canvas.fillRect(0, 0, 1, 1);
    }
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255).map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const marks = [...strip.querySelectorAll("li:not([hidden]) .mark")].filter((mark) => mark.checkVisibility({ visibilityProperty: true }));
  return Math.min(...marks.map((mark) => {
    const tint = mark.parentElement.querySelector("rect").getAttribute("fill");
    const { backgroundColor, backgroundImage } = getComputedStyle(mark.parentElement);
    const color = /rgb[^)]*\\)/.exec(backgroundImage)?.[0] ?? backgroundColor; // a picture that failed is crossed out
    const ground = light([color, 1], [tint ?? "transparent", tint ? 0.5 : 0]);
    const [low, high] = [light([getComputedStyle(mark).color, 1]), ground].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }));
}"""


@pytest.mark.parametrize("style", ["background: #111; color: #eee", "background: #fff; color: #222", "background: #111; color: #eee; color-scheme: dark"])
def test_titles_in_place_of_a_picture_are_readable_on_every_page(open_page, style):
    page = open_page("about:blank", complains=True)
    strips = "".join(f'<carousel-strip strip="{name}" aria-label="One"></carousel-strip>' for name in ["albums", "elements"])
    page.route("**/covers/**", lambda route: route.abort())
    show(page, f'<body style="{style}">{strips}')
    page.wait_for_function("() => [...document.querySelectorAll('carousel-strip')].every((one) => one.querySelector('li :is([data-failed], img:not([src])) ~ .mark'))")
    for strip in page.locator("carousel-strip").all():
        assert strip.evaluate(LEAST_CONTRAST) >= 4.5
    mark = page.locator("carousel-strip[strip=elements] li[data-index='1'] .mark")  # a long title begins at the top
    mark.evaluate("(mark) => { mark.textContent = 'A title of very many words. '.repeat(20) }")
    assert mark.evaluate("""(mark) => {
      const range = document.createRange();
      range.selectNodeContents(mark);
      return range.getBoundingClientRect().top - mark.getBoundingClientRect().top;
    }""") >= 0


def test_the_ring_of_a_card_of_text_hides_no_letter(open_page):
    page = open_page("about:blank")
    show(page, '<carousel-strip strip="albums" height="100" aria-label="One"><template data-kind="card"><p>{title}</p></template></carousel-strip>')
    card = page.locator("li[data-index='1']")
    card.click()
    expect(card).to_have_attribute("data-selected", "")
    page.locator("carousel-strip").evaluate(STYLED)
    outlines = card.evaluate("(card) => [getComputedStyle(card), getComputedStyle(card.firstElementChild, '::after')].map((style) => [style.outlineStyle, style.boxShadow, style.outlineOffset])")
    assert outlines[0][0] == "solid" and int(outlines[0][2].removesuffix("px")) >= -1
    assert outlines[1][:2] == ["none", "none"]


def test_the_group_of_a_page_looks_as_the_page_says(open_page):
    page = open_page("about:blank")
    head = "<style>.group { font: italic 4rem Georgia; color: rgb(1, 2, 3) }</style>"
    for link in ["", '<link rel="stylesheet" href="/css/strip.css">']:
        show(page, '<carousel-strip strip="albums" aria-label="One"><p class="group"></p></carousel-strip>', head + link)
        expect(page.locator(".group")).not_to_have_text("")
        style = page.locator(".group").evaluate("(node) => [getComputedStyle(node).fontSize, getComputedStyle(node).fontStyle, getComputedStyle(node).color]")
        assert style == ["64px", "italic", "rgb(1, 2, 3)"]


def test_with_forced_colors_a_card_without_a_picture_has_a_border(open_page):
    page = open_page("about:blank", forced_colors="active")
    show(page, '<carousel-strip strip="elements" aria-label="One"></carousel-strip>')
    page.locator("li[data-index='1'] .mark").wait_for()
    style = page.locator("li[data-index='1'] .picture").evaluate("(one) => { const { outlineStyle, outlineWidth } = getComputedStyle(one, '::after'); return [outlineStyle, outlineWidth] }")
    assert style == ["solid", "1px"]


# The item in view that is taller than the window is at another offset than asked for: what is in view is then in two more windows.
@pytest.mark.parametrize("layout, scroll, most", [("list", 0, 1), ("grid", 20_000, 1), ("list", 20_000, 3)])
def test_a_resized_list_requests_what_is_in_view_and_prefetches_when_the_reader_moves(open_page, layout, scroll, most):
    page = open_page("about:blank", viewport={"width": 1440, "height": 900})
    requests = Requests(page, r"/window\?")
    show(page, f'<carousel-strip strip="landscapes" layout="{layout}" aria-label="One"></carousel-strip>')
    strip = Strip(page, "landscapes")
    strip.settle()
    page.mouse.move(300, 300)
    page.evaluate("(scroll) => scrollTo(0, scroll)", scroll)
    page.wait_for_function("() => document.querySelector('carousel-strip').prefetchLevel === 2")
    strip.settle()
    requests.settle()
    before = len(requests.sent)
    page.set_viewport_size({"width": 768, "height": 900})
    page.wait_for_function("() => { const { meta, isWaiting } = document.querySelector('carousel-strip'); return meta.width < 768 && !isWaiting; }")
    strip.settle()
    requests.settle()
    assert 1 <= len(requests.sent) - before <= most, requests.sent[before:]
    page.mouse.wheel(0, 200)
    page.wait_for_function("() => document.querySelector('carousel-strip').prefetchLevel === 2")


# The tile of the placeholders, and the cards that it stands for with the gap after them, in px.
TILES = """(strip) => {
  const [one, other] = strip.loadedItems;
  const tile = getComputedStyle(strip.cardList).backgroundSize.split(",")[0].split(" ").map(parseFloat);
  const column = other.x > one.x ? other.x - one.x : one.width + other.start - one.start - one.size;
  return [tile, [column, strip.loadedItems.find(({ start }) => start > one.start).start - one.start]];
}"""


@pytest.mark.parametrize("layout", ["list", "grid"])
def test_the_placeholders_of_rows_that_load_have_the_cells_of_the_cards(open_page, layout):
    page = open_page("about:blank")
    show(page, f'<body style="--line: red"><carousel-strip strip="billion" layout="{layout}" aria-label="One"></carousel-strip>', '<link rel="stylesheet" href="/css/strip.css">')
    strip = Strip(page, "billion")
    strip.settle()
    held = []
    page.route("**/window?*", lambda route: held.append(route))
    page.evaluate("() => scrollTo(0, 90_000)")
    page.wait_for_selector("carousel-strip[data-waiting]")
    tile, cell = strip.evaluate(TILES)
    assert tile == pytest.approx(cell, abs=0.1)
    own = strip.evaluate("(strip) => ['--line', '--picture', '--cell'].map((name) => getComputedStyle(strip.cardList).getPropertyValue(name))")
    assert own == ["red", "", ""]  # the cards of the page inherit them
    page.unroute("**/window?*")  # it continues them
    page.wait_for_selector("carousel-strip:not([data-waiting])")
