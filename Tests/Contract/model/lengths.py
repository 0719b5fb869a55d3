"""Converts decimal numbers to integers in the smallest unit, and back."""

import math

PX = 64
RATIO = 65536
FARTHEST = 2**47 * PX


def whole(number: str, units: int) -> int:
    """ "A decimal number v is taken to the nearest whole unit, halves upward, in double
    arithmetic: floor(v x 64 + 0.5) for px, floor(v x 65536 + 0.5) for an aspect."
    """
    return math.floor(float(number) * units + 0.5)


def px(number: str) -> int:
    """The length in 1/64 px of a decimal number in px."""
    return whole(number, PX)


def aspect(number: str) -> int:
    """The aspect in 1/65536 of a decimal number."""
    return whole(number, RATIO)


def decimal(length: int) -> str:
    """ "px as exact decimals without exponent or trailing zeros": a sixty-fourth is 0.015625."""
    sign = "-" if length < 0 else ""
    whole_px, rest = divmod(abs(length), PX)
    fraction = f"{rest * 15625:06}".rstrip("0")
    return f"{sign}{whole_px}" + (f".{fraction}" if fraction else "")


def ladder() -> list[int]:
    """ "a ladder of 8, 9, ... 15, 16, 18, ... 30, 32, 36, ... px (k x 2^m, k from 8 to 15)"."""
    return [k * 2**m * PX for m in range(18) for k in range(8, 16)]


def rung_above(stretch: int) -> int:
    """ "the stretch `pool` is taken up to the ladder"."""
    return next(rung for rung in ladder() if rung >= stretch)


def rung_below(height: int) -> int:
    """ "the height down, for this purpose alone"."""
    return max(rung for rung in ladder() if rung <= height)
