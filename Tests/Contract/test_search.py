"""Search that forgives: singular and plural, mistyped words, and the order of relevance."""

import json
from pathlib import Path

import pytest

from command import import_items
from editing import Editor, token
from model.strips import Strip
from model.views import share_a_singular, words
from server import Server

CASES = Path(__file__).parents[1] / "Cases"

ITEMS = [
    {"id": "a", "fields": {"artist": "J. M. W. Turner", "year": 1840, "title": "The Slave Ship"}},
    {"id": "b", "fields": {"artist": "Claude Monet", "year": 1872, "title": "Impression, Sunrise: a painting"}},
    {"id": "c", "fields": {"artist": "Turnbull", "year": 1956, "title": "Head"}},
    {"id": "d", "fields": {"artist": "Ann", "year": 1999, "title": "After Turner"}},
    {"id": "e", "fields": {"artist": "Bob", "year": 1999, "title": "Houses of Parliament"}},
]


# A search reads words that are the same in every store.
pytestmark = pytest.mark.one_store


@pytest.fixture(scope="module")
def server(store, tmp_path_factory):
    """A server of the items, which no test changes."""
    yield from serve(store(tmp_path_factory.mktemp("search")))


@pytest.fixture
def editable(database):
    """A server of the items of its own."""
    yield from serve(database)


def serve(database):
    import_items(database, ITEMS, "--filterable", "artist,year", "--searchable", "title,artist")
    with Server("--database", database) as server:
        server.database = database
        yield server


def ids(reply) -> str:
    return "".join(item["id"] for item in reply.json()["items"])


def corrected(reply) -> dict[str, list[str]] | None:
    found = reply.json().get("corrected")
    return found and {entry["word"]: entry["to"] for entry in found}


def test_the_model_knows_which_words_are_equal_in_number():
    table = json.loads((CASES / "inflections.json").read_text())
    for is_equal, pairs in ((True, table["equal"]), (False, table["different"])):
        for pair in pairs:
            one, other = (words(word)[0] for word in pair)
            assert share_a_singular(one, other) == is_equal, pair


@pytest.mark.parametrize(
    "q, found, words",
    [
        ("turner", "ad", None),
        ("turn", "acd", None),
        ("turnor", "ad", {"turnor": ["turner"]}),
        ("Tunrer ship", "a", {"tunrer": ["turner"]}),
        ("turnor ", "ad", {"turnor": ["turner"]}),
        ("turnor shop", "", None),  # a word of four letters is not corrected
        ("turmbu", "c", {"turmbu": ["turnbull"]}),  # begins so, with one wrong letter
        ("parlaimant", "e", {"parlaimant": ["parliament"]}),  # ten letters, two wrong ones
        ("sumrize", "", None),  # seven letters, two wrong ones
        ("paintings", "b", None),
        ("house ", "e", None),
        ("headen ", "c", {"headen": ["head"]}),  # a plural of another language
        ("paintings turnor", "", None),
        ("paintings monat", "b", {"monat": ["monet"]}),
        ("slaves head", "", None),
    ],
)
def test_a_search_that_finds_nothing_finds_near_words(server, q, found, words):
    reply = server.window(strip="s", q=q)
    assert (ids(reply), corrected(reply)) == (found, words)
    assert list(reply.json())[:3] == ["strip", "revision", "view"]
    strip = server.get(f"/strips/s?q={q.replace(' ', '+')}").json()
    assert (strip["count"], strip.get("corrected")) == (len(found), reply.json().get("corrected"))


def test_words_depend_on_the_strip_and_not_on_the_filter(server):
    reply = server.window(strip="s", q="turnor", where="year = 1999")
    assert (ids(reply), corrected(reply)) == ("d", {"turnor": ["turner"]})
    reply = server.window(strip="s", q="turner", where="year = 1956")
    assert (ids(reply), corrected(reply)) == ("", None)
    reply = server.window(strip="s", q="turnor", where="year = 1956")
    assert (ids(reply), corrected(reply)) == ("", {"turnor": ["turner"]})
    facets = server.get("/strips/s/facets?field=artist&q=turnor").json()
    assert facets["corrected"] == [{"word": "turnor", "to": ["turner"]}]
    assert [value["value"] for value in facets["facets"][0]["values"]] == ["Ann", "J. M. W. Turner"]


def insert(server, *titles: str):
    """Appends items with the ids 0, 1 and so on."""
    editor = Editor(server, server.database, Strip("s", ()), token(server.database, "s"))
    made = [{"id": str(number), "fields": {"title": title}} for number, title in enumerate(titles)]
    editor.edit({"op": "insert", "before": None, "items": made})


