"""The viewer: a tap on a card of any strip opens its item, which fills the screen."""

from contextlib import ExitStack

import pytest

from engines.chromium import Chromium
from photos import Wall, serving_photos

pytestmark = pytest.mark.alone


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    with serving_photos(tmp_path_factory.mktemp("photos")) as address:
        yield address


@pytest.fixture
def wall(engine, photos):
    """The page of a wall. An error or warning in the console fails the test at its end."""
    with ExitStack() as pages:
        size = (1280, 800) if isinstance(engine, Chromium) else (900, 600)  # the others draw a large dialog slowly
        pages.enter_context(engine.show(*size, engine.densities[0]))
        yield Wall(engine, photos)
    complaints, engine.complaints = engine.complaints, []
    assert complaints == []


def test_back_and_escape_return_to_the_wall_at_the_same_pixel(wall):
    wall.open().settle()
    wall.evaluate("(strip) => strip.scrollTo({ index: 150, at: 37 })")
    wall.settle()
    place = wall.place
    index = wall.evaluate("(strip) => strip.items.find(({ start, size }) => start > strip.offset + 100 && start + size > strip.offset + 200).index")
    for leave in [lambda: wall.engine.press("Escape"), lambda: wall.evaluate("() => history.back()")]:
        wall.tap(index)
        wall.must_show(index)
        wall.engine.press("ArrowRight")
        wall.must_show(index + 1)
        wall.engine.press("PageUp")
        wall.must_show(index)
        leave()
        wall.must_be_closed()
        wall.settle()
        assert wall.place == place
        wall.wait_until("(_, index) => +document.activeElement.dataset.index === index", index)


@pytest.mark.logic
def test_a_viewer_that_is_left_while_it_loads_opens_at_the_next_tap(wall):
    wall.open().settle()
    wall.evaluate("""(strip) => {
      const { fetchJSON } = strip;
      const answered = new Promise((go) => (window.answer = go));
      strip.fetchJSON = (...all) => answered.then(() => fetchJSON(...all));
    }""")
    wall.tap(4)
    wall.evaluate("() => new Promise((go) => { addEventListener('popstate', go, { once: true }); history.back(); })")
    wall.tap(6)
    wall.evaluate("() => window.answer()")
    wall.must_show(6)


@pytest.mark.logic
def test_a_strip_has_one_viewer_and_none_when_it_is_gone(wall):
    wall.open().settle()
    wall.evaluate("""async (strip) => {
      const { addViewer } = await import("/js/viewer/viewer.js");
      await addViewer(strip);
      await addViewer(strip);
    }""")
    wall.tap(4)
    wall.must_show(4)
    wall.evaluate("(strip) => Object.assign(strip, { layout: 'strip' })")  # a breakpoint can do so when a reader turns a phone
    wall.must_show(4)
    assert wall.evaluate("() => document.querySelectorAll('dialog[open]').length") == 1
    wall.evaluate("() => history.back()")
    wall.must_be_closed()
    wall.evaluate("(strip) => { strip.remove(); history.forward(); return new Promise((go) => addEventListener('popstate', () => setTimeout(go, 500), { once: true })); }")
    assert wall.evaluate("() => document.querySelectorAll('dialog[open]').length") == 0


@pytest.mark.logic
def test_the_address_of_a_picture_shows_it(wall):
    wall.open("&picture=a/200.jpg")
    wall.must_show(200)
    wall.engine.press("ArrowLeft")
    wall.must_show(199)
    wall.engine.reload()
    wall.must_show(199)
    wall.engine.press("Escape")
    wall.must_be_closed()
    wall.wait_until("(strip) => strip.items.some(({ id, start, size }) => id === 'a/199.jpg' && start + size > strip.offset && start < strip.offset + strip.viewportSize)")


def test_a_drag_turns_the_page_and_forward_opens_the_viewer_again(wall):
    wall.open().settle()
    wall.tap(4)
    wall.must_show(4)
    wall.engine.drag([(700, 400), (500, 400), (150, 400)])
    wall.must_show(5)
    wall.evaluate("() => history.back()")
    wall.must_be_closed()
    wall.evaluate("() => history.forward()")
    wall.must_show(5)


