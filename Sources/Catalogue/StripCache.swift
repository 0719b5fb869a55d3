import Synchronization

/// The strips that were asked for lately, in bounded memory.
///
/// There are two generations: a strip that is asked for goes to the young one. When the young take
/// half of the memory, or some minutes have passed, they become the old, and what was old and not
/// asked for since is dropped; who asks for it again has it read again.
///
/// - Complexity: O(1) for each question; dropping costs what is dropped.
package final class StripCache<Strip: Weighed>: Sendable {
  private struct State {
    var young: [String: Strip] = [:]
    var old: [String: Strip] = [:]
    /// Bytes of the young, about.
    var weight = 0
    var turned = ContinuousClock.now

    mutating func turn(at now: ContinuousClock.Instant) {
      old = young
      young = [:]
      weight = 0
      turned = now
    }
  }

  private let state = Mutex(State())
  package let limit: Int
  private let idle: Duration
  private let long: Int

  /// - Parameters:
  ///   - limit: bytes of what is held, about.
  ///   - idle: a strip that nobody asks for is dropped after once to twice as long.
  ///   - long: bytes from which on a strip is long.
  package init(
    limit: Int, idle: Duration = .seconds(300), long: Int = MemoryCost.bytes(ofItems: 50_000)
  ) {
    self.limit = limit
    self.idle = idle
    self.long = long
  }

  /// The strip of this name; one that is not held is what `make` gives.
  package func find(_ name: String, or make: () -> Strip) -> Strip {
    state.withLock { state in
      if let strip = state.young[name] { return strip }
      let strip = state.old.removeValue(forKey: name) ?? make()
      add(strip, name, to: &state)
      return strip
    }
  }

  /// The strip of this name, if it is held; this does not count as asking for it.
  package func present(_ name: String) -> Strip? {
    state.withLock { $0.young[name] ?? $0.old[name] }
  }

  /// Takes note of what a strip takes by now, when it has grown.
  package func weigh(_ strip: Strip, _ name: String) {
    guard strip.weight.bytes != strip.weight.counted else { return }
    state.withLock { state in
      guard state.young[name] === strip else { return }
      state.weight -= strip.weight.counted
      add(strip, name, to: &state)
    }
  }

  /// Lets go of a strip that is no more.
  package func forget(_ strip: Strip, _ name: String) {
    state.withLock { state in
      if state.young[name] === strip {
        state.young[name] = nil
        state.weight -= strip.weight.counted
      }
      if state.old[name] === strip { state.old[name] = nil }
    }
  }

  /// Drops what nobody has asked for in a while, but for long strips: these take long to read again,
  /// and go only where others need their room.
  package func dropIdle(now: ContinuousClock.Instant) {
    state.withLock { state in
      guard now - state.turned >= idle else { return }
      let kept = state.old.filter { $1.weight.bytes >= self.long }
      state.turn(at: now)
      for (name, strip) in kept { add(strip, name, to: &state) }
    }
  }

  /// All strips that are held.
  package var all: [String: Strip] { state.withLock { $0.old.merging($0.young) { $1 } } }

  /// How many strips are held.
  package var count: Int { state.withLock { $0.young.count + $0.old.count } }

  private func add(_ strip: Strip, _ name: String, to state: inout State) {
    state.young[name] = strip
    state.weight += strip.weight.count()
    if state.weight > limit / 2 { state.turn(at: .now) }
  }
}
