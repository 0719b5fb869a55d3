"""Waiting for what comes by itself: it is asked for again and again, not slept for."""

import time

#: When it is given up: no busy machine takes so long, and no test says by it how fast something is.
GIVEN_UP_SECONDS = 30


def come_to(ask, otherwise: str) -> None:
    """Asks until it is so; `otherwise` says what is wrong where it never is."""
    deadline = time.monotonic() + GIVEN_UP_SECONDS
    while not ask():
        assert time.monotonic() < deadline, otherwise