def test_inflected_and_corrected_words_match_together(editable):
    insert(editable, "Tun", "Brig", "Waterloo Bridge", "Waterloo")
    reply = editable.window(strip="s", q="tuner", sort="relevance")
    assert (ids(reply), corrected(reply)) == ("0da", {"tuner": ["turner", "tun"]})
    reply = editable.window(strip="s", q="waterloo brige")
    assert (ids(reply), corrected(reply)) == ("2", {"brige": ["bridge"]})


def test_known_words_are_widened_only_if_the_others_find_nothing(editable):
    insert(editable, "Bilder", "Garten, bild", "Bild, garden", "Gardens")
    reply = editable.window(strip="s", q="ship turnor")
    assert (ids(reply), corrected(reply)) == ("a", {"turnor": ["turner"]})
    reply = editable.window(strip="s", q="bilder gardex ")
    assert (ids(reply), corrected(reply)) == ("2", {"bilder": ["bild"], "gardex": ["garden"]})
    reply = editable.window(strip="s", q="bilder gardens ")
    assert (ids(reply), corrected(reply)) == ("2", {"bilder": ["bild"]})
    reply = editable.window(strip="s", q="bilder garden ")
    assert (ids(reply), corrected(reply)) == ("12", {"bilder": ["bild"], "garden": ["garden", "garten"]})


def test_only_words_of_found_items_are_named(editable):
    insert(editable, "Slaves", "Slavs", "After the ship")
    assert corrected(editable.window(strip="s", q="slavez ship")) == {"slavez": ["slave"]}


def test_rare_words_beside_a_frequent_one_do_not_count(editable):
    """A misspelled value is neither a word to correct to, nor one that needs no correction."""
    insert(editable, *["William Blake"] * 200, "William Annis", "Wiliam Annis", *["The Lake"] * 10)
    reply = editable.window(strip="s", q="wiliam blake")
    assert (reply.json()["count"], corrected(reply)) == (200, {"wiliam": ["william"]})
    reply = editable.window(strip="s", q="wiliiam ")
    assert (reply.json()["count"], corrected(reply)) == (201, {"wiliiam": ["william"]})
    assert editable.window(strip="s", q="wiliam ").json()["count"] == 1
    reply = editable.window(strip="s", q="wiliam annis")
    assert (reply.json()["count"], corrected(reply)) == (1, None)


def test_a_chain_is_corrected_as_its_words_and_as_one_word(editable):
    insert(editable, "T-shirt", "Bluegreen")
    reply = editable.window(strip="s", q="t-shrit ")
    assert (ids(reply), corrected(reply)) == ("0", {"shrit": ["shirt"], "tshrit": ["tshirt"]})
    assert reply.json()["view"] == {"q": "t-shrit "}
    reply = editable.window(strip="s", q="Blue/greem ")
    assert (ids(reply), corrected(reply)) == ("1", {"bluegreem": ["bluegreen"]})


def test_regular_plurals_match_also_where_the_word_itself_does(editable):
    insert(editable, "Dresses", "A dress", "Women", "Woman", "Dressage")
    assert ids(editable.window(strip="s", q="dresses ")) == "01"
    assert ids(editable.window(strip="s", q="dress ")) == "01"
    assert ids(editable.window(strip="s", q="dress", sort="relevance")) == "104"
    assert ids(editable.window(strip="s", q="women")) == ids(editable.window(strip="s", q="woman")) == "23"


def test_at_most_ten_words_are_named(editable):
    insert(editable, *(f"mandol{chr(97 + n)}n" for n in range(12)))
    reply = editable.window(strip="s", q="mandol1n ")
    assert corrected(reply) == {"mandol1n": [f"mandol{chr(97 + n)}n" for n in range(10)]}
    assert reply.json()["count"] == 12


def test_relevance_puts_whole_words_and_earlier_fields_first(server):
    assert ids(server.window(strip="s", q="turn", sort="relevance")) == "dac"
    assert ids(server.window(strip="s", q="turner", sort="relevance,year")) == "da"
    assert ids(server.window(strip="s", q="turner", sort="-relevance")) == "ad"
    assert ids(server.window(strip="s", q="turner", sort="-year,relevance")) == "da"
    assert ids(server.window(strip="s", q="a", sort="relevance,-year")) == "bd"
    reply = server.window(strip="s", q="turnor", sort="relevance")
    assert ids(reply) == "da" and reply.json()["view"] == {"q": "turnor", "sort": "relevance"}
    assert reply.json()["group"] is None
    facets = server.get("/strips/s/facets?field=group&q=turner&sort=relevance").json()["facets"]
    assert facets == [{"field": "group", "values": [], "distinct": 0, "absent": 2}]


def test_without_a_search_relevance_is_left_out(server):
    strip = server.window(strip="s").body
    assert server.window(strip="s", sort="relevance").body == strip
    assert server.window(strip="s", sort="-relevance", q="").body == strip
    reply = server.window(strip="s", sort="relevance,-year", where="year > 0")
    assert reply.json()["view"] == {"where": "year > 0", "sort": "-year"}
