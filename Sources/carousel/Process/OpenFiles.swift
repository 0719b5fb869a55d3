import Glibc

/// The process's limit of open files (RLIMIT_NOFILE). Each connection needs one.
enum OpenFiles {
  /// The files that the server needs beside its connections: the database, listening sockets, logs.
  private static let reserved = 96

  /// Raises the soft limit to what `connections` need, up to the hard limit. A shell's soft limit is
  /// often 1,024, and its hard limit far higher.
  static func raiseLimit(forConnections connections: Int) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    let needed = min(rlim_t(connections + reserved), limit.rlim_max)
    guard limit.rlim_cur < needed else { return }
    limit.rlim_cur = needed
    setrlimit(resource, &limit)
  }
}
