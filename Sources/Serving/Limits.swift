import Windowing

/// What a request may ask for at most, from the contract.
enum Limits {
  /// Where a viewport may stand: 2^46 px either way.
  static let offset = Length(px: -(1 << 46))...Length(px: 1 << 46)
  /// How long a viewport may be.
  static let width = Length(px: 1)...Length(px: 65_536)
  /// How high a strip may be drawn.
  static let height = Length(px: 16)...Length(px: 16_384)
  /// What may be added on both sides.
  static let overscan = Length.zero...Length(px: 65_536)
  /// The longest stretch that slots are counted for.
  static let pool = Length(px: 262_144)
  /// The most items in one window, and in `have`.
  static let items = 4096
  /// The most strips that one event stream tells of.
  static let strips = 64
  /// The most entries in one page of a list.
  static let page = 1000
}
