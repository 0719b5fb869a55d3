import CMicrohttpd

/// A connection that the library leaves alone, and keeps where it is, until it is resumed.
struct SuspendedConnection: @unchecked Sendable {
  // Any thread may resume it; its owner sees to it that one does, once.
  private let connection: OpaquePointer
  private let socket: Int32

  init(_ connection: OpaquePointer) {
    MHD_suspend_connection(connection)
    self.connection = connection
    socket = carousel_connection_socket(connection)
  }

  /// Whether its client has left: the library does not look at a connection set aside, nor close its
  /// socket.
  var isAbandoned: Bool { hasDeparted(socket) }

  func resume() { MHD_resume_connection(connection) }
}