def test_each_press_of_a_key_counts(wall):
    wall.open("&picture=a/3.jpg")
    wall.must_show(3)
    for key, last in [("ArrowRight", 9), ("PageUp", 3)]:
        for _ in range(6):
            wall.engine.press(key)
            wall.evaluate("async () => { for (let k = 0; k < 2; k += 1) await new Promise(requestAnimationFrame); }")
        wall.must_show(last)


ZOOM = """(dialog) => {
  const picture = dialog.querySelector(`li[data-index="${dialog.querySelector("carousel-strip").current.index}"] .picture`);
  return [new DOMMatrix(getComputedStyle(picture).transform).a, dialog.querySelector(".stage").hasAttribute("data-zoomed")];
}"""
CLICKS = """(dialog, [clientX, clientY]) => {
  for (let k = 0; k < 2; k += 1) dialog.querySelector(".stage .picture").dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
}"""
WHEEL = "(dialog, deltaY) => dialog.querySelector('.stage').dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ctrlKey: true, deltaY, clientX: 400, clientY: 400 }))"


# Zooms in. The large picture arrives each time that a card shows another item.
LATE = """(dialog) => {
  const { Image } = window;
  window.Image = function () { return (window.large = {}); };
  dialog.querySelector(".stage").dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, ctrlKey: true, deltaY: -100, clientX: 400, clientY: 400 }));
  window.Image = Image;
  dialog.addEventListener("willdisplay", () => window.large.onload());
}"""


def test_two_clicks_and_the_wheel_zoom_and_another_picture_is_whole(wall):
    wall.open("&picture=a/10.jpg")
    wall.must_show(10)
    wall.in_dialog(CLICKS, [300, 300])
    assert wall.in_dialog(ZOOM) == [2.5, True]
    wall.engine.drag([(400, 400), (380, 390), (300, 300)])  # moves the picture, not the strip
    assert wall.in_dialog(ZOOM) == [2.5, True]
    wall.must_show(10)
    wall.in_dialog(CLICKS, [300, 300])
    assert wall.in_dialog(ZOOM) == [1, False]
    assert wall.in_dialog(WHEEL, -100) is False  # the page does not zoom
    scale, isZoomed = wall.in_dialog(ZOOM)
    assert isZoomed and 2.7 < scale < 2.72
    wall.engine.press("ArrowRight")
    wall.must_show(11)
    assert wall.in_dialog(ZOOM) == [1, False]
    wall.in_dialog(LATE)
    wall.engine.press("End")
    wall.must_show(299)
    assert wall.in_dialog("(dialog) => [...dialog.querySelectorAll('li[data-id]')].filter((card) => card.querySelector('img')?.src === window.large.src).map(({ dataset }) => dataset.id)") == []


@pytest.mark.parametrize("engine", [Chromium], indirect=True)
def test_two_fingers_zoom(wall, engine):
    wall.open("&picture=a/10.jpg")
    wall.must_show(10)
    pairs = [[(400, 400), (500, 400)], [(350, 400), (550, 400)], [(300, 400), (600, 400)]]
    for k, points in enumerate(pairs):
        engine.send_touch("touchMove" if k else "touchStart", [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)])
    engine.send_touch("touchEnd", [])
    wall.wait_until("() => document.querySelector('.stage').hasAttribute('data-zoomed')")
    scale, _ = wall.in_dialog(ZOOM)
    assert abs(scale - 3) < 0.05
    wall.must_show(10)


