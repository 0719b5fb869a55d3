import Items
import Synchronization
import Testing

@testable import ItemsInSQLite

struct HeldStripsTests {
  private let folder: ScratchFolder
  private let database: SQLiteReaders

  init() throws {
    folder = try ScratchFolder()
    let path = folder.path("strips.db")
    try SQLiteImporter(path: path).run(StripImport(name: "s")) { _ in }
    database = try SQLiteReaders(path: path, count: 1)
  }

  private func find(_ name: String, in strips: HeldStrips) -> HeldStrip {
    strips.find(name) { HeldStrip(name: name, database: database, changes: ChangeCounter()) }
  }

  @Test func takeBoundedMemory() {
    let strips = HeldStrips(limit: 100_000)
    for number in 0..<10_000 { _ = find("\(number)", in: strips) }
    let weight = find("one", in: strips).weight
    #expect(strips.count > 10 && strips.count * weight <= 100_000)
  }

  @Test func keepWhatIsAskedForWhileOthersPassBy() {
    let strips = HeldStrips(limit: 100_000)
    let asked = find("asked", in: strips)
    for number in 0..<10_000 {
      _ = find("\(number)", in: strips)
      if number % 10 == 0 { #expect(find("asked", in: strips) === asked) }
    }
    #expect(strips.present("1") == nil)
  }

  @Test func countWhatAStripHasGrownTo() throws {
    let strips = HeldStrips(limit: 100_000)
    for number in 0..<20 { _ = find("\(number)", in: strips) }
    let strip = find("s", in: strips)
    let before = strip.weight
    _ = try strip.edition(at: nil, patience: .waits)
    strips.weigh(strip, "s")
    #expect(strip.weight > before && strip.countedWeight.load(ordering: .relaxed) == strip.weight)
  }

  @Test func dropWhatNobodyAsksFor() {
    let strips = HeldStrips(limit: 100_000, idle: .seconds(60))
    let start = ContinuousClock.now
    _ = find("idle", in: strips)
    let asked = find("asked", in: strips)
    strips.dropIdle(now: start + .seconds(30))
    #expect(strips.count == 2)
    strips.dropIdle(now: start + .seconds(90))
    #expect(find("asked", in: strips) === asked)
    strips.dropIdle(now: start + .seconds(180))
    #expect(strips.present("idle") == nil && strips.present("asked") === asked)
  }

  @Test func keepLongStripsAsLongAsThereIsRoom() throws {
    let strips = HeldStrips(limit: 100_000, idle: .seconds(60), long: 3000)
    let start = ContinuousClock.now
    let long = find("s", in: strips)
    _ = try long.edition(at: nil, patience: .waits)
    strips.weigh(long, "s")
    _ = find("short", in: strips)
    for minute in 2..<7 { strips.dropIdle(now: start + .seconds(60 * minute)) }
    #expect(strips.present("short") == nil && strips.present("s") === long)
    for number in 0..<1000 { _ = find("\(number)", in: strips) }
    #expect(strips.present("s") == nil)
  }

  @Test func forgetAStripThatIsGone() {
    let strips = HeldStrips(limit: 100_000)
    let strip = find("a", in: strips)
    strips.forget(strip, "a")
    #expect(strips.count == 0 && find("a", in: strips) !== strip)
  }
}
