import ArgumentParser

/// The parameters of a view as options: of `carousel window` and `carousel export`.
struct ViewOptions: ParsableArguments {
  @Option(signed: "The name of a stored list: its items in its order.")
  var list: String?

  @Option(
    name: .customLong("where"), parsing: .unconditional,
    help: ArgumentHelp("A filter, such as 'year 1800 TO 1850'.", valueName: "filter"))
  var filter: String?

  @Option(
    name: .customLong("q"), parsing: .unconditional,
    help: ArgumentHelp("Words to search for.", valueName: "words"))
  var search: String?

  @Option(
    signed: ArgumentHelp("Fields to sort by; - before one sorts descending.", valueName: "fields"))
  var sort: String?

  var isEmpty: Bool { parameters.allSatisfy { $0.value == nil } }

  var parameters: [(name: StaticString, value: String?)] {
    [("list", list), ("where", filter), ("q", search), ("sort", sort)]
  }
}
