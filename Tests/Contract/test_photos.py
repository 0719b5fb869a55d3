"""`carousel photos`: a folder of pictures as a wall."""

import base64
import hashlib
import os
import shutil
import signal
import subprocess
import unicodedata
from pathlib import Path
from random import Random

import pytest
from PIL import Image, ImageCms

from command import binary, carousel, exited, outcome
from markup import cards, read
from photos import TAKEN, Wall, needs_libvips, opened, picture
from server import Server


@pytest.fixture
def folder(tmp_path) -> Path:
    needs_libvips()
    made = tmp_path / "Summer <b>"
    made.mkdir()
    return made


@pytest.fixture
def cache(tmp_path) -> Path:
    return tmp_path / "cache"


def test_a_folder_is_a_strip_of_its_pictures_newest_first(folder, cache):
    picture(folder / "old.jpg", taken="2019:12:31 23:59:59")
    picture(folder / "Alps/Day 1/new.PNG")
    os.utime(folder / "Alps/Day 1/new.PNG", (1_700_000_000, 1_700_000_000))
    picture(folder / "b.webp", taken=TAKEN)
    picture(folder / "a.jpeg", taken=TAKEN)
    (folder / "notes.txt").write_text("no picture")
    picture(folder / ".hidden.jpg")
    with Wall(folder, cache) as wall:
        items = wall.settle("a.jpeg", "b.webp", "Alps/Day 1/new.PNG", "old.jpg")
        assert list(items) == ["a.jpeg", "b.webp", "Alps/Day 1/new.PNG", "old.jpg"]
        fields = items["Alps/Day 1/new.PNG"]["fields"]
        assert (fields["title"], fields["album"], fields["folder"]) == ("new", "Alps", "Alps/Day 1")
        assert (fields["type"], fields["pixels"], fields["alt"]) == ("png", "300 x 200", "new")
        assert fields["bytes"] == (folder / "Alps/Day 1/new.PNG").stat().st_size
        assert fields["taken"].startswith("2023-11-14T")
        assert items["a.jpeg"]["fields"]["taken"] == "2024-05-01T12:00:00"
        assert items["a.jpeg"]["group"]["title"] == "2024-05"
        assert items["a.jpeg"]["index"] == 0
        strip = wall.get("/strips/photos").json()
        assert (strip["title"], strip["layout"]) == (folder.name, "rows")
        alps = wall.window(strip="photos", where="album = 'Alps'", width="900").json()
        assert [item["id"] for item in alps["items"]] == ["Alps/Day 1/new.PNG"]


def test_without_scripts_the_page_has_days_and_filters_to_choose_from(folder, cache):
    picture(folder / "2019/a.jpg", taken=TAKEN, offset="+02:00")
    picture(folder / "Alps (west)/b.webp", taken="2023:12:31 23:59:59")
    with Wall(folder, cache) as wall:
        wall.settle("2019/a.jpg", "Alps (west)/b.webp")
        page = read(wall.get("/", {"Accept-Language": "de"}).text)
        times = [one for card in cards(page) for one in card.all() if one.tag == "time"]
        assert [(one.attributes["datetime"], one.text) for one in times] == [
            ("2024-05-01T12:00:00+02:00", "1. Mai 2024"),
            ("2023-12-31T23:59:59", "31. Dezember 2023"),
        ]
        field = next(one for one in page.all() if one.attributes.get("name") == "where")
        assert field.attributes["placeholder"] == "Filter, zum Beispiel taken = 2024-05"
        listed = next(one for one in page.all() if one.attributes.get("id") == field.attributes["list"])
        filters = [option.attributes["value"] for option in listed.within]
        assert {"taken = 2023-12", "album = 2019", 'album = "Alps (west)"', "type = webp"} <= set(filters)
        for where in filters:
            assert wall.window(strip="photos", where=where, width="900").json()["count"] == 1, where


