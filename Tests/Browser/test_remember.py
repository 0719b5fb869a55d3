"""The attribute `remember`: a strip starts where the last one of its address was."""

import pytest

from strip import Strip, serve

PAGE = """<!doctype html><html lang="en"><title>Remember</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/css/strip.css">
<script type="module" src="/js/embed.js"></script><body><carousel-strip %s aria-label="Items"></carousel-strip>"""

STATE = """(strip) => [strip.items.filter(({ start, size }) => start + size > strip.offset)[0].index, Math.round(strip.offset), strip.selected?.id ?? null]"""


@pytest.fixture
def opened(open_page):
    """Opens a page of one strip with these attributes: in the tab of the first call, or in another one."""
    tabs = []

    def opened(attributes, query="", in_other_tab=False):
        if not tabs:
            tabs.append(open_page("about:blank"))
        if in_other_tab:
            tabs.append(tabs[0].context.new_page())
        page = tabs[-1]
        serve(page, "/kept", PAGE % attributes)
        page.goto("/kept" + query)
        strip = Strip(page, "albums")
        page.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
        strip.settle()
        return strip

    return opened


def leave(strip):
    """Selects the item 20, scrolls on, and waits until the strip rests."""
    strip.rest(lambda: strip.evaluate("(strip) => { strip.select(20) }"))
    strip.scroll_to(index=30, at=25)
    strip.page.wait_for_function("(offset) => (sessionStorage['carousel-strip'] ?? localStorage['carousel-strip'] ?? '').includes(offset)", arg=str(strip.offset))
    return strip.evaluate(STATE)


@pytest.mark.parametrize("kind", ["session", "always"])
def test_a_strip_starts_where_it_was_with_its_selection(opened, kind):
    attributes = f'strip="albums" remember="{kind}"'
    state = leave(opened(attributes))
    assert state[2] == "a20"
    strip = opened(attributes)
    assert strip.evaluate(STATE) == state
    strip.must_be_right()
    strip.scroll_to(index=20)
    assert strip.card(20).get_attribute("data-selected") is not None
    other = opened(attributes, in_other_tab=True)
    assert (other.offset > 0) == (kind == "always")


def test_another_strip_and_another_view_have_their_own_positions(opened):
    state = leave(opened('strip="albums" remember="session"'))
    for other in ('strip="elements"', 'strip="albums" sort="-year"'):
        assert opened(f'{other} remember="session"').offset == 0
    assert opened('strip="albums" remember="session"').evaluate(STATE) == state
    assert opened('strip="albums"').offset == 0


def test_a_position_in_the_pages_address_comes_first(opened):
    leave(opened('strip="albums" remember="session"'))
    strip = opened('strip="albums" remember="session" history', "?item=a5&at=0")
    assert strip.visible()[0]["index"] == 5
    strip = opened('strip="albums" remember="session" history')
    assert strip.visible()[0]["index"] == 5  # the last position
    assert strip.evaluate(STATE)[2] is None


def test_the_storage_is_bounded(opened):
    strip = opened('strip="albums" remember="session"')
    strip.page.evaluate("""() => { sessionStorage["carousel-strip"] = JSON.stringify(Array.from({ length: 90 }, (_, k) => ({ address: `${k}` }))) }""")
    strip.rest(lambda: strip.evaluate("(strip) => { strip.scrollTo({ offset: 700 }) }"))
    kept = strip.page.evaluate("() => JSON.parse(sessionStorage['carousel-strip']).map(({ address }) => address.split('\\n')[1] ?? address)")
    assert (len(kept), kept[0], kept[-1]) == (50, "41", "albums")


def test_a_strip_with_a_selection_can_lose_its_strip(opened):
    strip = opened('strip="albums" remember="session"')
    leave(strip)
    strip.evaluate("(strip) => strip.removeAttribute('strip')")  # a page has no errors: see `open_page`
    assert strip.evaluate("(strip) => strip.selected") is None
