"""Waits for a condition by polling it."""

import time
from threading import Event

#: Seconds after which a test fails. A busy machine takes less, so no test makes a claim about speed.
TIMEOUT_SECONDS = 120
POLL_SECONDS = 0.005

_unset = Event()


def wait_until(is_met, otherwise: str = "the condition was not met") -> None:
    """Polls `is_met` until it is true. Fails with the message `otherwise` after TIMEOUT_SECONDS."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not is_met():
        assert time.monotonic() < deadline, otherwise
        _unset.wait(POLL_SECONDS)
