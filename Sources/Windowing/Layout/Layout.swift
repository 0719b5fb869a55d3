/// A strip drawn: at some height, with a gap between items and an inset at both ends, and either
/// once or over and over.
///
///     let layout = Layout(strip, height: .px(180), gap: .px(10), inset: .zero, wraps: false)
///     let span = Length.px(1200)..<Length.px(2000)
///     let window = try layout.window(meeting: span, pools: layout.pools(stretch: .px(800)))
///
/// Item i starts at inset + floor(height x aspects / 65536) + widths + i x gap, with the sums
/// over the items before it (the contract's arithmetic), and its size reaches to the gap before
/// the next start: sizes tile without drift, however long the strip.
///
/// Wrapping, index t x count + i is item i in turn t, for every whole t; it starts t periods
/// further on. A wrapping layout has no inset.
///
/// - Complexity: Making one is O(1); each question is O(log *n*) in the number of items.
public struct Layout: Sendable {
  public let strip: Strip
  public let height: Length
  public let gap: Length

  /// The room before the first item and after the last; 0 when the layout wraps.
  public let inset: Length

  /// Whether positions and indices run on past both ends. A strip whose period is 0 does not
  /// wrap, whatever was asked for.
  public let wraps: Bool

  /// How many items a turn has.
  public let count: Int

  /// The length of the whole strip, or of one turn when it wraps.
  public let extent: Length

  let scale: Scale

  /// Draws a strip.
  ///
  /// - Precondition: `height` is 0 ... 16,384 px, `gap` and `inset` 0 ... 65,536 px.
  public init(
    _ strip: Strip, height: Length, gap: Length = .zero, inset: Length = .zero, wraps: Bool = false
  ) {
    precondition(height >= .zero && height <= .px(16_384), "A height is 0 to 16384 px.")
    precondition(gap >= .zero && gap <= .px(65_536), "A gap is 0 to 65536 px.")
    precondition(inset >= .zero && inset <= .px(65_536), "An inset is 0 to 65536 px.")
    self.strip = strip
    self.height = height
    self.gap = gap
    scale = Scale(height: height, gap: gap)
    count = strip.count
    let measure = Self.measure(strip.totals, scale, inset: inset, wraps: wraps)
    self.wraps = measure.wraps
    self.inset = measure.wraps ? .zero : inset
    extent = measure.extent
  }

  /// Whether the whole strip lies within 2^47 px; where it does not, questions that name a
  /// position throw ``WindowingError/outOfRange``.
  public var fits: Bool { extent <= .farthest }

  /// The indices that have an item: those of the strip, or of every turn within reach.
  ///
  /// In a wrapping layout these go on past 2^47 px either way, or to 2^62 where turns are short.
  public var indices: Range<Int> {
    guard wraps else { return 0..<count }
    return -reach * count..<reach * count
  }

  /// How many turns positions are asked for either way.
  var reach: Int {
    min(Length.farthest.position / extent.position + 2, (1 << 62) / count)
  }
}

extension Layout {
  /// The extent of a strip that is not at hand, of which the totals are known.
  ///
  /// - Complexity: O(1).
  public static func extent(
    of totals: Totals, height: Length, gap: Length = .zero, inset: Length = .zero,
    wraps: Bool = false
  ) -> Length {
    measure(totals, Scale(height: height, gap: gap), inset: inset, wraps: wraps).extent
  }

  private static func measure(
    _ totals: Totals, _ scale: Scale, inset: Length, wraps: Bool
  ) -> (extent: Length, wraps: Bool) {
    let period = scale.position(totals)
    guard !wraps || period <= 0 else { return (Length(period), true) }
    return (inset + inset + Length(totals.count > 0 ? period - scale.gap : 0), false)
  }

  /// An index as a turn and a place in it.
  func turn(of index: Int) -> (turn: Int, index: Int) {
    guard wraps else { return (0, index) }
    let turn = floorDivide(index, by: count)
    return (turn, index - turn * count)
  }

