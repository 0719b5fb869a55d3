"""`GET /`: the page with its first window, without JavaScript."""

import re
from urllib.parse import urljoin

import pytest

import samples
from command import ROOT, imported
from markup import Element, cards, facts, read
from model.strips import Item, Strip
from model.windows import Window
from server import query

# The page follows from its first window, which is the same in every store.
pytestmark = pytest.mark.one_store

PUBLIC = ROOT / "Public"


def page(server, target: str = "/", **asked: str) -> Element:
    """The parsed page."""
    reply = server.get(target + query(asked))
    assert (reply.status, reply.type) == (200, "text/html"), f"{reply}"
    return read(reply.text)


def shown(tree: Element) -> list[tuple[int, str]]:
    """The index and id of each card, in document order."""
    return [facts(card)[:2] for card in cards(tree)]


def expected(strip: Strip, **asked: str) -> list[tuple[int, str]]:
    """The items that are in the viewport by the model."""
    window = Window(strip, {"width": "2560", **asked})
    return [(i, strip.items[i % len(strip.items)].id) for i in window.items()]


def link(tree: Element, word: str) -> str | None:
    """The target of the link "next" or "previous", or None."""
    for element in tree.shown():
        attributes = element.attributes
        if element.tag != "a" or not attributes.get("href"):
            continue
        if attributes.get("aria-disabled") == "true":
            continue
        names = [attributes.get(name) or "" for name in ("rel", "aria-label", "class", "id", "title")]
        if re.search(rf"\b{word}", " ".join([*names, element.whole_text()]), re.IGNORECASE):
            return urljoin("/", attributes["href"])
    return None


def holds(tree: Element, wanted: list[tuple[int, str]]) -> None:
    """Asserts that the page shows these items in order; it may show more items around them."""
    got = shown(tree)
    assert [item for item in got if item in wanted] == wanted
    indices = [index for index, _ in got]
    assert indices == sorted(set(indices))


@pytest.mark.parametrize(
    "asked",
    [
        {"offset": "0"},
        {"strip": "tens"},
        {"strip": "many", "offset": "1000.5", "width": "100"},
        {"strip": "many", "index": "2500", "width": "50"},
        {"strip": "many", "item": "m4999", "width": "50"},
        {"strip": "mixed", "item": "h2", "width": "320"},
        {"strip": "ring", "width": "300", "offset": "-500"},
        {"strip": "spelled", "width": "60"},
        {"strip": "many", "offset": "9999999", "width": "100"},
    ],
    ids=query,
)
def test_the_html_has_the_first_window(server, asked):
    strip = next(s for s in samples.STRIPS if s.name == asked.get("strip", "mixed"))
    inside = {name: value for name, value in asked.items() if name != "strip"}
    holds(page(server, **asked), expected(strip, **inside))


def test_the_default_width_is_2560_px(server):
    got = [index for index, _ in shown(page(server, strip="many"))]
    assert len(got) >= 2560
    assert len(shown(page(server, strip="many", width="100"))) < 2560


