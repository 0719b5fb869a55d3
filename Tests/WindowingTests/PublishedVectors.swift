import Windowing

/// Test cases of other projects, with their sources, where their rules agree with the contract.
/// Lengths are in px.
enum PublishedVectors {
  struct Visible: Sendable {
    let count: Int
    let offset: Int
    let first: Int
    let end: Int
  }

  /// react-window, lib/core/getStartStopIndices.test.ts: items of 25 in a viewport of 100.
  static let visible = [
    Visible(count: 0, offset: 0, first: 0, end: 0),
    Visible(count: 2, offset: 0, first: 0, end: 2),
    Visible(count: 10, offset: 0, first: 0, end: 4),
    Visible(count: 10, offset: 100, first: 4, end: 8),
    Visible(count: 10, offset: 150, first: 6, end: 10),
    Visible(count: 10, offset: -50, first: 0, end: 2),
    Visible(count: 10, offset: 200, first: 8, end: 10),
    Visible(count: 100, offset: 2_400, first: 96, end: 100),
    Visible(count: 100, offset: 100, first: 4, end: 8),
  ]

  struct Aligned: Sendable {
    let alignment: Alignment
    let current: Int
    /// Offsets by index; nil if the source does not test the index.
    let offsets: [Int?]
  }

  /// react-window, lib/core/getOffsetForIndex.test.ts: ten items of 10 in a viewport of 50.
  static let aligned = [
    Aligned(alignment: .center, current: 0, offsets: [0, 0, 0, 10, 20, 30, 40, 50, 50, 50]),
    Aligned(alignment: .start, current: 0, offsets: [0, 10, 20, 30, 40, 50, 50, 50, 50, 50]),
    Aligned(alignment: .end, current: 0, offsets: [0, 0, 0, 0, 0, 10, 20, 30, 40, 50]),
    Aligned(
      alignment: .nearest, current: 0, offsets: [0, nil, nil, nil, 0, 10, nil, nil, nil, 50]),
    Aligned(alignment: .nearest, current: 100, offsets: [0, nil, nil, nil, 40]),
  ]

  struct Snapped: Sendable {
    let gap: Int
    let inset: Int
    let alignment: Alignment
    let offsets: [Int]
  }

  /// embla-carousel, packages/embla-carousel/src/__tests__/align-ltr.test.ts: slides of these sizes
  /// in a viewport of 1000, not clamped. The signs are inverted.
  static let snappedSizes = [800, 400, 200, 500, 300]
  static let snapped = [
    Snapped(gap: 0, inset: 0, alignment: .start, offsets: [0, 800, 1_200, 1_400, 1_900]),
    Snapped(gap: 0, inset: 0, alignment: .center, offsets: [-100, 500, 800, 1_150, 1_550]),
    Snapped(gap: 0, inset: 0, alignment: .end, offsets: [-200, 200, 400, 900, 1_200]),
    Snapped(gap: 20, inset: 10, alignment: .start, offsets: [10, 830, 1_250, 1_470, 1_990]),
    Snapped(gap: 20, inset: 10, alignment: .center, offsets: [-90, 530, 850, 1_220, 1_640]),
    Snapped(gap: 20, inset: 10, alignment: .end, offsets: [-190, 230, 450, 970, 1_290]),
  ]

  struct Reloaded: Sendable {
    let offset: Int
    let extent: Int
    let kept: Int
  }

  /// MinScrollMenu, reloadData: the offset of a viewport of 375 after a reload.
  static let reloaded = [
    Reloaded(offset: 500, extent: 0, kept: 0),
    Reloaded(offset: 900, extent: 1_000, kept: 625),
    Reloaded(offset: 300, extent: 2_000, kept: 300),
    Reloaded(offset: 300, extent: 200, kept: 0),
  ]
}
