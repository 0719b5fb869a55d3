import Windowing

/// The limits of parameters, as `Public/openapi.json` states them.
enum Limits {
  /// The offset of a viewport.
  static let offset = Length(px: -(1 << 46))...Length(px: 1 << 46)
  /// The length of a viewport.
  static let width = Length(px: 1)...Length(px: 65_536)
  /// The height of a strip.
  static let height = Length(px: 16)...Length(px: 16_384)
  /// The length that is added to a viewport on both sides.
  static let overscan = Length.zero...Length(px: 65_536)
  /// The longest stretch for which slots are counted.
  static let pool = Length(px: 262_144)
  /// The most items in one window, and in `have`.
  static let items = 4096
  /// The most bytes of a window, as JSON or as HTML.
  static let answer = 16 << 20
  /// The most strips of one event stream.
  static let strips = 64
  /// The most entries in one page of a list.
  static let page = 1000
  /// The most ids in one request.
  static let ids = 200
}
