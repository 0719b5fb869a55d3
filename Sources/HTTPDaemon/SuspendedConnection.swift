import CMicrohttpd

/// A connection that the library leaves alone, and keeps where it is, until it is resumed.
struct SuspendedConnection: @unchecked Sendable {
  // Any thread may resume it; its owner sees to it that one does, once.
  private let connection: OpaquePointer

  init(_ connection: OpaquePointer) {
    MHD_suspend_connection(connection)
    self.connection = connection
  }

  func resume() { MHD_resume_connection(connection) }
}