def test_pictures_are_upright_in_all_eight_orientations(folder, cache):
    #: Where the white quarter of a picture is, as shown: left or right, upper or lower.
    corners = ["lu", "ru", "rl", "ll", "lu", "ru", "rl", "ll"]
    for orientation in range(1, 9):
        picture(folder / f"{orientation}.jpg", taken=TAKEN, orientation=orientation, quality=95)
    with Wall(folder, cache) as wall:
        items = wall.settle(*(f"{k}.jpg" for k in range(1, 9)))
        for number, corner in enumerate(corners, start=1):
            made = opened(wall.picture(items[f"{number}.jpg"], 160).body).convert("RGB")
            assert (made.width > made.height) == (number < 5), number
            assert items[f"{number}.jpg"]["fields"]["pixels"] == ("300 x 200" if number < 5 else "200 x 300")
            at = (made.width // 4 * (3 if "r" in corner else 1), made.height // 4 * (3 if corner[1] == "l" else 1))
            assert min(made.getpixel(at)) > 200, (number, made.getpixel(at))


def test_exif_is_read_from_each_format(folder, cache):
    endings = ["jpg", "png", "webp", "tif", "avif"]
    for ending in endings:
        picture(folder / f"a.{ending}", taken=TAKEN, orientation=6, offset="+02:00")
    # Of these tools, only vips writes HEIC.
    if shutil.which("vips"):
        picture(folder / "upright.jpg", taken=TAKEN, offset="+02:00")
        subprocess.run(["vips", "heifsave", folder / "upright.jpg", folder / "b.heic"], check=True, capture_output=True)
        (folder / "upright.jpg").unlink()
    with Wall(folder, cache) as wall:
        wall.settle(*(file.name for file in folder.iterdir()))
        for item in wall.items().values():
            fields = item["fields"]
            assert (fields["taken"], fields["camera"]) == ("2024-05-01T12:00:00+02:00", "Maker One"), item
            types = {"jpg": "jpeg", "tif": "tiff", "heic": "heif"}
            assert fields["type"] == types.get(ending := item["id"].split(".")[1], ending), item
            assert fields["pixels"] == ("300 x 200" if item["id"] == "b.heic" else "200 x 300"), item
            made = opened(wall.picture(item, 160).body).convert("RGB")
            corner = (made.width // 4 * (1 if item["id"] == "b.heic" else 3), made.height // 4)
            assert min(made.getpixel(corner)) > 200, item


def test_a_made_picture_has_the_colours_of_its_file_and_nothing_else_of_it(folder, cache):
    color, place = (94, 190, 56), Image.Exif()
    place.get_ifd(0x8825).update({1: "N", 2: (47.0, 1.0, 2.0), 3: "E", 4: (8.0, 2.0, 3.0)})  # GPS
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for name, more in {"plain.jpg": {}, "place.jpg": {"exif": place}, "profile.jpg": {"icc_profile": profile}, "plain.png": {}}.items():
        Image.new("RGB", (400, 300), color).save(folder / name, quality=95, **more)
    Image.new("L", (400, 300), 120).save(folder / "unfit.jpg", icc_profile=profile)  # that of another kind of picture
    with Wall(folder, cache) as wall:
        for item in wall.settle("plain.jpg", "place.jpg", "profile.jpg", "plain.png", "unfit.jpg").values():
            for accept in ("image/webp", "*/*"):
                made = opened(wall.picture(item, 160, accept).body)
                assert not made.getexif() and not made.info.keys() & {"exif", "icc_profile", "xmp"}, (item["id"], accept)
                shown = made.convert("RGB").getpixel((80, 60))
                wanted = (120, 120, 120) if item["id"] == "unfit.jpg" else color
                assert all(abs(one - other) <= 3 for one, other in zip(shown, wanted, strict=True)), (item["id"], accept, shown)


def test_a_picture_has_a_width_of_the_list_and_no_metadata(folder, cache):
    picture(folder / "a.jpg", (3000, 2000), taken=TAKEN)
    picture(folder / "cmyk.jpg", (1000, 800), mode="CMYK")
    picture(folder / "small.gif", (200, 100))
    with Wall(folder, cache) as wall:
        items = wall.settle("a.jpg", "cmyk.jpg", "small.gif")
        for width in (160, 240, 320, 480, 640, 960, 1280, 1920, 2560):
            reply = wall.picture(items["a.jpg"], width)
            assert (reply.status, reply.type, opened(reply.body).width) == (200, "image/webp", width)
        assert reply.fields["cache-control"] == "public, max-age=31536000, immutable"
        assert reply.fields["vary"] == "Accept"
        for accept in ("image/png, */*", "image/webp;q=0, image/*", "Image/WebP; q=0.000"):
            jpeg = wall.picture(items["a.jpg"], 640, accept)
            assert (jpeg.type, opened(jpeg.body).size) == ("image/jpeg", (640, 427)), accept
        assert wall.picture(items["a.jpg"], 640, "image/*, image/webp ;q=0.1").type == "image/webp"
        assert not opened(jpeg.body).getexif()
        assert opened(wall.picture(items["cmyk.jpg"], 320, "*/*").body).mode == "RGB"
        assert opened(wall.picture(items["small.gif"], 960).body).size == (200, 100)
        assert wall.ask("HEAD", items["a.jpg"]["fields"]["image"].replace("{w}", "160")).body == b""


def test_a_picture_that_is_higher_than_a_format_allows_is_smaller(folder, cache):
    picture(folder / "long.png", (1080, 20_000))
    with Wall(folder, cache) as wall:
        items = wall.settle("long.png")
        for accept, size in [("image/webp", (885, 16_383)), ("image/jpeg", (960, 17_778))]:
            reply = wall.picture(items["long.png"], 960, accept)
            assert (reply.status, opened(reply.body).size) == (200, size)
        assert list(wall.items()) == ["long.png"]


def test_the_name_of_a_camera_may_have_brackets(folder, cache):
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = "HP", "HP PhotoSmart C945 (V01.61)"
    Image.new("RGB", (30, 20)).save(folder / "a.jpg", exif=exif)
    exif[0x0110] = "(" * 300
    Image.new("RGB", (30, 20)).save(folder / "b.jpg", exif=exif)
    with Wall(folder, cache) as wall:
        items = wall.settle("a.jpg", "b.jpg")
        assert items["a.jpg"]["fields"]["camera"] == "HP PhotoSmart C945 (V01.61)"
        assert items["b.jpg"]["fields"]["camera"].startswith("HP ((((")


def test_the_files_are_served_if_the_operator_says_so(folder, cache):
    picture(folder / "a.jpg")
    with Wall(folder, cache, "--originals") as wall:
        reply = wall.picture(wall.settle("a.jpg")["a.jpg"], "original")
        assert reply.body == (folder / "a.jpg").read_bytes()
        assert reply.fields["content-disposition"] == "attachment; filename*=UTF-8''a.jpg"


def test_changes_in_the_folder_are_edits(folder, cache):
    picture(folder / "a.jpg", taken=TAKEN)
    with Wall(folder, cache) as wall:
        before = wall.settle("a.jpg")["a.jpg"]["fields"]["image"]
        picture(folder / "b.jpg")
        wall.settle("a.jpg", "b.jpg")
        os.rename(folder / "b.jpg", folder / "c.jpg")
        wall.settle("a.jpg", "c.jpg")
        picture(folder / "c.jpg", (100, 400))
        wall.wait(lambda: wall.items()["c.jpg"]["fields"]["pixels"] == "100 x 400")
        (folder / "c.jpg").unlink()
        wall.settle("a.jpg")
        picture(folder / "d/e/f.jpg")
        wall.settle("a.jpg", "d/e/f.jpg")
        os.rename(folder / "d", folder / "g")
        wall.settle("a.jpg", "g/e/f.jpg")
        picture(folder / "g/e/h.jpg")
        wall.settle("a.jpg", "g/e/f.jpg", "g/e/h.jpg")
        shutil.rmtree(folder / "g")
        wall.settle("a.jpg")
        picture(folder / "a.jpg", taken=TAKEN, orientation=6)
        wall.wait(lambda: wall.items()["a.jpg"]["fields"]["pixels"] == "200 x 300")
        assert wall.items()["a.jpg"]["fields"]["image"] != before


def test_a_second_start_opens_only_files_that_have_changed(folder, cache):
    for name in ("a.jpg", "b.png", "album/c.jpg", "gone.jpg"):
        picture(folder / name)
    (folder / "bad.jpg").write_bytes(b"no picture")
    with Wall(folder, cache) as wall:
        wall.wait(lambda: wall.metric("unreadable_files") == 1)
        before = wall.settle("a.jpg", "b.png", "album/c.jpg", "gone.jpg")
        wall.wait(lambda: all("color" in item["fields"] for item in wall.items().values()))
    with Wall(folder, cache) as wall:
        again = wall.settle(*before)
        assert {k: v["fields"]["image"] for k, v in again.items()} == {
            k: v["fields"]["image"] for k, v in before.items()
        }
        wall.wait(lambda: "pictures; 1 files" in wall.logged())
        assert (wall.metric("opened_files_total"), wall.metric("jobs_total")) == (0, 0)
        assert wall.metric("unreadable_files") == 1
    (folder / "gone.jpg").unlink()
    picture(folder / "a.jpg", (100, 100))
    with Wall(folder, cache, "--no-watch") as wall:
        items = wall.settle("a.jpg", "b.png", "album/c.jpg")
        wall.wait(lambda: wall.items()["a.jpg"]["fields"]["pixels"] == "100 x 100")
        assert wall.metric("opened_files_total") == 1
        assert wall.picture(items["b.png"], 160).status == 200


def test_damaged_files_are_listed_and_stop_nothing(folder, cache):
    good = [f"{k}.jpg" for k in range(5)]
    for name in good:
        picture(folder / name)
    whole = (folder / "0.jpg").read_bytes()
    bad = {
        "empty.jpg": b"",
        "text.png": b"no picture",
        "cut.webp": picture(folder / "x.webp").read_bytes()[:20],
        "head.jpg": whole[:30],
        "zeros.heic": bytes(5000),
        "drawing.tif": b"<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>",
        "huge.png": huge_png(65_000),
    }
    (folder / "x.webp").unlink()
    for name, content in bad.items():
        (folder / name).write_bytes(content)
    with Wall(folder, cache) as wall:
        wall.wait(lambda: wall.metric("unreadable_files") == len(bad))
        wall.settle(*good)
        for name in bad:
            assert f"{name}: " in wall.logged()
        (folder / "empty.jpg").write_bytes(whole)
        wall.settle(*good, "empty.jpg")
        wall.wait(lambda: wall.metric("unreadable_files") == len(bad) - 1)


def test_files_that_are_cut_short_are_shown_as_far_as_they_go(folder, cache):
    names = ["half.jpg", "half.png"]
    for name in names:
        Image.effect_noise((300, 200), 60).convert("RGB").save(folder / name)
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: len(whole) // 2])
    with Wall(folder, cache) as wall:
        for item in wall.settle(*names).values():
            made = wall.picture(item, 160)
            assert (made.status, opened(made.body).size) == (200, (160, 107))
        assert wall.metric("unreadable_files") == 0


def huge_png(side: int) -> bytes:
    """The start of a PNG of so many pixels on each side."""
    import struct
    import zlib

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000)))


