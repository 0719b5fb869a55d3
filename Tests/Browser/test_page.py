"""The whole page: its layout, its policy, and an element that cleans up."""

import pytest
from playwright.sync_api import expect

from strip import switches


def test_the_controls_of_engineers_are_on_the_page_that_a_link_leads_to(open_strip):
    page = open_strip("albums").page
    expect(page.get_by_label("Go to item")).to_be_hidden()
    expect(page.locator("#xray-switch")).to_be_hidden()
    page.locator(".try summary").click()
    page.get_by_role("link", name="X-ray").click()
    expect(page.get_by_label("Go to item")).to_be_visible()
    expect(page.locator("#xray-switch")).to_be_visible()


@pytest.mark.parametrize(("name", "picture"), [("albums", ":has(> img)"), ("moons", ":has(> .picture > svg)"), ("billion", ""), ("elements", "")])
def test_nothing_overflows_the_page_from_320_to_2560_px(open_strip, name, picture):
    strip = open_strip(name, "&xray", viewport={"width": 1280, "height": 600})
    strip.card(strip.visible()[1]["index"]).click()
    expect(strip.page.locator(f"#details{picture} h2")).to_be_in_viewport()
    strip.page.get_by_role("checkbox", name="X-ray").check()
    for width in [320, 480, 768, 1280, 1920, 2560]:
        strip.page.set_viewport_size({"width": width, "height": 800})
        strip.settle()
        assert strip.page.evaluate("() => document.documentElement.scrollWidth") <= width
        strip.must_be_right()


def test_with_all_behaviours_on_nothing_overflows_a_small_page(open_strip):
    strip = open_strip("elements", viewport={"width": 320, "height": 800})
    for box in switches(strip.page).get_by_role("checkbox").all():
        box.check()
    expect(strip.page.locator("carousel-strip [part=controls] [part=dots]")).to_be_visible()
    expect(strip.page.get_by_role("button", name="Pause")).to_be_visible()
    assert strip.page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_each_step_button_has_one_arrow(open_page):
    page = open_page("/?strip=albums")
    expect(page.locator("[part=step]").last).to_be_visible()  # its style sheet is loaded
    arrows = page.locator("[part=step] span").evaluate_all(
        "(spans) => spans.map((span) => span.textContent + getComputedStyle(span, '::before').content)"
    )
    assert arrows == ['"←"', '"→"']


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(open_strip, scheme):
    strip = open_strip("albums", color_scheme=scheme)
    for selector in ["carousel-strip .title", "carousel-strip .subtitle", ".filters [type=search]", "carousel-facets [part=limit]"]:
        contrast = strip.page.locator(selector).first.evaluate("""(element) => {
          const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
          const light = (colors) => {
            for (const color of colors) {
              canvas.fillStyle = color;
              canvas.fillRect(0, 0, 1, 1);
            }
            const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255);
            const [r, g, b] = parts.map((p) => (p <= 0.04045 ? p / 12.92 : ((p + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const { color } = getComputedStyle(element, element.placeholder ? "::placeholder" : null);
          const grounds = [document.body, element].map((one) => getComputedStyle(one).backgroundColor);
          const pair = [[...grounds, color], grounds];
          const [low, high] = pair.map(light).sort((a, b) => a - b);
          return (high + 0.05) / (low + 0.05);
        }""")
        assert contrast >= 4.5, selector


def test_loading_shifts_nothing(open_strip):
    strip = open_strip("elements", "&offset=1234")
    shift = strip.page.evaluate("""() => new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; })
        .observe({ type: "layout-shift", buffered: true });
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
    })""")
    assert shift == 0
    assert abs(strip.offset - 1234) <= 1
    strip.must_be_right()


def test_the_policy_allows_nothing_inline_but_the_servers_style(open_page):
    page = open_page("/?strip=albums")
    policy = page.request.get("/?strip=albums").headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src" in policy
    # In one call, since the strip may remove cards of the server between two calls.
    outside = "[style]:not(carousel-strip, carousel-strip *, [part=titles] *)"
    assert page.evaluate("(outside) => document.querySelectorAll(outside).length", outside) == 0
    assert page.locator("script:not([src])").count() == 0


def test_a_removed_strip_sends_no_requests_and_continues_when_inserted_again(open_strip):
    strip = open_strip("albums")
    strip.scroll_to(offset=1000)
    # Counts from the removal on. Before it, the strip prefetches.
    asked = strip.evaluate("""async (strip) => {
      const asked = [], { fetch } = window;
      window.fetch = (...request) => { asked.push(String(request[0])); return fetch(...request); };
      window.strip = strip;
      strip.remove();
      strip.dispatchEvent(new Event("scroll"));
      window.dispatchEvent(new Event("resize"));
      for (let k = 0; k < 5; k += 1) await new Promise(requestAnimationFrame);
      window.fetch = fetch;
      return asked;
    }""")
    assert asked == []
    strip.page.evaluate("() => document.querySelector('.heading-line').after(window.strip)")
    strip.settle()
    strip.scroll_to(offset=3000)
    strip.must_be_right()


def test_an_element_created_by_code_draws_itself(open_page):
    page = open_page("/?strip=albums")
    page.evaluate("""() => {
      const former = document.querySelector("carousel-strip");
      const made = document.createElement("carousel-strip");
      made.append(former.querySelector("template[data-kind=card]").cloneNode(true));
      former.replaceWith(made);
      made.strip = "billion";
    }""")
    expect(page.locator("carousel-strip li[data-index='0']")).to_be_visible()
    page.evaluate("() => document.querySelector('carousel-strip').scrollTo({ index: 1000 })")
    expect(page.locator("carousel-strip li[data-index='1000']")).to_be_visible()


def test_an_unknown_strip_is_reported_as_an_error(open_page):
    page = open_page("/?strip=albums", complains=True)
    page.evaluate("""() => {
      document.addEventListener("error", ({ detail }) => (window.told = detail.status));
      document.querySelector("carousel-strip").strip = "no-such-strip";
    }""")
    page.wait_for_function("() => window.told === 404")
