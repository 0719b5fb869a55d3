"""Many live pages of one origin share an event stream. A browser opens six connections to a server over HTTP/1.1."""

import pytest

from strip import poll
from test_live import ITEMS, catalogue, insert, served  # noqa: F401, fixtures

# With `?frame`, a strip. Otherwise eight frames of this page.
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Live</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="%(address)s/css/strip.css">
<script type="module" src="%(address)s/js/embed.js"></script>
<body><script>
  const strip = '<carousel-strip strip="s" live aria-label="Live"></carousel-strip>';
  document.write(location.search ? strip : '<iframe src="/?frame" style="height: 240px"></iframe>'.repeat(8));
</script></body></html>"""

STREAMS = """
window.streams = window.top === window ? [] : window.top.streams;
window.EventSource = class extends EventSource {
  constructor(address) { super(address); window.streams.push(this); }
};"""

OPEN = "() => window.streams.filter(({ readyState }) => readyState === 1).length"


def frames_of(page):
    return [frame for frame in page.frames if "?frame" in frame.url]


def await_revision(frames, revision):
    for frame in frames:
        frame.wait_for_function("(revision) => document.querySelector('carousel-strip').meta?.revision >= revision", arg=revision)


@pytest.fixture
def show(open_page, elsewhere, catalogue):
    """Opens a page of eight live strips, and waits until a stream is open."""

    def show(page=None):
        page = page or open_page("about:blank", complains=True, base_url=catalogue.address)
        page.add_init_script(STREAMS)
        page.goto(elsewhere(PAGE % {"address": catalogue.address}))
        page.wait_for_function("() => [...document.querySelectorAll('iframe')].every((one) => one.contentDocument.querySelector('carousel-strip')?.items?.[0]?.fields)")
        page.wait_for_function(OPEN)
        return page

    return show


def test_eight_live_frames_have_one_stream_and_a_window_is_answered(show, catalogue):
    page = show()
    await_revision(frames_of(page), catalogue.edit(insert("new", before="i0")))
    assert page.evaluate(OPEN) == 1
    answer = "(address) => Promise.race([fetch(`${address}/window?strip=s&offset=9000`).then(({ status }) => status), new Promise((go) => setTimeout(go, 20000))])"
    assert page.evaluate(answer, catalogue.address) == 200


def test_another_frame_takes_over_when_that_with_the_stream_is_removed(show, catalogue):
    page = show()
    for left in (7, 6):
        page.evaluate("() => [...document.querySelectorAll('iframe')].find((one) => streams.at(-1) instanceof one.contentWindow.EventSource).remove()")
        poll(lambda: page.evaluate("() => streams.at(-1).readyState") == 1, lambda: "no other stream")
        assert len(frames_of(page)) == left
        await_revision(frames_of(page), catalogue.edit(insert(f"new{left}", before="i0")))


def test_a_page_that_comes_later_hears_of_edits_from_the_page_with_the_stream(show, catalogue):
    first = show()
    second = first.context.new_page()
    second.add_init_script(STREAMS)
    second.goto(first.url + "?frame")
    second.wait_for_function("() => document.querySelector('carousel-strip').items?.[0]?.fields")
    await_revision([second], catalogue.edit(insert("new", before="i0")))
    assert second.evaluate("() => streams.length") == 0
    first.close()
    second.wait_for_function(OPEN)
    await_revision([second], catalogue.edit(insert("later", before="i0")))


def test_without_locks_each_page_has_a_stream_and_tells_the_others_nothing(open_page, elsewhere, catalogue):
    page = open_page("about:blank", complains=True, base_url=catalogue.address)
    silent = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }); window.BroadcastChannel = class extends BroadcastChannel { postMessage(message) { window.top.spoken = true; super.postMessage(message); } };"
    page.add_init_script(STREAMS + silent)
    page.goto(elsewhere((PAGE % {"address": catalogue.address}).replace("repeat(8)", "repeat(2)")))
    page.wait_for_function(f"() => ({OPEN})() === 2")
    await_revision(frames_of(page), catalogue.edit(insert("new", before="i0")))
    assert page.evaluate("() => [window.spoken, streams.length]") == [None, 2]


def test_a_strip_that_moves_in_the_page_does_not_open_another_stream(open_page, elsewhere, catalogue):
    catalogue.write(ITEMS[:50], strip="other")
    page = open_page("about:blank", complains=True, base_url=catalogue.address)
    page.add_init_script(STREAMS)
    page.goto(elsewhere((PAGE % {"address": catalogue.address}).replace("<body>", '<body><carousel-strip strip="other" live></carousel-strip>')) + "?frame")
    page.wait_for_function(f"() => ({OPEN})() === 1 && [...document.querySelectorAll('carousel-strip')].every(({{ items }}) => items?.[0]?.fields)")
    first, last = page.evaluate("""(address) => new Promise((go) => {
      const all = [];
      const channel = new BroadcastChannel(`carousel-strip ${address}/`);
      channel.onmessage = ({ data: { names } }) => {
        if (!all.length) document.body.append(document.querySelector("carousel-strip"));
        if (names && names[0] !== all[0]?.[0]) all.push(names);
        if (all.length === 2) go(all);
      };
      document.querySelector("carousel-strip").reload(); // after it, the page says again which strips it follows
    })""", catalogue.address)
    assert first == last[::-1] != last
    assert page.evaluate("() => streams.length") == 1
