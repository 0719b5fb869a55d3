"""Images that fail, are missing, or load late."""

import json

from playwright.sync_api import expect

from conftest import run, serving
from strip import Strip
from test_plugins import made_with

PICTURES = "**/covers/*"


def test_an_image_that_fails_leaves_a_card_with_its_title(open_page):
    page = open_page("about:blank", complains=True)
    page.route(PICTURES, lambda route: route.fulfill(status=404))
    page.goto("/?strip=albums")
    card = page.locator("li[data-index='1']")
    expect(card.locator("img")).to_have_attribute("data-failed", "")
    expect(card.locator("img")).to_be_hidden()
    expect(card.locator(".mark")).to_be_visible()
    expect(card.locator(".title")).to_be_visible()
    box = card.locator(".picture").bounding_box()
    assert box["height"] == 180 and box["width"] == 180


def test_images_that_failed_before_scripts_ran_are_marked(open_page):
    page = open_page("about:blank", complains=True)
    page.route(PICTURES, lambda route: route.abort())
    held = []
    page.route("**/js/page/page.js", lambda route: held.append(route))
    with page.expect_request("**/js/page/page.js"):
        page.goto("/?strip=albums", wait_until="commit")
    page.wait_for_function("() => document.querySelector(\"li[data-index='1'] img\")?.complete")
    held[0].continue_()
    expect(page.locator("li[data-index='1'] img")).to_have_attribute("data-failed", "")


def test_scripts_do_not_repaint_the_images_of_the_server(open_page):
    page = open_page("about:blank")
    page.add_init_script("""window.painted = [];
    new PerformanceObserver((list) => {
      for (const { url, size } of list.getEntries()) if (url) window.painted.push(size);
    }).observe({ type: "largest-contentful-paint", buffered: true });""")
    held = []
    page.route("**/js/page/page.js", lambda route: held.append(route))
    with page.expect_request("**/js/page/page.js"):
        page.goto("/?strip=albums", wait_until="commit")
    # An image that the viewport cuts off may be painted first. None is larger than a complete one.
    whole = page.wait_for_function("() => window.painted.find((size) => size > 150 * 180)").json_value()
    held[0].continue_()
    page.evaluate("() => customElements.whenDefined('carousel-strip').then(() => {})")
    Strip(page, "albums").arrive()
    page.evaluate("() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))")
    assert max(page.evaluate("() => window.painted")) == whole


def test_a_card_without_an_image_has_no_broken_one(open_strip):
    strip = open_strip("billion")
    strip.scroll(2)
    assert strip.element.locator("img[src]").count() == 0
    expect(strip.element.locator("li:not([hidden]) img").first).to_be_hidden()
    expect(strip.element.locator("li:not([hidden]) .mark").first).to_be_visible()
    expect(strip.element.locator("li:not([hidden]) .title").first).to_have_css("opacity", "0")


def test_a_reused_node_never_shows_its_former_image(open_page):
    page = open_page("/?strip=albums", viewport={"width": 400, "height": 700})
    page.wait_for_function("() => document.querySelector('carousel-strip').figures?.pool > 0")
    page.wait_for_load_state("networkidle")
    held = []
    page.route(PICTURES, lambda route: held.append(route))
    page.evaluate("() => document.querySelector('carousel-strip').scrollTo({ offset: 5000 })")
    page.wait_for_function("() => document.querySelector('carousel-strip').items?.length > 0")
    index = page.evaluate("() => document.querySelector('carousel-strip').items.at(-1).index")
    image = page.locator(f"li[data-index='{index}'] img")
    expect(image).to_have_attribute("data-coming", "")
    expect(image).to_have_css("opacity", "0")
    page.route(PICTURES, lambda route: route.continue_())  # the browser loads distant images later
    for route in held:
        route.continue_()
    expect(image).not_to_have_attribute("data-coming", "")
    expect(image).to_have_css("opacity", "1")
    assert image.evaluate("(image) => image.naturalWidth") > 0


