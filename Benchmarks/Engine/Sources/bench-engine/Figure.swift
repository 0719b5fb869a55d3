/// A measured number and its limit, in the JSON format of the contract.
struct Figure {
  let name: String
  let value: Double
  let unit: String
  let bar: Double

  var met: Bool { value <= bar }

  var json: String {
    """
    {"name":"\(name)","value":\(Figure.decimal(value)),"unit":"\(unit)","bar":\(Figure.decimal(bar)),\
    "better":"lower","met":\(met)}
    """
  }

  var row: String {
    let cells = [
      name, Figure.decimal(value), unit, "<= " + Figure.decimal(bar), met ? "met" : "MISSED",
    ]
    let widths = [20, 12, 8, 12, 6]
    return zip(cells, widths).map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }
      .joined()
  }

  /// Formats a number with three decimal places.
  static func decimal(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    let digits = String(thousandths % 1000)
    return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits)"
  }
}
