"""Chromium, by Playwright."""

from contextlib import contextmanager

from engines.engine import HELD, Engine
from engines.kept import KeptPage


class Chromium(Engine):
    name = "chromium"
    densities = (1.25, 2)

    def __init__(self, browser):
        super().__init__()
        self.browser = browser
        self.kept = {}  # pages by their density
        self.page = None
        self.session = None

    @contextmanager
    def show(self, width, height, density):
        """Shows a page of `width` x `height` px."""
        viewport = {"width": width, "height": height}
        kept = self.kept.get(density)
        if kept is None or not kept.use(viewport):
            kept = self.kept[density] = KeptPage(self.browser, viewport, device_scale_factor=density)
        self.page, self.session = kept.page, kept.session
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: said.type in ("error", "warning") and self.complaints.append(said.text))
        try:
            yield
        finally:
            kept.leave()

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
        self.hold()
        mouse.up()

    def touch(self, points):
        for k, (x, y) in enumerate(points):
            self.send_touch("touchMove" if k else "touchStart", [{"x": x, "y": y}])
        self.hold()

    def lift(self):
        self.send_touch("touchEnd", [])

    def hold(self):
        self.page.evaluate("(ms) => new Promise((go) => setTimeout(go, ms))", HELD)

    def send_touch(self, type, points):
        self.session.send("Input.dispatchTouchEvent", {"type": type, "touchPoints": points})

    def screenshot(self, path):
        self.page.screenshot(path=path)
