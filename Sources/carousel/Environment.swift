import FoundationEssentials

/// The environment variables that stand for options of `serve` and `health`.
enum Environment {
  /// `arguments` with the options that the environment gives and the command line does not.
  ///
  /// `CAROUSEL_FRESH_FOR=5` is `--fresh-for 5`; `PORT` is `--port` where `CAROUSEL_PORT` is not
  /// given. An empty variable counts as absent.
  static func completed(
    _ arguments: some Collection<String>,
    from variables: [String: String] = ProcessInfo.processInfo.environment
  ) -> Completed {
    var completed = Completed(arguments: Array(arguments))
    guard let command = arguments.first, let options = options[command] else { return completed }
    for option in options {
      let own = variable(of: option)
      let names = option == "port" ? [own, "PORT"] : [own]
      guard let name = names.first(where: { variables[$0]?.isEmpty == false }),
        let value = variables[name]
      else { continue }
      let flag = "--" + option
      guard !arguments.contains(where: { $0 == flag || $0.hasPrefix(flag + "=") }) else { continue }
      if flags.contains(option) {
        switch value.lowercased() {
        case "1", "true", "yes", "on": completed.arguments.append(flag)
        case "0", "false", "no", "off": break
        default:
          // An option without a value is refused with one.
          completed.arguments.append("\(flag)=\(value)")
          completed.variables[flag] = name
        }
      } else {
        completed.arguments += [flag, value]
        completed.variables[flag] = name
      }
    }
    return completed
  }

  /// The variables that are called like options of `serve`, of which there are none: mistyped, perhaps.
  ///
  /// Kubernetes sets some of its own where a service is called carousel.
  static func strangers(
    in variables: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    let known = Set(options["serve", default: []].map(variable))
    return variables.compactMap { name, value in
      let isOurs = name.hasPrefix("CAROUSEL_") && !value.isEmpty
      let isOfKubernetes = name.hasPrefix("CAROUSEL_SERVICE_") || name.hasPrefix("CAROUSEL_PORT_")
      return isOurs && !isOfKubernetes && !known.contains(name) ? name : nil
    }.sorted()
  }

  private static func variable(of option: String) -> String {
    "CAROUSEL_" + option.uppercased().replacing("-", with: "_")
  }

  /// A command line, and which of its options nobody typed.
  struct Completed {
    var arguments: [String]
    /// The variable that each of those options comes from, by the option.
    fileprivate(set) var variables: [String: String] = [:]

    /// `message`, which is about the command line, with the variables that are to blame.
    func explained(_ message: String) -> String {
      let first = message.prefix { $0 != "\n" }
      let blamed = variables.keys.sorted().filter { flag in
        first.ranges(of: flag).contains { range in
          // "--port" is no part of "--port-range".
          first[range.upperBound...].first.map { !$0.isLetter && $0 != "-" } ?? true
        }
      }
      return message
        + blamed.map { "\n\($0) was given by the environment variable \(variables[$0] ?? "")." }
        .joined()
    }
  }

  private static let options = [
    "serve": [
      "database", "host", "port", "threads", "public", "fresh-for", "origin", "access-log",
      "strip-memory", "publish-every", "closed",
    ] + ServeLimits.names,
    "health": ["host", "port"],
  ]

  /// The options that have no value: a variable that says `1` or `true` sets them, `0` or `false`
  /// does not.
  private static let flags: Set<String> = ["access-log", "closed"]
}
