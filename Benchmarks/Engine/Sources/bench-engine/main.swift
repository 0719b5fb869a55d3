// Prints the engine's figures as a table. Writes them, and a plot of their growth, to files:
//
//     bench-engine [FIGURES.json [GROWTH.svg]]
//
// Uses memory pages of 2 MB unless the environment contains GLIBC_TUNABLES.

import Glibc

if getenv("GLIBC_TUNABLES") == nil {
  setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1)
  execv("/proc/self/exe", CommandLine.unsafeArgv)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let billion = billionFigures()
var figures = TenMillion().figures() + billion
let growth = Growth.measured()
figures.append(growth.figure)

print("\nname                value        unit    bar          ")
for figure in figures { print(figure.row) }
print("\n" + growth.table)
if let path = arguments.first {
  write("{\"figures\":[\(figures.map(\.json).joined(separator: ",\n"))]}\n", to: path)
}
if arguments.count > 1 { write(growth.plot, to: arguments[1]) }
