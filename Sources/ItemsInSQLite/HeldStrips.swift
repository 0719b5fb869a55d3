import Synchronization

/// The strips that were asked for lately, in bounded memory.
///
/// There are two generations: a strip that is asked for goes to the young one. When the young take
/// half of the memory, or some minutes have passed, they become the old, and what was old and not
/// asked for since is dropped; who asks for it again has it read again.
///
/// - Complexity: O(1) for each question; dropping costs what is dropped.
final class HeldStrips: Sendable {
  private struct State {
    var young: [String: HeldStrip] = [:]
    var old: [String: HeldStrip] = [:]
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
  let limit: Int
  private let idle: Duration
  private let long: Int

  /// - Parameters:
  ///   - limit: bytes of what is held, about.
  ///   - idle: a strip that nobody asks for is dropped after once to twice as long.
  ///   - long: bytes from which on a strip is long.
  init(
    limit: Int, idle: Duration = .seconds(300), long: Int = HeldStrip.weight(ofItems: 50_000)
  ) {
    self.limit = limit
    self.idle = idle
    self.long = long
  }

  /// The strip of this name; one that is not held is what `make` gives.
  func find(_ name: String, or make: () -> HeldStrip) -> HeldStrip {
    state.withLock { state in
      if let strip = state.young[name] { return strip }
      let strip = state.old.removeValue(forKey: name) ?? make()
      add(strip, name, to: &state)
      return strip
    }
  }

  /// The strip of this name, if it is held; this does not count as asking for it.
  func present(_ name: String) -> HeldStrip? {
    state.withLock { $0.young[name] ?? $0.old[name] }
  }

  /// Takes note of what a strip takes by now, when it has grown.
  func weigh(_ strip: HeldStrip, _ name: String) {
    let (weight, known) = (strip.weight, strip.countedWeight.load(ordering: .relaxed))
    guard weight != known else { return }
    state.withLock { state in
      guard state.young[name] === strip else { return }
      state.weight -= strip.countedWeight.load(ordering: .relaxed)
      add(strip, name, to: &state)
    }
  }

  /// Lets go of a strip that is no more.
  func forget(_ strip: HeldStrip, _ name: String) {
    state.withLock { state in
      if state.young[name] === strip {
        state.young[name] = nil
        state.weight -= strip.countedWeight.load(ordering: .relaxed)
      }
      if state.old[name] === strip { state.old[name] = nil }
    }
  }

  /// Drops what nobody has asked for in a while, but for long strips: these take long to read again,
  /// and go only where others need their room.
  func dropIdle(now: ContinuousClock.Instant) {
    state.withLock { state in
      guard now - state.turned >= idle else { return }
      let kept = state.old.filter { $1.weight >= self.long }
      state.turn(at: now)
      for (name, strip) in kept { add(strip, name, to: &state) }
    }
  }

  /// How many strips are held.
  var count: Int { state.withLock { $0.young.count + $0.old.count } }

  private func add(_ strip: HeldStrip, _ name: String, to state: inout State) {
    strip.countedWeight.store(strip.weight, ordering: .relaxed)
    state.young[name] = strip
    state.weight += strip.weight
    if state.weight > limit / 2 { state.turn(at: .now) }
  }
}
