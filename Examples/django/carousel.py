"""A template tag, {% carousel "albums" controls="previous next" %}, and a page with it: python carousel.py runserver."""

import sys
from urllib.parse import urlencode
from urllib.request import urlopen

from django.conf import settings
from django.core.management import execute_from_command_line
from django.http import HttpResponse
from django.template import Context, Engine, Library
from django.urls import path
from django.utils.safestring import mark_safe

CAROUSEL = "http://127.0.0.1:8080"
register = Library()


@register.simple_tag
def carousel(strip, label, **attributes):
    """The whole element in one request: its first cards are in the page before any script."""
    query = {"strip": strip, "width": 1280, "overscan": 128, "format": "element", "attr-aria-label": label}
    query |= {f"attr-{name}": value for name, value in attributes.items()}
    with urlopen(f"{CAROUSEL}/window?{urlencode(query)}", timeout=2) as answer:
        return mark_safe(answer.read().decode())


PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A strip in Django</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{{ server }}/css/strip.css">
<script type="module" src="{{ server }}/js/embed.js"></script>

<h1>Albums</h1>
{% carousel "albums" "Albums" controls="previous next" %}
"""


def index(request):
    engine = Engine(libraries={"carousel": __name__}, builtins=[__name__])
    return HttpResponse(engine.from_string(PAGE).render(Context({"server": CAROUSEL})))


urlpatterns = [path("", index)]

if __name__ == "__main__":
    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="example")
    execute_from_command_line(sys.argv)
