"""Sample strips that many tests share."""

from model.strips import Item, Strip

#: 10 items of 10 px without a gap, as in the tests of react-window.
TENS = Strip("tens", tuple(Item(f"t{i}", width="10") for i in range(10)), gap="0")

#: Kinds, groups, items without a group, hidden items, and an item of size 0.
MIXED = Strip(
    "mixed",
    (
        Item("h1", "heading", width="90", group="1970", fields='{"title":"1970"}'),
        Item("a1", "album", aspect="1", group="1970", fields='{"title":"Bitter Creek"}'),
        Item("a2", "album", aspect="1.5", width="4", group="1970", fields='{"title":"Low Sun"}'),
        Item("x1", "album", aspect="0", group="1970", fields='{"title":"Not shown"}'),
        Item("a3", "album", aspect="0.75", group="1970"),
        Item("p1", "poster"),
        Item("x2", "heading", aspect="0", width="0"),
        Item("h2", "heading", width="90", group="1971", fields='{"title":"1971"}'),
        Item("a4", "album", aspect="1.0635", group="1971", fields='{"year":1971,"new":true}'),
        Item("z1", "album", aspect="0.00002", group="1971", fields='{"title":"Of size 0"}'),
        Item("a5", "album", aspect="1", group="1971", fields='{"title":"Last"}'),
    ),
    gap="10",
    inset="24.5",
)

#: Five items that wrap; the period is 140 px.
RING = Strip(
    "ring",
    tuple(Item(f"r{i}", width=str(10 + 5 * i), group="ab"[i // 3]) for i in range(5)),
    gap="8",
    inset="30",
    loop=True,
)

#: Ids that need escapes in URLs, JSON or HTML.
ODD_IDS = (
    "two words",
    "a/b",
    "a%2Fb",
    "100%",
    "C++",
    "q?x=1&y=2",
    "#fragment",
    'say "so"',
    "back\\slash",
    "Größe",
    "日本語",
    "🎠",
    "..",
    ".",
    "a;b,c:d@e",
    "e\u0301",
    "\u00e9",
    "x" * 256,
)
ODD = Strip("odd", tuple(Item(id, width="50") for id in ODD_IDS))

#: More items than a window may have (4096).
MANY = Strip("many", tuple(Item(f"m{i}", width="1") for i in range(5000)), gap="0")

#: A strip without items, and a strip with only hidden items.
EMPTY = Strip("empty", inset="7")
UNSEEN = Strip("unseen", tuple(Item(f"u{i}", width="0") for i in range(3)), gap="0", loop=True)

#: Fields whose order and spelling must not change.
SPELLED = Strip(
    "spelled",
    (
        Item("s1", width="50", fields='{"zeta":1.50,"alpha":-0.0,"mid":1E+2,"title":"Z"}'),
        Item("s2", width="50", fields='{"b":true,"a":false,"10":12345678901234567890,"2":0.1e-7}'),
        Item("s3", width="50", fields='{"title":"Ünï – 日本 🎠","image":"/a/b.svg"}'),
        Item("s4", width="50"),
    ),
)

#: Text that injects markup into a page without escapes.
HOSTILE = Strip(
    "hostile",
    (
        Item(
            "<b>&\"'",
            width="100",
            fields='{"title":"<script>alert(1)</script>","subtitle":"a & b \\" c","alt":"\'>"}',
        ),
        Item("plain", width="100", fields='{"title":"{subtitle}","subtitle":"{{title}}"}'),
    ),
)

#: In the order of creation: the first strip is the default.
STRIPS = (MIXED, TENS, RING, ODD, MANY, EMPTY, UNSEEN, SPELLED, HOSTILE)