@pytest.mark.parametrize("strip", ["empty", "unseen"])
def test_a_strip_without_visible_items_has_a_page(server, strip):
    assert shown(page(server, strip=strip)) == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/?strip=none", 404), ("/no/such/file", 404), ("/none.html", 404), ("/?strip=No%21", 400), ("/?where=%28", 400), ("/?offset=x", 400)],
)
def test_a_page_that_cannot_be_shown_is_html_for_a_visitor_and_a_problem_for_a_script(server, path, status):
    page = server.get(path, {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (page.status, page.type) == (status, "text/html")
    assert '<a href="/">' in page.text
    for accept in ("*/*", "application/json", "text/html;q=0"):
        server.get(path, {"Accept": accept}).rejected(status)


@pytest.mark.parametrize("wrong", ["layout=wall", "columns=0", "where=%28", "offset=x"])
def test_a_page_with_a_wrong_parameter_says_so_and_links_the_strip(server, wrong):
    name = wrong.split("=")[0]
    page = server.get(f"/?strip=many&{wrong}", {"Accept": "text/html"}).text
    assert "<h1>This page cannot be shown</h1>" in page and f">{name}" in page
    assert '<a href="/?strip=many">' in page
    assert '<header class="masthead">' in page and 'href="/favicon.svg"' in page
    assert "strip=No" not in server.get("/?strip=No%21", {"Accept": "text/html"}).text


def test_a_missing_item_falls_back_to_the_offset_or_the_start(server):
    gone = page(server, strip="many", item="gone", offset="3000", width="50")
    holds(gone, expected(samples.MANY, offset="3000", width="50"))
    assert not {index for index, _ in shown(gone)} & set(range(100))
    holds(page(server, strip="many", item="gone", width="50"), expected(samples.MANY, offset="0", width="50"))


def test_the_cards_are_in_a_carousel_strip_and_have_titles(server):
    tree = page(server, strip="mixed")
    strips = [element for element in tree.shown() if element.tag == "carousel-strip"]
    assert [element.attributes.get("strip") for element in strips] == ["mixed"]
    for card, item in zip(cards(strips[0]), [i for i in samples.MIXED.items if i.id not in ("x1", "x2", "z1")]):
        title = re.search(r'"title":"([^"]*)"', item.fields)
        assert title is None or title[1] in card.whole_text()
        slot = facts(card)[2]
        assert re.fullmatch(rf"{item.kind}-\d+", slot)


def test_text_is_escaped_in_the_page(server):
    tree = page(server, strip="hostile")
    card = cards(tree)[0]
    assert "<script>alert(1)</script>" in card.whole_text()
    scripts = [e.text for e in tree.all() if e.tag == "script"]
    assert not [text for text in scripts if text.strip() == "alert(1)"]


def test_following_next_shows_every_item_and_ends(database, serving):
    sizes = [30, 250, 90, 500, 10, 10, 120, 60, 400, 70, 33]
    strip = Strip("walk", tuple(Item(f"i{n}", width=str(w)) for n, w in enumerate(sizes)), gap="7")
    server = serving("--database", imported(database, strip))
    seen: set[int] = set()
    there: str | None = "/?width=200"
    steps = 0
    while there is not None and steps < 40:
        tree = page(server, there)
        seen |= {index for index, _ in shown(tree)}
        there = link(tree, "next")
        steps += 1
    assert seen == set(range(len(sizes)))
    assert there is None
    there = f"/?width=200&offset={sum(sizes)}"
    for steps in range(40):
        there = link(page(server, there), "prev")
        if there is None:
            break
    assert 0 < steps < 39


def test_the_styles_and_scripts_of_the_page_exist(server):
    tree = page(server)
    for element in tree.shown():
        for name in ("src", "href"):
            address = element.attributes.get(name) or ""
            if element.tag in ("script", "link") and address.startswith(("/", "./")):
                assert server.get(urljoin("/", address)).status == 200, address


@pytest.mark.parametrize("path", sorted(f"/{page.relative_to(PUBLIC)}" for page in PUBLIC.rglob("*.html")))
def test_the_policy_of_each_page_allows_no_inline_code(server, path):
    policy = server.get(path).fields["content-security-policy"]
    assert "default-src" in policy
    assert "unsafe" not in policy


def test_the_policy_of_a_custom_page_allows_all_files_of_its_folder(serving, tmp_path):
    for name in ("index", "other"):
        (tmp_path / f"{name}.html").write_text("<title>{{title}}</title><style>{{{style}}}</style>")
    server = serving("--public", tmp_path)
    first, other = (server.get(path).fields["content-security-policy"].split("; ") for path in ("/", "/other.html"))
    assert "default-src 'self'" in first
    # The server adds the hash of its own style to the index page.
    assert [re.sub(" 'sha256-[^']*'", "", source) for source in first] == other


def test_the_page_has_no_inline_styles_or_handlers(server):
    for element in page(server).all():
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]


LANGUAGES = ["ar", "de", "en", "es", "fr", "ja"]


@pytest.mark.parametrize(
    ("target", "accepted", "language"),
    [
        ("/", None, "en"), ("/", "de-AT, en;q=0.5", "de"), ("/", "en;q=0.5, fr;q=0.9", "fr"), ("/", "xx, *", "en"),
        ("/?lang=ja", "de", "ja"), ("/?lang=xx", "es", "es"), ("/?lang=ar&strip=mixed", "de", "ar"),
        ("/no/such/page?lang=ar", None, "ar"), ("/no/such/page", "de", "de"),
    ],
)
def test_the_page_is_in_the_language_of_the_parameter_or_of_the_reader(server, target, accepted, language):
    reply = server.get(target, {"Accept": "text/html"} | ({"Accept-Language": accepted} if accepted else {}))
    direction = "rtl" if language == "ar" else "ltr"
    assert f'<html lang="{language}" dir="{direction}">' in reply.text
    assert "accept-language" in re.split(r", *", reply.fields["vary"].lower())


def test_each_language_has_an_entity_tag_of_its_own(server):
    replies = {name: server.get("/?strip=mixed", {"Accept-Language": name}) for name in LANGUAGES}
    tags = {name: reply.fields["etag"] for name, reply in replies.items()}
    assert len(set(tags.values())) == len(LANGUAGES)
    for name in LANGUAGES:
        again = server.get("/?strip=mixed", {"Accept-Language": name, "If-None-Match": tags[name]})
        assert (again.status, again.body) == (304, b"")
        assert "accept-language" in again.fields["vary"].lower()
        other = server.get("/?strip=mixed", {"Accept-Language": name, "If-None-Match": tags["fr" if name != "fr" else "en"]})
        assert (other.status, other.fields["etag"]) == (200, tags[name])


def test_the_links_of_the_page_keep_the_language_of_its_address(server):
    for target, kept in (("/?strip=many&width=100&lang=de", True), ("/?strip=many&width=100", False)):
        tree = read(server.get(target, {"Accept-Language": "de"}).text)
        links = [e.attributes for e in tree.shown() if e.tag == "a" and "hreflang" not in e.attributes]
        strips = [a["href"] for a in links if (a.get("href") or "").startswith("/?strip=")]
        assert strips
        assert all(address.endswith("&lang=de") == kept for address in strips)
        forms = [e for e in tree.shown() if e.tag == "form"]
        for form in forms:
            fields = {e.attributes.get("name"): e.attributes.get("value") for e in form.all() if e.tag == "input"}
            assert fields.get("lang") == ("de" if kept else None)


def test_the_page_links_to_itself_in_each_language(server):
    tree = page(server, strip="many", width="100", offset="250")
    links = [e for e in tree.shown() if e.attributes.get("hreflang")]
    assert [e.attributes["hreflang"] for e in links] == LANGUAGES
    assert [e.attributes["hreflang"] for e in links if e.attributes.get("aria-current")] == ["en"]
    for link in links:
        there = server.get(link.attributes["href"])
        assert f'<html lang="{link.attributes["hreflang"]}"' in there.text
        holds(read(there.text), expected(samples.MANY, offset="250", width="100"))


def test_a_folder_without_words_has_a_page_in_english(serving, tmp_path):
    (tmp_path / "index.html").write_text('<html lang="{{language}}"><p>{{_ Next}}</p>{{#translated}}more{{/translated}}')
    server = serving("--public", tmp_path)
    assert server.get("/", {"Accept-Language": "de"}).text == '<html lang="en"><p>Next</p>'
    words = tmp_path / "js/words/page"
    words.mkdir(parents=True)
    (words / "pt.json").write_text('{"Next": "Seguinte"}')
    assert server.get("/", {"Accept-Language": "pt-BR"}).text == '<html lang="pt"><p>Seguinte</p>more'
    (words / "pt.json").write_text('{"Next": ')
    detail = server.get("/").rejected(500)["detail"]
    assert detail == "The text file pt.json is not valid: line 1, it is not a JSON object of texts."
