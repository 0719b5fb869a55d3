import ArgumentParser

/// A time as an option takes it: `2s`, `0.5s` or `500ms`; a number alone is of seconds.
struct DurationArgument: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let number = argument.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    guard let value = Double(number) else { return nil }
    switch argument[number.endIndex...] {
    case "", "s": duration = .seconds(value)
    case "ms": duration = .milliseconds(value)
    default: return nil
    }
  }
}
