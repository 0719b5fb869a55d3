// Prints the engine's figures as a table, and writes them, and a plot of their growth, to the files
// named: bench-engine [FIGURES.json [GROWTH.svg]]

let arguments = Array(CommandLine.arguments.dropFirst())
var figures = TenMillion().figures() + billionFigures()
let growth = Growth.measured()
figures.append(growth.figure)

print("\nname                value        unit    bar          ")
for figure in figures { print(figure.row) }
print("\n" + growth.table)
if let path = arguments.first {
  write("{\"figures\":[\(figures.map(\.json).joined(separator: ",\n"))]}\n", to: path)
}
if arguments.count > 1 { write(growth.plot, to: arguments[1]) }
