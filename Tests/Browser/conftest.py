"""A server and a browser for the whole run, and pages that must not log errors."""

import asyncio
import os
import shutil
import subprocess
import sys
import threading
import traceback
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright._impl._sync_base import SyncBase
from playwright.sync_api import Error, Frame, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Contract"))
pytest.register_assert_rewrite("strip", "anywhere", "wall", "server_log")

from engines.chromium import Chromium  # noqa: E402
from engines.firefox import Firefox  # noqa: E402
from engines.kept import KeptPage, change  # noqa: E402
from engines.webkit import WebKit  # noqa: E402
from server_log import ServerLog  # noqa: E402
from strip import LIMIT, WATCH, Strip, lenient  # noqa: E402

expect.set_options(timeout=LIMIT * 1000)


def wait_leniently(kind):
    """Lets the waits of a page or a frame go on where a condition fails. Playwright gives up at once."""
    wait = kind.wait_for_function
    kind.wait_for_function = lambda place, condition, **more: wait(place, lenient(condition), **more)


wait_leniently(Page)
wait_leniently(Frame)


async def bounded(call):
    """Fails at a limit. Some calls of Playwright have none: `evaluate`, the mouse, the size of the viewport."""
    try:
        async with asyncio.timeout(LIMIT * 1.5):
            return await call
    except TimeoutError:
        raise Error(f"the browser gave no answer within {LIMIT * 1.5} s") from None


finish = SyncBase._sync
SyncBase._sync = lambda caller, call: finish(caller, bounded(call))

VIEWPORT = {"width": 1280, "height": 800}

# The system's headless Chromium, or Playwright's. A full browser takes longer to open a context.
CHROMIUM = shutil.which("chromium-headless-shell")

# A warning about seconds. A busy machine and a page without scripts cause it.
LATE = "was preloaded using link preload but not used within a few seconds"


# The errors of a page, and the state of its strips.
STATE = """() => JSON.stringify([window.errors, ...[...document.querySelectorAll("carousel-strip")].map((strip) => {
  const { offset, scrollTarget, isWaiting, isOnScreen, isTouched, meta, selected, current, pendingScroll } = strip;
  const { revision, count } = meta ?? {};
  return { offset, scrollTarget, isWaiting, isOnScreen, isTouched, revision, count, selected: selected?.index, current: current?.index, sought: pendingScroll?.place };
})])"""


def pytest_addoption(parser):
    parser.addoption("--engines", choices=["needed", "all"], default="needed", help="which browsers run tests of logic: Chromium, or all")


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: depends on the frame rate, so nothing else may run")
    config.addinivalue_line("markers", "logic: the browser decides nothing, so Chromium is enough, except for tests marked `engines`")
    config.addinivalue_line("markers", "fresh: needs a page with an empty cache, not that of the test before, without what that one has left")
    config.addinivalue_line("markers", "documents: shows galleries, recipes or documents; skips itself if UNCHANGED in the environment is a reason")
    config.addinivalue_line("markers", "engines: depends on the browser's focus, fonts or events")


