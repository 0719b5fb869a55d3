/// Why a daemon could not be started.
package enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  case portInUse(host: String, port: Int)
  case portForbidden(host: String, port: Int)
  case unknownHost(String, reason: String)
  case cannotListen(host: String, port: Int, reason: String)
  case cannotStart(reason: String)

  package var description: String {
    switch self {
    case .portInUse(let host, let port):
      "Port \(port) of \(host) is in use by another program."
    case .portForbidden(let host, let port):
      "Port \(port) of \(host) may not be used by this user."
    case .unknownHost(let host, let reason):
      "The host \(host) is not known: \(reason)."
    case .cannotListen(let host, let port, let reason):
      "Nothing can listen on port \(port) of \(host): \(reason)."
    case .cannotStart(let reason):
      "The server could not be started: \(reason)."
    }
  }
}