def test_cards_get_placeholders(folder, cache):
    picture(folder / "a.png", color="#204060")
    with Wall(folder, cache) as wall:
        wall.settle("a.png")
        wall.wait(lambda: "thumbhash" in wall.items()["a.png"]["fields"])
        assert len(wall.items()["a.png"]["fields"]["color"]) == 7


def test_workers_that_are_killed_start_again(folder, cache):
    names = [f"{k}.jpg" for k in range(20)]
    for name in names:
        picture(folder / name, (1500, 1000))
    with Wall(folder, cache) as wall:
        items = wall.settle(*names)
        for name in names:
            for worker in wall.workers()[:1]:
                os.kill(worker, signal.SIGKILL)
            assert wall.picture(items[name], 640).status == 200
        assert wall.metric("unreadable_files") == 0
        assert wall.metric("ended_workers_total") > 0


def test_the_cache_keeps_its_size(folder, cache):
    for k in range(10):
        picture(folder / f"{k}.jpg", (1500, 1000))
    with Wall(folder, cache, "--cache-size", "20K") as wall:
        items = wall.settle(*(f"{k}.jpg" for k in range(10)))
        for item in items.values():
            assert wall.picture(item, 1280, "*/*").status == 200
            assert wall.metric("cache_bytes") <= 20 << 10
    files = [file for file in (cache / "pictures").rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 20 << 10


def test_names_are_text_and_links_lead_nowhere_else(folder, cache, tmp_path):
    outside = picture(tmp_path / "outside.jpg")
    os.symlink(outside, folder / "out.jpg")
    os.symlink("/", folder / "root")
    os.symlink("..", folder / "up")
    os.symlink(".", folder / "self")
    picture(folder / "inside.jpg", taken=TAKEN)
    os.symlink("inside.jpg", folder / "link.jpg")
    strange = "<i>\"'&\u202egpj.jpg"
    shutil.copy(outside, folder / strange)
    shutil.copy(outside, os.fsencode(folder) + b"/\xff100%.jpg")
    long = "x" * 251 + ".jpg"
    (folder / "long").mkdir()
    shutil.copy(outside, folder / "long" / long)
    with Wall(folder, cache) as wall:
        wall.wait(lambda: len(wall.items()) == 5)
        items = wall.items()
        hashed = set(items) - {"inside.jpg", "link.jpg", strange, "%FF100%25.jpg"}
        assert len(hashed) == 1 and len(hashed.pop()) == 43
        assert items["%FF100%25.jpg"]["fields"]["title"] == "%FF100%"
        for item in items.values():
            assert wall.picture(item, 160).status == 200
        page = wall.get("/?strip=photos").text
        assert "<i>" not in page and "Summer &lt;b>" in page.replace("&gt;", ">")


def test_a_folder_is_named_by_its_own_path_and_links_to_it_change_nothing(folder, cache):
    albums = [f"Album {k}" for k in range(8)]
    (folder / "links").mkdir()
    os.symlink("..", folder / "links/loop")
    for k, album in enumerate(albums):
        picture(folder / album / "below" / f"{k}.jpg")
        os.symlink(f"../{album}", folder / "links" / album)
        os.symlink(album, folder / f"A link to {album}")
    ids = [f"{album}/below/{k}.jpg" for k, album in enumerate(albums)]
    for opened_files in (len(ids), 0):
        with Wall(folder, cache) as wall:
            assert set(wall.settle(*ids)) == set(ids)
            wall.wait(lambda: wall.metric("pending_files") == 0)
            assert wall.metric("opened_files_total") == opened_files
    with Wall(folder, cache) as wall:
        wall.settle(*ids)
        for album in albums:
            picture(folder / album / "new.jpg")
            picture(folder / album / "below" / "new.jpg")
        wall.settle(*ids, *(f"{album}/{name}" for album in albums for name in ("new.jpg", "below/new.jpg")))
    found = Path(cache).parent / "links.db"
    assert carousel("import", folder, "--database", found, "--strip", "s").returncode == 0
    run = carousel("export", "--strip", "s", "--database", found)
    assert run.stdout.count(b'"id":"Album ') == 3 * len(ids) and b"link" not in run.stdout, outcome(run)


def id_of(path: bytes) -> str:
    """The id of the contract; control characters are percent-encoded, too."""
    text = ""
    for letter in path.decode("utf-8", "surrogateescape"):
        is_plain = letter != "%" and unicodedata.category(letter) not in ("Cc", "Cs")
        text += letter if is_plain else "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogateescape"))
    hashed = base64.urlsafe_b64encode(hashlib.sha256(path).digest()).decode().rstrip("=")
    return text if len(text.encode()) <= 256 else hashed


