// Prints the figures of lists, grids and justified rows as a table, and writes them to a file:
//
//     bench-layouts [FIGURES.json]
//
// Uses memory pages of 2 MB unless the environment contains GLIBC_TUNABLES.

import Glibc
import Windowing

if getenv("GLIBC_TUNABLES") == nil {
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1)
  execv("/proc/self/exe", CommandLine.unsafeArgv)
}

let figures = tenMillionFigures() + memoryFigures() + growthFigures()
print("\nname                    value        unit    bar          ")
for figure in figures { print(figure.row) }
if let path = CommandLine.arguments.dropFirst().first {
  write("{\"figures\":[\(figures.map(\.json).joined(separator: ",\n"))]}\n", to: path)
}
