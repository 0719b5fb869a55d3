/// Until when a change waits for others who write to the same store: for ten seconds from when it was
/// asked for, what it has waited behind other changes counted in.
///
///     let deadline = WriteDeadline()           // when the request comes
///     ...                                      // and then its turn
///     let revision = try editor.edit("albums", batch, expecting: .anything, once: nil, by: deadline)
///
/// So nobody waits for the same writer anew whom those before have waited for in vain.
package struct WriteDeadline: Sendable {
  package static let seconds = 10

  package let end: ContinuousClock.Instant

  package init(asked: ContinuousClock.Instant = .now) { end = asked + .seconds(Self.seconds) }

  /// The milliseconds that are left, none of them begun; 0 when it is over.
  package var millisecondsLeft: Int {
    max(0, Int((end - .now) / .milliseconds(1)))
  }
}