@pytest.mark.logic
def test_the_dialog_has_a_name_and_tells_what_it_shows(wall):
    wall.open().settle()
    wall.tap(0)
    wall.must_show(0)
    assert wall.in_dialog("(dialog) => [dialog.ariaLabel, dialog.matches(':modal'), document.activeElement.ariaLabel]") == ["Pictures", True, "Close"]
    assert wall.in_dialog("(dialog) => dialog.querySelector('.place').textContent") == "1 of 300"
    wall.engine.press("ArrowRight")
    wall.must_show(1)
    wall.wait_until("() => document.querySelector('dialog [role=status]').textContent === 'Picture 1, 2 of 300'")
    wall.wait_until("() => document.querySelector('dialog .fields')?.textContent.includes('March 27, 2024')")
    terms = wall.in_dialog("(dialog) => Object.fromEntries([...dialog.querySelectorAll('dt')].map((term) => [term.textContent, term.nextSibling.textContent]))")
    assert terms["album"] == "<b>Sea" and terms["type"] == "JPEG" and not {"thumbhash", "color", "image"} & terms.keys()
    # It is dark on a light page.
    assert wall.evaluate("() => matchMedia('(prefers-color-scheme: light)').matches")
    colors = wall.in_dialog("(dialog) => { const { backgroundColor, color } = getComputedStyle(dialog); return [backgroundColor, color]; }")
    assert colors == ["rgb(18, 17, 16)", "rgb(236, 232, 225)"]
    wall.engine.press("Escape")
    wall.must_be_closed()
    wall.evaluate("(strip) => (strip.lang = 'de')")  # in a page in English
    wall.tap(0)
    wall.wait_until("() => [...document.querySelectorAll('dialog .place')].map((one) => one.textContent).join() === '1 von 300,1 von 300'")
    # It closes when its strip is removed.
    wall.evaluate("(strip) => strip.remove()")
    wall.evaluate("async () => { while (document.querySelector('dialog[open]')) await new Promise(requestAnimationFrame); }")
    assert wall.evaluate("() => new URLSearchParams(location.search).has('picture')") is False


BLURRED = """() => {
  const cards = [...document.querySelector("#slow").shadowRoot.querySelectorAll("li[data-index]")];
  const isBlurred = (card) => !!card.querySelector(".picture > canvas + img");
  return cards.length === 6 && cards.every((card) => isBlurred(card) === (card.dataset.index % 2 === 1));
}"""
PIXEL = """() => {
  const canvas = document.querySelector("#slow").shadowRoot.querySelector("canvas");
  return [canvas.width, canvas.height, ...canvas.getContext("2d").getImageData(0, 0, 1, 1).data];
}"""


def test_a_picture_that_has_not_arrived_is_blurred_also_in_a_shadow_root(wall):
    wall.open().settle()
    wall.evaluate("""async (wall) => {
      await import("/js/cards/thumbhash.js");
      const [host, strip] = ["div", "carousel-strip"].map((name) => document.createElement(name));
      strip.append(wall.querySelector("template").cloneNode(true));
      host.attachShadow({ mode: "open" }).append(Object.assign(strip, { strip: "slow" }));
      document.querySelector("main").prepend(Object.assign(host, { id: "slow" }));
    }""")
    wall.wait_until(BLURRED)
    assert wall.evaluate(PIXEL) == [23, 32, 64, 78, 113, 255]


SAYS = """(strip) => ({
  heading: [...strip.shadowRoot.querySelectorAll("[part=heading]")].map(({ textContent }) => textContent)[0],
  ticks: [...strip.shadowRoot.querySelectorAll("[part=titles] > span > span:not([hidden])")].map(({ textContent }) => textContent),
})"""


MONTH = "() => document.querySelector('carousel-facets[field=group]').shadowRoot?.querySelector('[part=value]')?.textContent"


@pytest.mark.logic
def test_a_few_pictures_of_another_time_have_a_year_beside_that_of_the_many(wall):
    wall.engine.goto(f"{wall.address}/?strip=future")
    wall.settle()
    wall.wait_until(f"(strip) => ({SAYS})(strip).ticks.slice(0, 2).join() === '2099,2024'")
    tops = wall.evaluate("(strip) => [...strip.shadowRoot.querySelectorAll('[part=titles] > span > span:not([hidden])')].map((title) => title.getBoundingClientRect().top)")
    assert 20 <= tops[1] - tops[0] <= 40, tops


DAYS = "() => [...(document.querySelector('carousel-facets[field=taken]').shadowRoot?.querySelectorAll('[part=limit]') ?? [])]"
ENTER_DAY = f"""(_, [k, day]) => {{
  const input = ({DAYS})()[k];
  input.value = day;
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, {{ bubbles: true }}));
}}"""


