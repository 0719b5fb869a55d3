import FoundationEssentials
import Glibc

/// The socket that systemd listens on for us, so that a restart loses no connection
/// (sd_listen_fds(3)).
enum SocketActivation {
  /// The listening socket that this process was started with; nil where it was not.
  static func socket(
    from variables: [String: String] = ProcessInfo.processInfo.environment
  ) -> Int32? {
    guard let process = variables["LISTEN_PID"], Int32(process) == getpid(),
      let count = variables["LISTEN_FDS"].flatMap({ Int($0) }), count >= 1
    else { return nil }
    return 3
  }
}