def pytest_collection_modifyitems(config, items):
    """Skips unchanged documents. Leaves out logic in Firefox and WebKit, unless --engines is "all"."""
    if reason := os.environ.get("UNCHANGED"):
        for item in items:
            if item.get_closest_marker("documents"):
                item.add_marker(pytest.mark.skip(reason=reason))
    if config.getoption("engines") == "all":
        return

    def is_needed(item):
        engine = getattr(item, "callspec", None) and item.callspec.params.get("engine", Chromium)
        return not engine or engine is Chromium or not item.get_closest_marker("logic") or item.get_closest_marker("engines")

    config.hook.pytest_deselected(items=[item for item in items if not is_needed(item)])
    items[:] = filter(is_needed, items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Adds to an error, such as a time-out, the line of the test and the state of the strips."""
    try:
        return (yield)
    except Exception as error:
        trace = traceback.extract_tb((error.__cause__ or error).__traceback__)
        lines = [frame.line for frame in trace if "/Tests/" in frame.filename and frame.filename != __file__]
        contexts = item.funcargs["chromium"].contexts if "chromium" in item.funcargs else []
        pages = [page for context in contexts for page in context.pages]
        states = [state(page) for page in pages]
        for page in pages:
            change(page)  # with what is left in it, no other test may use it
        raise AssertionError(f"{lines[-1:]}: {error} {states}") from error


def state(page):
    """The STATE of a page, or why the page does not tell it."""
    try:
        return page.evaluate(STATE)
    except Error as error:
        return error.message


def binary():
    """The built program: CAROUSEL, or the newest build."""
    if "CAROUSEL" in os.environ:
        return os.environ["CAROUSEL"]
    built = [path for kind in ("release", "debug") if (path := ROOT / f".build/{kind}/carousel").exists()]
    assert built, "nothing is built: run make build"
    return str(max(built, key=lambda path: path.stat().st_mtime))


def run(*arguments):
    """Runs a command of the program, which must succeed. Returns the completed process."""
    return subprocess.run([binary(), *map(str, arguments)], cwd=ROOT, check=True, capture_output=True, text=True)


@contextmanager
def serving(*arguments, command="serve"):
    """Starts a server on a free port, yields its address, and stops it."""
    command = [binary(), command, "--port", "0", *map(str, arguments)]
    with ServerLog() as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=log)
        try:
            yield log.address(process)
        finally:
            process.terminate()
            process.wait(timeout=LIMIT)


@pytest.fixture(scope="session")
def address():
    """The address of a server of the built-in strips."""
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def other_origin():
    """Serves one page on another port, that is on another origin. Yields its address, and the page to set."""
    page = {}

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            page["asked"].append(self.path)
            found = self.path.partition("?")[0] == "/"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            for name, value in page["fields"].items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(page["html"].encode() if found else b"")

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", page
    server.shutdown()
    server.server_close()


@pytest.fixture
def elsewhere(other_origin):
    """A function that sets the page of another origin and its policy, and returns its address."""
    address, page = other_origin

    def serve(html, **fields):
        page.update(html=html, fields={name.replace("_", "-"): value for name, value in fields.items()})
        return address

    serve.asked = page["asked"] = []  # the paths that were requested
    return serve


@pytest.fixture(scope="session")
def launch_chromium():
    """Launches Chromium with options. A process can have one Playwright only."""
    with sync_playwright() as playwright, ExitStack() as browsers:

        def launch(**options):
            browser = playwright.chromium.launch(executable_path=CHROMIUM, **options)
            browsers.callback(browser.close)
            return browser

        yield launch


@pytest.fixture(scope="session")
def chromium(launch_chromium):
    return launch_chromium()


@pytest.fixture(scope="session")
def launched(chromium):
    """Launches each browser once for all files. A parametrized fixture of the session would end one browser for the next."""
    with ExitStack() as browsers:
        engines = {Chromium: Chromium(chromium)}

        def launched(kind):
            if kind not in engines:
                engines[kind] = browsers.enter_context(kind.launched())
            return engines[kind]

        yield launched


@pytest.fixture(scope="module", params=[Chromium, Firefox, WebKit], ids=lambda kind: kind.name)
def engine(request, launched):
    """Each of the browsers, without complaints of the files before."""
    engine = launched(request.param)
    engine.complaints = []
    return engine


@pytest.fixture(scope="module")
def kept_pages():
    """The pages that tests of a module use one after another, by the options of their contexts."""
    kept = {}
    yield kept
    for page in kept.values():
        page.close()


@pytest.fixture
def open_page(request, chromium, address, kept_pages):
    """Opens a page of the demo. An error or warning in its console fails the test at its end, unless it `complains`."""
    contexts, complaints, used = [], [], {}
    keeps = not request.node.get_closest_marker("fresh")

    def tell(said):
        if said.type in ("error", "warning") and LATE not in said.text:
            complaints.append(said.text)

    def open_page(path="/?strip=albums", complains=False, **options):
        options = {"viewport": VIEWPORT, "base_url": address, **options}
        kind = str(sorted((name, value) for name, value in options.items() if name != "viewport"))
        if keeps and kind not in used:
            kept = kept_pages.get(kind)
            if kept is None or not kept.use(options["viewport"]):
                kept = kept_pages[kind] = KeptPage(chromium, script=WATCH, **options)
            context, page, used[kind] = kept.context, kept.page, kept
        else:
            context = chromium.new_context(**options)
            contexts.append(context)
            context.add_init_script(WATCH)
            page = context.new_page()
        context.set_default_timeout(LIMIT * 1000)
        if not complains:
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", tell)
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        # A route of the test may still be running.
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()
    for kept in used.values():
        kept.leave()
    for kind in [*kept_pages][:-3]:  # those of former tests
        kept_pages.pop(kind).close()
    assert complaints == []


@pytest.fixture
def open_strip(open_page):
    """Opens a strip of the demo page, and waits until it is at rest at its initial position."""

    def open_strip(name="albums", more="", **options):
        strip = Strip(open_page(f"/?strip={name}{more}", **options), name)
        strip.arrive()
        return strip

    return open_strip
