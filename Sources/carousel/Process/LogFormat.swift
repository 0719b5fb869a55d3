import ArgumentParser
import FoundationEssentials
import HTTP
import Logging

/// The format of the operator's log on standard error.
enum LogFormat: String, ExpressibleByArgument {
  case text, json

  var logger: Logger {
    Logger(label: "carousel") {
      switch self {
      case .text: StreamLogHandler.standardError(label: $0)
      case .json: JSONLogHandler()
      }
    }
  }

  /// Writes a line that a person who starts the server waits for. As text it has no time and no level.
  func announce(_ line: String, _ logger: Logger) {
    switch self {
    case .text: StandardError.write(line: line)
    case .json: logger.info("\(line)")
    }
  }
}

/// Writes each line of the log as a JSON object.
///
///     {"time":"2026-11-22T20:15:03.250Z","level":"error","message":"...","request_id":"5f3a-1"}
private struct JSONLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    var line = "{\"time\":\"\(time)\",\"level\":\"\(event.level)\""
    line += ",\"message\":\(JSONString("\(event.message)"))"
    for (key, value) in (event.metadata ?? [:]).sorted(by: { $0.key < $1.key }) {
      line += ",\(JSONString(key)):\(JSONString("\(value)"))"
    }
    StandardError.write(line: line + "}")
  }
}
