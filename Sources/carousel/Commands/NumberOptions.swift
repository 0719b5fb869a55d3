import ArgumentParser
import Windowing

// Options whose value can begin with `-`: a negative number is then not taken for an option.
extension Option {
  init<Wrapped: ExpressibleByArgument>(signed help: ArgumentHelp) where Value == Wrapped? {
    self.init(parsing: .unconditional, help: help)
  }

  init(wrappedValue: Int, signed help: ArgumentHelp, in range: ClosedRange<Int>)
  where Value == Int {
    var help = help
    // ArgumentParser shows the default value of an option without `transform` only.
    help.abstract += " (default: \(wrappedValue))"
    self.init(
      wrappedValue: wrappedValue, parsing: .unconditional, help: help, transform: range.number)
  }

  init(signed help: ArgumentHelp, in range: ClosedRange<Int>) where Value == Int? {
    self.init(parsing: .unconditional, help: help) { text throws -> Int in try range.number(text) }
  }

  init(length help: ArgumentHelp) where Value == Length? {
    self.init(help) { Length(px: $0) }
  }

  init(aspect help: ArgumentHelp) where Value == Aspect? {
    self.init(help) { Aspect(ratio: $0) }
  }

  private init<Wrapped>(
    _ help: ArgumentHelp, _ make: @escaping @Sendable (Double) -> Wrapped?
  ) where Value == Wrapped? {
    self.init(parsing: .unconditional, help: help) { text throws -> Wrapped in
      guard let value = Double(text).flatMap(make) else {
        throw ValidationError("it is too small, too large or no number")
      }
      return value
    }
  }
}

extension ClosedRange<Int> {
  fileprivate func number(_ text: String) throws -> Int {
    guard let number = Int(text), contains(number) else {
      throw ValidationError("it must be a number from \(lowerBound) to \(upperBound)")
    }
    return number
  }
}
