import Catalogue
import Testing
import Windowing

struct HeldStripsTests {
  private final class Held: Weighed {
    let weight = MemoryCost()
  }

  private func find(_ name: String, in strips: StripCache<Held>) -> Held {
    strips.find(name) { Held() }
  }

  /// Notes that a strip has been read.
  private func read(_ strip: Held, _ name: String, in strips: StripCache<Held>) {
    strip.weight.set(PlacedStrip(Strip(), at: Positions()), former: 0)
    strips.weigh(strip, name)
  }

  @Test func takeBoundedMemory() {
    let strips = StripCache<Held>(limit: 100_000)
    for number in 0..<10_000 { _ = find("\(number)", in: strips) }
    let weight = find("one", in: strips).weight.bytes
    #expect(strips.count > 10 && strips.count * weight <= 100_000)
  }

  @Test func keepWhatIsAskedForWhileOthersPassBy() {
    let strips = StripCache<Held>(limit: 100_000)
    let asked = find("asked", in: strips)
    for number in 0..<10_000 {
      _ = find("\(number)", in: strips)
      if number % 10 == 0 { #expect(find("asked", in: strips) === asked) }
    }
    #expect(strips.present("1") == nil)
  }

  @Test func countWhatAStripHasGrownTo() {
    let strips = StripCache<Held>(limit: 100_000)
    let strip = find("s", in: strips)
    let before = strip.weight.bytes
    read(strip, "s", in: strips)
    #expect(strip.weight.bytes > before)
    // Twenty that were read take more than half of the memory, where twenty others would not.
    for number in 0..<20 { read(find("\(number)", in: strips), "\(number)", in: strips) }
    for number in 20..<40 { read(find("\(number)", in: strips), "\(number)", in: strips) }
    #expect(strips.present("s") == nil)
  }

  @Test func dropWhatNobodyAsksFor() {
    let strips = StripCache<Held>(limit: 100_000, idle: .seconds(60))
    let start = ContinuousClock.now
    _ = find("idle", in: strips)
    let asked = find("asked", in: strips)
    strips.dropIdle(now: start + .seconds(30))
    #expect(strips.count == 2)
    strips.dropIdle(now: start + .seconds(90))
    #expect(find("asked", in: strips) === asked)
    strips.dropIdle(now: start + .seconds(180))
    #expect(strips.present("idle") == nil && strips.present("asked") === asked)
    #expect(strips.all.keys.sorted() == ["asked"])
  }

  @Test func keepLongStripsAsLongAsThereIsRoom() {
    let strips = StripCache<Held>(limit: 100_000, idle: .seconds(60), long: 3000)
    let start = ContinuousClock.now
    let long = find("s", in: strips)
    read(long, "s", in: strips)
    _ = find("short", in: strips)
    for minute in 2..<7 { strips.dropIdle(now: start + .seconds(60 * minute)) }
    #expect(strips.present("short") == nil && strips.present("s") === long)
    for number in 0..<1000 { _ = find("\(number)", in: strips) }
    #expect(strips.present("s") == nil)
  }

  @Test func forgetAStripThatIsGone() {
    let strips = StripCache<Held>(limit: 100_000)
    let strip = find("a", in: strips)
    strips.forget(strip, "a")
    #expect(strips.count == 0 && find("a", in: strips) !== strip)
  }
}
