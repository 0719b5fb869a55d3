#!/usr/bin/env python3
"""Writes a table of items to standard output. Equal arguments give equal tables.

    Benchmarks/Store/rows.py one ITEMS             one strip; its ids are not in order, as in a catalogue
    Benchmarks/Store/rows.py many STRIPS ITEMS     STRIPS strips of ITEMS items each
"""

import sys

COLORS = ("#5b7a99", "#99785b", "#6a8f5b", "#8c5b99")


def one(items: int):
    # Steps of a prime that does not divide `items` visit each number once.
    step = next(prime for prime in (7919, 7907, 7901) if items % prime)
    yield "id,width,group,title,subtitle,color\n"
    for n in range(items):
        width = 72 + n * 7919 % 167
        yield f"n{n * step % items:08d},{width},{n // 100},No. {n},{width} px,{COLORS[n % 4]}\n"


def many(strips: int, items: int):
    yield "strip,id,width,title,color\n"
    for strip in range(strips):
        for n in range(items):
            width = 72 + (strip + n) * 7919 % 167
            yield f"s{strip:06d},{n},{width},No. {n},{COLORS[n % 4]}\n"


def main():
    shape, *counts = sys.argv[1:]
    sys.stdout.writelines({"one": one, "many": many}[shape](*map(int, counts)))


if __name__ == "__main__":
    main()
