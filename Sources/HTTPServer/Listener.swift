private import Glibc

/// A listening socket, which it closes.
struct Listener: ~Copyable {
  let descriptor: Int32
  let port: Int

  init(_ options: ServerOptions) throws(ServerError) {
    if let socket = options.listeningSocket {
      descriptor = socket
    } else {
      descriptor = try Listener.listeningSocket(host: options.host, port: options.port)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    port = SocketAddress(boundTo: descriptor).port
  }

  deinit { close(descriptor) }

  private static func listeningSocket(host: String, port: Int) throws(ServerError) -> Int32 {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var addresses: UnsafeMutablePointer<addrinfo>?
    let outcome = getaddrinfo(host, String(port), &hints, &addresses)
    guard outcome == 0, let addresses else {
      throw .unknownHost(host, reason: String(cString: gai_strerror(outcome)))
    }
    defer { freeaddrinfo(addresses) }
    var reason: Int32 = 0
    // `localhost` can lead to ::1 on a machine without IPv6, and a name to addresses of other machines.
    for address in sequence(first: addresses, next: \.pointee.ai_next).lazy.map(\.pointee)
    where ![EADDRINUSE, EACCES].contains(reason) {
      let kind = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
      let socket = Glibc.socket(address.ai_family, kind, 0)
      var yes: Int32 = 1
      let size = socklen_t(MemoryLayout.size(ofValue: yes))
      if socket >= 0, setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, size) == 0,
        bind(socket, address.ai_addr, address.ai_addrlen) == 0, listen(socket, SOMAXCONN) == 0
      {
        return socket
      }
      reason = errno
      if socket >= 0 { close(socket) }
    }
    switch reason {
    case EADDRINUSE: throw .portInUse(host: host, port: port)
    case EACCES: throw .portForbidden(host: host, port: port)
    default:
      throw .cannotListen(host: host, port: port, reason: String(cString: strerror(reason)))
    }
  }
}
