import CMicrohttpd

/// A connection that libmicrohttpd ignores until it is resumed. Its memory stays valid until then.
struct SuspendedConnection: @unchecked Sendable {
  // Any thread may resume a connection. The owner of this value resumes it once.
  private let handle: OpaquePointer
  private let socket: Int32

  /// Suspends the connection. Only its worker's thread may call this.
  init(_ handle: OpaquePointer) {
    MHD_suspend_connection(handle)
    self.handle = handle
    socket = carousel_connection_socket(handle)
  }

  var isBroken: Bool { Connection.isBroken(socket) }

  func resume() { MHD_resume_connection(handle) }
}
