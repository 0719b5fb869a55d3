import ArgumentParser
import FoundationEssentials

/// Environment variables for the options of `serve`, `photos` and `health`: `CAROUSEL_FRESH_FOR=5` is
/// `--fresh-for 5`. `PORT` is `--port` if `CAROUSEL_PORT` is not set.
enum EnvironmentOptions {
  struct CommandLine {
    var arguments: [String]
    fileprivate(set) var variables: [String: String] = [:]

    /// Appends to an error about options the variables that have set these options.
    func explained(_ message: String) -> String {
      let first = message.prefix { $0 != "\n" }
      let named = variables.keys.sorted().filter { option in
        first.ranges(of: option).contains { range in
          // "--port" must not match in "--port-range".
          first[range.upperBound...].first.map { !$0.isLetter && $0 != "-" } ?? true
        }
      }
      return message
        + named.map { "\n\($0) is set by the environment variable \(variables[$0] ?? "")." }
        .joined()
    }
  }

  /// An option that a command declares: `_freshFor` is `fresh-for`.
  private struct DeclaredOption {
    let name: String
    /// Whether it takes no value: `1`, `true`, `yes` or `on` sets it.
    let isFlag: Bool

    var variable: String { "CAROUSEL_" + name.uppercased().replacing("-", with: "_") }

    static func all(of command: String) -> [DeclaredOption] {
      let groups: [any ParsableArguments] =
        switch command {
        case "serve": [ServeCommand(), ServeOptions(), ServeLimits()]
        case "photos": [ServeOptions(), ServeLimits()]
        case "health": [HealthCommand()]
        default: []
        }
      return groups.flatMap { Mirror(reflecting: $0).children }.compactMap { child in
        guard let label = child.label, !(child.value is OptionGroup<ServeLimits>),
          !(child.value is OptionGroup<ServeOptions>)
        else { return nil }
        let words = label.dropFirst().map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }
        return DeclaredOption(name: words.joined(), isFlag: child.value is Flag<Bool>)
      }
    }
  }

  /// An empty variable counts as absent.
  static func added(to arguments: some Collection<String>) -> CommandLine {
    let variables = ProcessInfo.processInfo.environment
    var line = CommandLine(arguments: Array(arguments))
    for option in DeclaredOption.all(of: arguments.first ?? "") {
      let names = [option.variable] + (option.name == "port" ? ["PORT"] : [])
      guard let name = names.first(where: { variables[$0]?.isEmpty == false }),
        let value = variables[name]
      else { continue }
      let flag = "--" + option.name
      guard !arguments.contains(where: { $0 == flag || $0.hasPrefix(flag + "=") }) else { continue }
      guard option.isFlag else {
        line.arguments += [flag, value]
        line.variables[flag] = name
        continue
      }
      switch value.lowercased() {
      case "1", "true", "yes", "on": line.arguments.append(flag)
      case "0", "false", "no", "off": break
      default:
        // A flag takes no value, so ArgumentParser rejects this one and names the option.
        line.arguments.append("\(flag)=\(value)")
        line.variables[flag] = name
      }
    }
    return line
  }

  /// Variables that match no option of a command, perhaps because of a typo. Kubernetes sets
  /// `CAROUSEL_SERVICE_...` and `CAROUSEL_PORT_...` for a service named `carousel`.
  static func unknown(to command: String) -> [String] {
    let known = DeclaredOption.all(of: command).map(\.variable)
    let given = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }.keys
    return given.sorted().filter { name in
      name.hasPrefix("CAROUSEL_") && !known.contains(name)
        && !name.hasPrefix("CAROUSEL_SERVICE_") && !name.hasPrefix("CAROUSEL_PORT_")
    }
  }
}
