"""The contract as a naive and exact program, with one function for each clause.

It follows only the contract's text and shares no code with the server. The docstring of each function
quotes its clause. Lengths and heights are integers in 1/64 CSS px. Aspects are integers in 1/65536.
Python's integers do not overflow.
"""
