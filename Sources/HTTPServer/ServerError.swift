/// The reason why a server cannot start.
package enum ServerError: Error, Equatable, Sendable, CustomStringConvertible {
  case portInUse(host: String, port: Int)
  case portForbidden(host: String, port: Int)
  case unknownHost(String, reason: String)
  case cannotListen(host: String, port: Int, reason: String)
  case cannotStart(reason: String)

  package var description: String {
    switch self {
    case .portInUse(let host, let port): "Port \(port) of \(host) is in use by another program."
    case .portForbidden(let host, let port): "This user may not listen on port \(port) of \(host)."
    case .unknownHost(let host, let reason): "The host \(host) is unknown: \(reason)."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on port \(port) of \(host): \(reason)."
    case .cannotStart(let reason): "Cannot start the server: \(reason)."
    }
  }
}
