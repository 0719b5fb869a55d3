"""A page of Chromium that tests use one after another. To open a context and a process for each costs a third of a test's time."""

from base64 import b64encode
from urllib.parse import urlsplit
from weakref import WeakSet

from playwright.sync_api import Error, Page

# What a test leaves in a page and no method takes back.
LASTING = ["expose_binding", "expose_function", "emulate_media", "route_web_socket", "set_extra_http_headers"]

# Removes what a page has stored, and keeps it from storing more while it goes. A page without an origin cannot store anything.
FORGET = """() => {
  try {
    for (const storage of [localStorage, sessionStorage]) storage.clear();
    Storage.prototype.setItem = () => {};
  } catch {}
}"""

changed = WeakSet()


def change(page):
    """Notes that no other test may use the page."""
    changed.add(page)


def noting(call):
    def noted(page, *all, **more):
        change(page)
        return call(page, *all, **more)

    return noted


for name in LASTING:
    setattr(Page, name, noting(getattr(Page, name)))
for name in ("clock", "context"):
    setattr(Page, name, property(noting(getattr(Page, name).fget)))


class KeptPage:
    """A page in a context of its own. A test calls `use` before and `leave` after it."""

    def __init__(self, browser, viewport, script="", **options):
        """Opens the page. `script` runs in each document."""
        self.context = browser.new_context(viewport=viewport, **options)
        if script:
            self.context.add_init_script(script)
        self.page = self.context.new_page()
        self.session = self.context.new_cdp_session(self.page)
        self.origins, self.listeners, self.scripts, self.documents = set(), [], [], {}
        self.page.add_init_script = self.add_init_script  # Playwright's cannot be removed
        self.page.serve = self.serve
        self.session.on("Fetch.requestPaused", self.answer)
        self.page.on("framenavigated", lambda frame: self.origins.add(urlsplit(frame.url)[:2]))
        listen = self.page.on

        def on(event, listener):
            self.listeners.append((event, listener))
            listen(event, listener)

        self.page.on = on

    def add_init_script(self, script):
        """Runs `script` at the start of each document until the page is left."""
        if not self.scripts:
            self.session.send("Page.enable")
        self.scripts.append(self.session.send("Page.addScriptToEvaluateOnNewDocument", {"source": script}))

    def serve(self, path, html):
        """Answers requests for the document `path` until the page is left. A route of Playwright would turn off the browser's cache."""
        self.documents[path] = html
        self.session.send("Fetch.enable", {"patterns": [{"urlPattern": f"*{one}*", "resourceType": "Document"} for one in self.documents]})

    def answer(self, paused):
        body = b64encode(self.documents[urlsplit(paused["request"]["url"]).path].encode()).decode()
        fields = [{"name": "Content-Type", "value": "text/html"}]
        self.session.send("Fetch.fulfillRequest", {"requestId": paused["requestId"], "responseCode": 200, "responseHeaders": fields, "body": body})

    def use(self, viewport):
        """Gets the page ready for another test. False if a test has changed it for good, or it does not answer."""
        try:
            if self.page and self.page.viewport_size != viewport:
                self.page.set_viewport_size(viewport)
        except Error:
            self.close()
        return self.page is not None

    def leave(self):
        """Removes what the test has left, or closes the page."""
        page = self.page
        origins = {origin for origin in self.origins if origin[1]}
        if page in changed or page.is_closed() or len(self.context.pages) > 1 or len(page.frames) > 1 or len(origins) > 1:
            self.close()
            return
        try:
            page.unroute_all(behavior="ignoreErrors")  # a route of the test may still be running
            page.evaluate(FORGET)
            for event, listener in self.listeners:
                page.remove_listener(event, listener)
            for script in self.scripts:
                self.session.send("Page.removeScriptToEvaluateOnNewDocument", script)
            self.session.send("Fetch.disable")
            page.goto("about:blank")
            self.context.clear_cookies()
        except Error:  # the page was about to show another document
            self.close()
        for left in (self.listeners, self.origins, self.scripts, self.documents):
            left.clear()

    def close(self):
        if self.page is None:
            return
        if not self.page.is_closed():
            self.page.unroute_all(behavior="ignoreErrors")  # a route of the test may still be running
        self.context.close()
        self.page = None
