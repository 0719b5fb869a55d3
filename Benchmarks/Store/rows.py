#!/usr/bin/env python3
"""Writes a table of items for a measurement on standard output, always the same for the same words.

    Benchmarks/Store/rows.py one ITEMS             one strip; ids in no order, as catalogues have them
    Benchmarks/Store/rows.py many STRIPS ITEMS     so many strips of so many items each
"""

import sys

COLORS = ("#5b7a99", "#99785b", "#6a8f5b", "#8c5b99")


def one(items: int):
    # A prime that does not divide `items` leads through all numbers once.
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