@pytest.mark.parametrize("seed", [1])
def test_names_of_any_bytes_are_items(folder, cache, tmp_path, seed):
    rng, source = Random(seed), picture(tmp_path / "outside.jpg")
    names = [b"\xc3\xa9.jpg", b"e\xcc\x81.jpg", b"a\x80/\xff\xfe.jpg", b"..a.jpg/x.jpg", b"%2e%2e%2f.jpg", b"\xed\xa0\x80.jpg", b"<script>.jpg"]
    letters = [byte for byte in range(1, 256) if byte != ord("/")]
    for k in range(40):
        names.append(b"%d" % k + bytes(rng.choices(letters, k=rng.choice([3, 60, 250 - len(str(k))]))) + b".JPG")
    names += [b"n" + bytes(rng.choices(letters, k=200)) + b"/" + name for name in names[-5:]]
    names = [name for name in names if not name.startswith(b".")]
    for name in names:
        path = os.path.join(os.fsencode(folder), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(source, path)
    for k in range(2):
        with Wall(folder, cache) as wall:
            items = wall.settle(*(id_of(name) for name in names))
            for item in items.values() if k else ():
                assert wall.picture(item, 160).status == 200, seed
                assert wall.window(strip="photos", item=item["id"], width="900").json()["count"] == len(names)
            assert wall.metric("unreadable_files") == 0
            assert b"<script>." not in wall.get("/?strip=photos").body


def test_a_folder_that_is_mounted_read_only_does_not_change(folder, cache):
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    picture(folder / "a.jpg", taken=TAKEN)
    picture(folder / "album/b.png")
    before = digest(folder)
    mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    prefix = ["unshare", "--mount", "sh", "-c", mount, str(folder)]
    with Wall(folder, cache, prefix=prefix) as wall:
        for item in wall.settle("a.jpg", "album/b.png").values():
            assert wall.picture(item, 160).status == 200
    assert digest(folder) == before


def digest(folder: Path) -> dict[str, tuple]:
    return {
        str(file.relative_to(folder)): (file.stat().st_mtime_ns, hashlib.sha256(file.read_bytes()).hexdigest())
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_a_folder_without_pictures_is_an_empty_strip(folder, cache):
    with Wall(folder, cache) as wall:
        assert wall.items() == {}
        wall.wait(lambda: ": 0 pictures" in wall.logged())
        picture(folder / "first.jpg")
        wall.settle("first.jpg")


def test_import_takes_the_pictures_of_a_folder(folder, tmp_path):
    picture(folder / "a b.jpg", taken=TAKEN)
    picture(folder / "album/c.png")
    (folder / "bad.jpg").write_bytes(b"no picture")
    database = tmp_path / "photos.db"
    base = "https://example.org/{w}/"
    run = exited(carousel("import", folder, "--database", database, "--strip", "wall", "--image-base", base))
    assert b"bad.jpg: " in run.stderr and b"2 items" in run.stdout
    lines = carousel("export", "--database", database, "--strip", "wall").stdout.decode()
    assert '"image":"https://example.org/{w}/a%20b.jpg"' in lines and '"color":"#' in lines
    with Server("--database", database) as server:
        strip = server.get("/strips/wall").json()
        assert (strip["layout"], strip["gap"]) == ("rows", 4)
        assert (strip["fields"]["taken"]["format"], strip["fields"]["album"]["label"]["de"]) == ("date", "Album")
    run = carousel("import", folder, "--database", database, "--strip", "wall", "--map", "a=b")
    assert run.returncode == 64 and b"--map is for files only" in run.stderr


def test_without_libvips_the_command_names_the_package(folder, cache):
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    hide = 'for file in $(ldconfig -p | sed -n "s/.*libvips.so.42.*=> //p"); do mount --bind /dev/null "$file"; done; exec "$@"'
    command = [binary(), "photos", str(folder), "--cache", str(cache), "--port", "0"]
    run = subprocess.run(["unshare", "--mount", "sh", "-c", hide, "sh", *command], capture_output=True, timeout=60)
    assert run.returncode == 69 and b"libvips42" in run.stderr, outcome(run)


def test_two_servers_do_not_share_a_cache(folder, cache):
    with Wall(folder, cache) as wall:
        run = carousel("photos", folder, "--cache", cache, "--port", "0")
        assert run.returncode == 69 and b"another server uses" in run.stderr and b"--cache" in run.stderr, outcome(run)
        wall.settle()
    with Wall(folder, cache) as wall:
        wall.settle()


def test_a_folder_that_is_missing_ends_the_command(tmp_path):
    run = carousel("photos", tmp_path / "nowhere", "--cache", tmp_path / "cache", "--port", "0")
    assert run.returncode == 69 and b"cannot be read" in run.stderr, outcome(run)
    assert not (tmp_path / "cache").exists()