  /// A position as a turn and a position in it, counted from where the first item starts.
  func turn(at position: Int) -> (turn: Int, position: Int) {
    guard wraps else { return (0, position - inset.position) }
    let turn = floorDivide(position, by: extent.position)
    return (turn, position - turn * extent.position)
  }

  /// Where a turn starts.
  func start(ofTurn turn: Int) -> Int { turn * extent.position + inset.position }
}

/// The whole quotient toward minus infinity, for turns before the first.
func floorDivide(_ a: Int, by b: Int) -> Int {
  let (quotient, rest) = a.quotientAndRemainder(dividingBy: b)
  return rest < 0 ? quotient - 1 : quotient
}

extension Layout {
  /// Where the item at `index` starts. O(log *n*).
  ///
  /// - Precondition: `index` is one of ``indices``.
  public func start(of index: Int) -> Length { Length(placed(index).start) }

  /// How long the item at `index` is drawn: 0 where it is hidden, or too small for 1/64 px.
  ///
  /// - Precondition: `index` is one of ``indices``.
  /// - Complexity: O(log *n*).
  public func size(of index: Int) -> Length {
    let (start, end) = placed(index)
    return Length(end - start)
  }

  /// Where the item at `index` ends: its start plus its size. O(log *n*).
  ///
  /// - Precondition: `index` is one of ``indices``.
  public func end(of index: Int) -> Length { Length(placed(index).end) }

  /// Where an item starts and ends, in 1/64 px.
  func placed(_ index: Int) -> (start: Int, end: Int) {
    let (turn, local) = turn(of: index)
    guard let root = strip.root, local >= 0, local < count,
      !wraps || (turn >= -reach && turn < reach)
    else { preconditionFailure("A layout is asked for items that it has.") }
    let before = root.totals(before: local)
    var after = before
    after.add(root.item(at: local))
    let origin = start(ofTurn: turn)
    return (
      origin + scale.position(before), origin + scale.position(after) - gap.position
    )
  }

  /// Where an item that a caller asks for starts and ends.
  ///
  /// - Throws: ``WindowingError/noItem(at:)`` outside a strip that does not wrap,
  ///   ``WindowingError/outOfRange`` where the item or the whole strip lies beyond 2^47 px.
  func place(asked index: Int) throws(WindowingError) -> (start: Int, end: Int) {
    guard indices.contains(index) else { throw wraps ? .outOfRange : .noItem(at: index) }
    let (start, end) = placed(index)
    let farthest = Length.farthest.position
    guard fits, start >= -farthest, end <= farthest else { throw .outOfRange }
    return (start, end)
  }
}

/// A run of items of one group, and where it starts: what a sticky heading shows.
public struct PlacedGroup: Hashable, Sendable {
  public let title: String

  /// The index of its first item, in the turn that was asked about.
  public let first: Int

  /// One past the index of its last.
  public let end: Int

  /// Where its first item starts.
  public let start: Length

  public init(title: String, first: Int, end: Int, start: Length) {
    self.title = title
    self.first = first
    self.end = end
    self.start = start
  }
}

extension Layout {
  /// The group of the item at `index`, or nil when it has none.
  ///
  /// Runs do not join across the seam of a wrap; in a later turn the numbers are that turn's.
  ///
  /// - Precondition: `index` is one of ``indices``.
  /// - Complexity: O(log *n*).
  public func group(at index: Int) -> PlacedGroup? {
    let (turn, local) = turn(of: index)
    return strip.groupRun(at: local).map { placed($0, inTurn: turn) }
  }

  /// The runs that have a group, in order, from the one that holds or follows `index`; once,
  /// also when the layout wraps.
  ///
  /// - Complexity: O(log *n*) for each run taken.
  public func groups(from index: Int = 0) -> some Sequence<PlacedGroup> {
    strip.groupRuns(from: index).lazy.map { placed($0, inTurn: 0) }
  }

  private func placed(_ run: GroupRun, inTurn turn: Int) -> PlacedGroup {
    let base = turn * (wraps ? count : 0)
    let (first, end) = (base + run.range.lowerBound, base + run.range.upperBound)
    return PlacedGroup(title: run.title, first: first, end: end, start: start(of: first))
  }
}
