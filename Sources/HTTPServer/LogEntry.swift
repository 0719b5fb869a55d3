/// A line of the operator's log.
package struct LogEntry: Sendable {
  package enum Level: Sendable {
    /// Requests fail now, but could succeed later or on another server.
    case warning
    /// Something is damaged or missing.
    case error
  }

  package let level: Level
  package let message: String
  /// The id of the failed request, which its response has too.
  package var requestID: String?
}
