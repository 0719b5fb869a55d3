/// A request that went no further, as those see it who count and who log.
package struct RejectedRequest: Sendable {
  package let refusal: RejectionReason
  /// Who sent it; unknown where the library refused it and did not say whose it was.
  package let peer: Peer
  /// What could be read of it.
  package let glimpse: PartialHead
  /// What tells the request from others, if it has a name.
  package let id: String?

  /// - Parameter id: the name that it was given here, if it brought none.
  package init(
    _ refusal: RejectionReason, from peer: Peer = .unknown, glimpse: PartialHead = PartialHead(),
    id: String? = nil
  ) {
    self.refusal = refusal
    self.peer = peer
    self.glimpse = glimpse
    self.id = glimpse.requestID?.text ?? id
  }
}
