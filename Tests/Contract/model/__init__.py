"""The contract as a program: naive, exact, one function for each clause.

It is written from the contract's text alone and shares nothing with the server that it judges.
The docstring of each function quotes the clause that it implements. Lengths are whole sixty-fourths of a
CSS px, heights too; aspects are whole 65536ths. Python's integers know no overflow.
"""
