"""Chromium, by Playwright."""

from contextlib import contextmanager

from engines.engine import HELD, Engine


class Chromium(Engine):
    name = "chromium"
    densities = (1.25, 2)

    def __init__(self, browser):
        super().__init__()
        self.browser = browser
        self.page = None

    @contextmanager
    def show(self, width, height, density):
        """A page of its own, `width` x `height` px."""
        viewport = {"width": width, "height": height}
        context = self.browser.new_context(viewport=viewport, device_scale_factor=density)
        self.page = context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        try:
            yield
        finally:
            context.close()

    def goto(self, address):
        self.page.goto(address)

    def reload(self):
        self.page.reload()

    def call(self, function, argument):
        return self.page.evaluate(function, argument)

    def wheel(self, x, y, dx, dy=0):
        self.page.mouse.move(x, y)
        self.page.mouse.wheel(dx, dy)

    def press(self, key):
        self.page.keyboard.press(key)

    def drag(self, points):
        mouse = self.page.mouse
        mouse.move(*points[0])
        mouse.down()
        for point in points[1:]:
            mouse.move(*point)
        self.page.evaluate("(ms) => new Promise((go) => setTimeout(go, ms))", HELD)
        mouse.up()

    def swipe(self, points):
        session = self.page.context.new_cdp_session(self.page)
        for k, (x, y) in enumerate(points):
            touch = {"type": "touchMove" if k else "touchStart", "touchPoints": [{"x": x, "y": y}]}
            session.send("Input.dispatchTouchEvent", touch)
        self.page.evaluate("(ms) => new Promise((go) => setTimeout(go, ms))", HELD)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def screenshot(self, path):
        self.page.screenshot(path=path)
