"""The category page with its first records in the HTML, so that search engines read names, prices and stock:

    cp -r Examples/category/templates Public/
    python3 Examples/category/serve.py 8000

The server of the strips draws the cards from templates/records.html in its public folder.
"""

import re
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import urlopen

CAROUSEL = "http://127.0.0.1:8080"
FOLDER = Path(__file__).parent
WINDOW = {
    "strip": "albums", "layout": "grid", "width": 1040, "height": 900, "column": 160, "cell": 1, "caption": 112,
    "format": "element", "template": "records", "attr-id": "records", "attr-selection": "none", "attr-history": "records", "attr-lang": "en", "attr-aria-label": "Records",
}


def page(query):
    """The page, with the view that the address names. Without the server, the script draws the cards later."""
    html = (FOLDER / "index.html").read_text()
    named = dict(parse_qsl(query))
    view = {name: named[f"records-{name}"] for name in ("where", "q", "sort") if f"records-{name}" in named}
    try:
        with urlopen(f"{CAROUSEL}/window?{urlencode(WINDOW | view)}", timeout=2) as answer:
            strip = answer.read().decode()
    except OSError:
        return html
    return re.sub(r"<carousel-strip.*</carousel-strip>", lambda _: strip, html, flags=re.DOTALL)


class Files(SimpleHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        if address.path != "/":
            return super().do_GET()
        body = page(address.query).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    port = int(sys.argv[1])
    with ThreadingHTTPServer(("127.0.0.1", port), lambda *request: Files(*request, directory=FOLDER)) as server:
        server.serve_forever()
