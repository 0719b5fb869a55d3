"""The contract as a program: naive, exact, one function for each clause.

It is written from the contract's text alone and shares nothing with the server that it judges.
Above each function stands the clause that it spells out. Lengths are whole sixty-fourths of a
CSS px, heights too; aspects are whole 65536ths. Python's integers know no overflow.
"""
