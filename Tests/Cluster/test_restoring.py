"""After a dump is restored, revisions continue above those of the original."""

import subprocess

from command import carousel, exited, imported
from editing import Editor, token
from model.strips import Item, Strip
from stores import Postgres

STRIP = Strip("s", (Item("a", width="10"), Item("b", width="20")))


def widened(editor: Editor, width: int) -> int:
    return editor.edited({"op": "update", "id": "a", "set": {"width": width}})


def test_no_revision_has_two_contents(tmp_path, serving):
    original = Postgres(tmp_path)
    imported(original, STRIP, Strip("other", STRIP.items))
    bearer = token(original, "s")
    editor = Editor(serving(original), original, STRIP, bearer)
    kept = widened(editor, 30)
    before = editor.window(revision=str(kept)).body
    dump = subprocess.run(["pg_dump", "--schema=carousel", str(original)], check=True, capture_output=True).stdout
    later = [widened(editor, 31), widened(editor, 32)]
    assert later == [kept + 1, kept + 2]

    given = {kept, *later}
    for width in (40, 41):
        place = Postgres(tmp_path)
        psql = ["psql", "--no-psqlrc", "-qv", "ON_ERROR_STOP=1", "-o", "/dev/null", str(place)]
        subprocess.run(psql, input=dump, check=True, capture_output=True)
        assert carousel("check", "--database", place).returncode == 0
        restored = Editor(serving(place), place, STRIP, bearer)
        revision = widened(restored, width)
        assert revision > later[-1] and revision not in given
        given.add(revision)
        assert restored.server.revision("other") > later[-1]
        assert restored.window(revision=str(kept)).body == before
        assert restored.window(revision=str(later[0])).status == 410
        assert widened(restored, width + 10) == revision + 1
        exited(carousel("check", "--database", place))
    assert widened(editor, 33) == later[-1] + 1
