"""Pages that a browser translates: it puts two elements in the place of each text."""

import pytest

from strip import IDLE, Strip

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Translated</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%(address)s/css/strip.css">
<script type="module" src="%(address)s/js/embed.js"></script>
<script type="module" src="%(address)s/js/filters/facets.js"></script>
<script>
  window.translate = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
    for (const text of texts) {
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      inner.textContent = `«${text.data}»`;
      outer.append(inner);
      text.replaceWith(outer);
    }
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) translate(shadowRoot);
  };
</script>
<body>%(body)s</body></html>"""

FRAMES = "async () => { for (let k = 0; k < 3; k += 1) await new Promise(requestAnimationFrame); }"


@pytest.fixture
def show(open_page, elsewhere, address):
    """Opens a page of another origin with `body`."""

    def show(name, body, **options):
        page = open_page(elsewhere(PAGE % {"address": address, "body": body}), **options)
        strip = Strip(page, name)
        page.wait_for_function("() => customElements.get('carousel-strip')")
        strip.settle()
        return strip

    return show


def test_the_group_of_a_translated_page_follows_and_a_translation_stays(show):
    strip = show("albums", '<carousel-strip strip="albums" controls="next scrubber" aria-label="Albums"><p class="group"></p><ul></ul></carousel-strip>')
    strip.await_titles()
    group = strip.page.locator("p.group")
    former = group.text_content()
    assert former
    strip.page.evaluate("() => translate(document)")
    strip.by(30)
    assert group.text_content() == f"«{former}»"
    title = strip.evaluate("async (strip) => (await (await fetch(new URL(`/window?strip=albums&offset=4000`, document.querySelector('script[src]').src))).json()).group.title")
    strip.scroll_to(offset=4000)
    assert group.text_content() == title != former
    strip.page.evaluate("() => translate(document)")
    strip.scroll_to(offset=0)
    assert group.text_content() == former
    assert strip.evaluate("(strip) => strip.shadowRoot.querySelector('[part=bubble]').textContent") == former


def test_the_status_of_a_translated_page_follows(show):
    strip = show("albums", '<carousel-strip strip="albums" controls="next" step="item" snap="start" aria-label="Albums"></carousel-strip>')
    status = strip.element.locator("[part=status]")
    strip.rest(lambda: strip.page.get_by_role("button", name="Next").click())
    former = status.text_content()
    strip.page.evaluate("() => translate(document)")
    strip.rest(lambda: strip.page.get_by_role("button", name="Next").click())
    assert status.text_content() not in ("", former, f"«{former}»")


def test_the_counts_of_facets_in_a_translated_page_follow(show):
    strip = show("elements", '<carousel-facets for="s" field="category"></carousel-facets><carousel-strip id="s" strip="elements" aria-label="Elements"></carousel-strip>')
    chip = strip.page.locator("carousel-facets [part~=chip]").first
    chip.wait_for()
    former = chip.text_content()
    strip.page.evaluate("() => translate(document)")
    assert chip.text_content() == " ".join(f"«{text}»" for text in former.rsplit(" ", 1))
    strip.after("reload", lambda: strip.evaluate("(strip) => { strip.where = 'number < 30'; }"))
    strip.page.wait_for_function("() => !document.querySelector('carousel-facets').shadowRoot.querySelector('[part=count]').textContent.includes('«')")


def test_the_headings_of_a_translated_wall_follow_and_a_translation_stays(show):
    strip = show("landscapes", '<carousel-strip strip="landscapes" layout="rows" row="180" heading="52" style="height: 500px" aria-label="Wall"></carousel-strip>')
    texts = "(strip) => [...strip.shadowRoot.querySelectorAll('[part=heading]')].filter((one) => one.checkVisibility()).map((one) => one.textContent)"
    strip.page.wait_for_function(f"() => ({texts})(document.querySelector('carousel-strip')).length")
    # At first the headings are those of the items, then those of the groups.
    strip.page.wait_for_function("() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/groups?'))")
    strip.page.evaluate(IDLE)
    former = strip.evaluate(texts)
    strip.page.evaluate("() => translate(document)")
    strip.evaluate("(strip) => strip.requestDraw()")
    strip.evaluate(FRAMES)
    assert strip.evaluate(texts) == [f"«{text}»" for text in former]
    strip.scroll_to(offset=400000)
    later = strip.evaluate(texts)
    assert later and not any("«" in text for text in later)


def test_the_cards_of_a_translated_page_show_their_items(show):
    strip = show("billion", '<carousel-strip strip="billion" aria-label="Billion"></carousel-strip>')
    strip.page.evaluate("() => translate(document)")
    strip.scroll_to(offset=50000)
    strip.must_be_right()