ITEMS = [
    {"id": "whole", "fields": {"title": '<b> & "q"', "image": "/covers/a0.svg?w={w}&x", "alt": "A <", "color": "#abc"}},
    {"id": "fixed", "width": 100.5, "fields": {"title": "One size", "image": "/covers/a1.svg", "subtitle": "{title}"}},
    {"id": "bare", "fields": {"title": "No picture"}},
    {"id": "element", "kind": "element", "fields": {"title": "Magnesium", "symbol": "Mg", "number": 12, "color": "red"}},
    {"id": "heading", "kind": "heading", "fields": {"title": "Metals"}},
    {"id": "other", "kind": "other", "fields": {"title": "Of a kind without a card", "image": "/covers/a2.svg"}},
    {"id": "script", "fields": {"title": "A script", "image": "javascript:alert(1)"}},
    *({"id": f"i{n}", "fields": {"title": f"No. {n}", "image": "/covers/a3.svg?{w}"}} for n in range(40)),
]

# The HTML of the cards by id, without what only scripts set: the state of images, the tab order, and absolute URLs.
SAID = """(root) => Object.fromEntries([...root.querySelectorAll("li[data-id]")].map(({ dataset, childNodes }) => {
  const card = document.createElement("div");
  card.append(...[...childNodes].map((node) => node.cloneNode(true)));
  card.normalize();
  card.querySelector("a.title")?.removeAttribute("tabindex");
  for (const image of card.querySelectorAll("img")) {
    for (const name of ["data-coming", "data-failed"]) image.removeAttribute(name);
    if (!image.hasAttribute("src")) for (const name of ["loading", "fetchpriority"]) image.removeAttribute(name);
  }
  for (const element of card.querySelectorAll("*")) {
    const pairs = [...element.attributes].map(({ name, value }) => [name, value.replaceAll(location.origin, "")]).sort();
    for (const [name] of pairs) element.removeAttribute(name);
    for (const [name, value] of pairs) if (value || name !== "srcset") element.setAttribute(name, value);
  }
  return [dataset.id, card.innerHTML];
}))"""


def test_the_server_and_the_page_fill_a_card_to_the_same_html(open_page, tmp_path):
    file, database = tmp_path / "s.jsonl", tmp_path / "s.db"
    file.write_text("".join(json.dumps({"width": 150, **item}) + "\n" for item in ITEMS))
    run("import", file, "--database", database, "--strip", "s")
    with serving("--database", database) as address:
        strip = made_with(open_page(address, base_url=address), "s")
        made = strip.evaluate(SAID)
        html = strip.page.request.get(f"/window?strip=s&width={strip.width}&overscan=2000&format=html").text()
        sent = strip.page.evaluate(f"(html) => ({SAID})(new DOMParser().parseFromString(html, 'text/html'))", html)
        strip.page.reload()
        strip.arrive()
        again = strip.evaluate(SAID)
        assert made.keys() >= {item["id"] for item in ITEMS[:7]} and any("lazy" in card for card in made.values())
        assert made == {id: sent[id] for id in made}
        assert again == {id: sent[id] for id in again}
        strip.page.close()  # a request to a server that stops is an error in its console


def test_a_template_has_a_srcset_of_its_own(open_page):
    page = open_page("/?strip=albums")
    html = """<img srcset="{image} 1x, {image}?d=2 2x" src="{image}" alt=""><img src="{image}" srcset="{image}?d=3 3x" alt=""><p class="title">{title}</p>"""
    page.evaluate("(html) => document.querySelectorAll('template').forEach((one) => (one.innerHTML = html))", html)
    strip = made_with(page, "albums")
    for offset in (0, 5000):
        strip.scroll_to(offset=offset)
        index, sets = strip.evaluate("(strip) => { const { index } = strip.items[2]; return [index, [...strip.nodeOf(index).querySelectorAll('img')].map((image) => [image.srcset, image.src])]; }")
        image = page.url.split("?")[0].rstrip("/") + strip.evaluate("(strip, index) => strip.items.find((item) => item.index === index).fields.image", index)
        assert sets == [[f"{image} 1x, {image}?d=2 2x", image], [f"{image}?d=3 3x", image]]
