import Catalogue
import Windowing

extension StripRow {
  /// - Parameter row: with the columns that `fetch` asks for.
  init(_ row: Row) throws {
    number = try row.integer(0)
    place = try row.integer(1)
    name = try row.text(2)
    settings = try row.settings(from: 3)
    firstRevision = try row.integer(10)
    revision = try row.integer(11)
    folded = try row.integer(12)
    pending = Int(try row.integer(13))
    totals = try StripTotals(
      count: Int(row.integer(14)), aspects: Int(row.integer(15)), widths: Int(row.integer(16)),
      bare: Int(row.integer(17)), kinds: row.text(18))
    kinds = try row.kinds(19)
  }
}

extension StripSettings {
  /// Title, height, gap, inset, loop, snap, item width.
  var parameters: [Parameter] {
    [
      .text(title), .integer(height.units), .integer(gap.units), .integer(inset.units),
      .boolean(loop), .text(snap.rawValue), .integer(itemWidth.units),
    ]
  }
}

extension StripTotals {
  /// Count, aspects, widths, bare, and how many items there are of each kind.
  var parameters: [Parameter] {
    [count, aspects, widths, bare].map { .integer(Int64($0)) } + [.text(kindText)]
  }
}

extension Row {
  /// The settings in seven columns, in the order of their parameters.
  func settings(from column: Int) throws -> StripSettings {
    var settings = StripSettings(title: try text(column))
    settings.height = Length(units: try integer(column + 1))
    settings.gap = Length(units: try integer(column + 2))
    settings.inset = Length(units: try integer(column + 3))
    settings.loop = try boolean(column + 4)
    settings.snap = StripSettings.Snap(rawValue: try text(column + 5)) ?? .none
    settings.itemWidth = Length(units: try integer(column + 6))
    do {
      try settings.check()
    } catch {
      throw CatalogueError.corrupt("\(error)")
    }
    return settings
  }

  /// Names with commas between; none where there is no value.
  func kinds(_ column: Int) throws -> [String] {
    try (optionalText(column) ?? "").split(separator: ",").map(String.init)
  }
}