@pytest.mark.logic
def test_months_are_in_the_language_of_the_reader_and_a_facet_of_dates_has_a_range_of_days(wall):
    for lang, month, value in [("de", "März 2024", "Januar 2023"), ("en", "March 2024", "January 2023")]:
        wall.open(f"&lang={lang}").settle()
        wall.wait_until(f"(strip, month) => {{ const {{ heading, ticks }} = ({SAYS})(strip); return heading === month && ticks[0] === '2024' && ticks[1] === '2023'; }}", month)
        wall.wait_until(f"(_, value) => ({MONTH})() === value", value)
    fields = wall.evaluate("() => [...document.querySelectorAll('carousel-facets')].map((one) => one.getAttribute('field'))")
    assert "album" in fields and fields[-1] == "taken"  # a visitor looks for an album before a date
    wall.wait_until(f"() => ({DAYS})()[0]?.type === 'date' && !({DAYS})()[0].closest('[part=range]').hidden")
    wall.evaluate(ENTER_DAY, [0, "2024-01-20"])
    wall.evaluate(ENTER_DAY, [1, "2024-02-10"])
    wall.wait_until("(strip) => strip.meta.view?.where === 'taken 2024-01-20 TO 2024-02-10'")
    wall.settle()
    days = wall.evaluate("(strip) => strip.items.map(({ fields }) => fields.taken.slice(0, 10)).sort()")
    assert days[0] == "2024-01-20" and days[-1] == "2024-02-10"
    wall.evaluate(ENTER_DAY, [0, "2024-02-12"])  # beyond the other limit
    wall.wait_until("(strip) => strip.meta.view?.where === 'taken >= 2024-02-12'")


@pytest.mark.logic
def test_albums_are_shelves_of_the_same_strip(wall):
    wall.open().settle()
    wall.evaluate("""(strip) => {
      const { fetchJSON } = strip;
      let failures = 1; // an answer is repeated
      strip.fetchJSON = (...rest) => (failures-- > 0 ? Promise.reject({ status: 503 }) : fetchJSON(...rest));
      document.querySelector(".albums summary").click();
    }""")
    wall.wait_until("() => document.querySelectorAll('.albums carousel-strip').length === 3")
    shelves = wall.evaluate("() => [...document.querySelectorAll('.albums carousel-strip')].map(({ strip, where }) => [strip, where])")
    assert shelves == [["photos", 'album = "<b>Sea"'], ["photos", 'album = "Garden"'], ["photos", 'album = "Wedding"']]
    wall.wait_until("() => document.querySelector('.albums carousel-strip').items?.slice(0, 3).map(({ id }) => id).join() === 'a/1.jpg,a/4.jpg,a/7.jpg'")
    links = wall.evaluate("() => [...document.querySelectorAll('.albums h2 a')].map(({ textContent, href }) => [textContent, href])")
    assert links[0][0] == "<b>Sea"
    assert wall.evaluate("() => [...document.querySelectorAll('.albums .count')].map((one) => one.textContent)") == 3 * ["100 pictures"]
    wall.engine.goto(links[0][1] + "&picture=a/4.jpg")
    wall.must_show(4)
    assert wall.in_dialog("(dialog) => dialog.querySelector('.place').textContent") == "2 of 100"


@pytest.mark.logic
def test_a_small_picture_is_shown_at_most_twice_as_large_as_it_is(wall):
    wall.open("&picture=a/7.jpg")
    size = """(dialog, id) => {
      const { width, height } = dialog.querySelector(`li[data-id="${id}"] img`).getBoundingClientRect();
      return [width, height];
    }"""
    wall.must_show(7)
    assert wall.in_dialog(size, "a/7.jpg") == [240, 360]
    wall.engine.press("ArrowRight")
    wall.must_show(8)
    assert wall.in_dialog(size, "a/8.jpg")[0] > 500


@pytest.mark.logic
def test_the_page_says_that_there_is_no_such_picture(wall):
    wall.open("&picture=nope")
    wall.wait_until("() => document.querySelector('[role=status].carousel-viewer-note')?.textContent === 'There is no such picture.'")
    wall.must_be_closed()
    wall.evaluate("() => window.complaints?.splice(0)")  # the event of the strip, which WebKit's driver takes for an error
