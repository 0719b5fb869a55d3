/// A request that has been answered, as those see it who count and who log.
package struct Exchange: Sendable {
  package let request: Request
  /// What tells the request from others, if it has a name.
  package let id: String?
  package let status: Int
  /// The pattern of the route that answered; nil where none did.
  package let route: StaticString?
  /// Bytes of the body, of an event stream 0.
  package let count: Int
  /// Nanoseconds from the whole request to its answer on its way; 0 for one that was ready.
  package let nanoseconds: Int64

  package init(
    request: Request, id: String? = nil, status: Int, route: StaticString?, count: Int,
    nanoseconds: Int64
  ) {
    self.request = request
    self.id = id
    self.status = status
    self.route = route
    self.count = count
    self.nanoseconds = nanoseconds
  }
}

/// Who wants to know of each exchange: called on the daemon's threads, so it must not wait.
package protocol Observer: Sendable {
  /// `worker` numbers the daemon's threads from 0.
  func answered(_ exchange: Exchange, by worker: Int)
  /// A request went no further.
  func refused(_ refused: RejectedRequest)
}
