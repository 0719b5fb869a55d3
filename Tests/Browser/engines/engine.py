"""A browser for the tests: a page, functions that run in it, and input by wheel, keys, mouse and touch."""

# Evaluates a function of the page's strip, with an error after a minute.
BOUNDED = """(argument) => Promise.race([
  (async () => (%s)(document.querySelector("carousel-strip"), argument))(),
  new Promise((_, fail) => setTimeout(() => fail(new Error("no answer within 60 s")), 60000)),
])"""

# Removes what the page has stored. A page without an origin cannot store anything.
FORGET = "async () => { if (origin !== 'null') for (const storage of [localStorage, sessionStorage]) storage.clear(); }"

# The codes of keys in WebDriver: https://www.w3.org/TR/webdriver2/#keyboard-actions
KEYS = {
    **{"End": "\ue010", "Home": "\ue011", "PageUp": "\ue00e", "PageDown": "\ue00f"},
    **{"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "ArrowUp": "\ue013", "ArrowDown": "\ue015", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c"},
}

# The ms that the mouse or a finger holds still before the release. Without them, the strip would move on after it.
HELD = 150
HOLD = {"type": "pause", "duration": HELD}


class Engine:
    """A browser with one page. Subclasses implement `goto`, `call`, `perform` and so on."""

    name = ""
    densities = (1,)  # the device pixel ratios that the driver can set
    tells_touches = True  # whether the driver sends touch events; WebKit's driver sends mouse events instead
    scrolls_by_touch = True  # whether touch events scroll; in Firefox they do not reach the compositor

    def __init__(self):
        self.complaints = []  # errors and warnings that the page wrote to the console

    def evaluate(self, script, argument=None):
        """Returns the result of the function `script` of the page's strip and `argument`. Awaits a promise."""
        return self.call(BOUNDED % script, argument)

    def wheel(self, x, y, dx, dy=0):
        """Turns the wheel by `dx`, `dy` px over the point `x`, `y` of the viewport."""
        turn = {"type": "scroll", "x": x, "y": y, "deltaX": dx, "deltaY": dy, "origin": "viewport"}
        self.perform([{"type": "wheel", "id": "wheel", "actions": [turn]}])

    def press(self, key):
        strokes = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        self.perform([{"type": "key", "id": "keys", "actions": strokes}])

    def touch(self, points):
        """Puts a finger on the first of `points`, moves it through the others, and holds still. It stays down until `lift`."""
        self.point("touch", [*self.press_and_move(points), HOLD])

    def lift(self):
        """Lifts the finger."""
        self.point("touch", [{"type": "pointerUp", "button": 0}])

    def drag(self, points):
        """Presses the mouse button at the first of `points`, moves through the others, holds still, and releases it."""
        self.point("mouse", [*self.press_and_move(points), HOLD, {"type": "pointerUp", "button": 0}])

    def point(self, pointer, actions):
        """Performs the actions of a "mouse" or a "touch" pointer."""
        self.perform([{"type": "pointer", "id": pointer, "parameters": {"pointerType": pointer}, "actions": actions}])

    def press_and_move(self, points):
        first, *others = [{"type": "pointerMove", "x": x, "y": y, "duration": 20} for x, y in points]
        return [first, {"type": "pointerDown", "button": 0}, *others]
