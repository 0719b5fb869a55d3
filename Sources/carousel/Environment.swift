internal import FoundationEssentials

/// The environment variables that stand for options of `serve` and `health`.
enum Environment {
  /// `arguments` with the options that the environment gives and the command line does not.
  ///
  /// `CAROUSEL_FRESH_FOR=5` is `--fresh-for 5`; `PORT` is `--port` where `CAROUSEL_PORT` is not
  /// given. An empty variable counts as absent.
  static func completed(
    _ arguments: some Collection<String>,
    from variables: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    guard let command = arguments.first, let options = options[command] else {
      return Array(arguments)
    }
    var completed = Array(arguments)
    for option in options {
      let name = "CAROUSEL_" + option.uppercased().replacing("-", with: "_")
      let fallback = option == "port" ? variables["PORT"] : nil
      guard
        let value = [variables[name], fallback].compactMap(\.self).first(where: { !$0.isEmpty })
      else { continue }
      let flag = "--" + option
      guard !arguments.contains(where: { $0 == flag || $0.hasPrefix(flag + "=") }) else { continue }
      if flags.contains(option) {
        if ["1", "true", "yes", "on"].contains(value.lowercased()) { completed.append(flag) }
      } else {
        completed += [flag, value]
      }
    }
    return completed
  }

  private static let options = [
    "serve": [
      "database", "host", "port", "threads", "public", "fresh-for", "origin", "access-log",
      "strip-memory",
    ] + ServeLimits.names,
    "health": ["host", "port"],
  ]

  /// The options that have no value: a variable that says `1` or `true` sets them.
  private static let flags: Set<String> = ["access-log"]
}
