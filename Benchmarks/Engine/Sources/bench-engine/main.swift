import Windowing

var figures = TenMillion().figures()
for figure in figures { print(figure.row) }
