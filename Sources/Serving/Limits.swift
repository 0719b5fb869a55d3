import Windowing

/// The limits of parameters, as `Public/openapi.json` states them.
package enum Limits {
  static let offset = Length(px: -(1 << 46))...Length(px: 1 << 46)
  static let width = Length(px: 1)...Length(px: 65_536)
  static let height = Length(px: 16)...Length(px: 16_384)
  static let overscan = Length.zero...Length(px: 65_536)
  static let pool = Length(px: 262_144)
  /// The most items of a strip in justified rows. Their table takes about 1.1 bytes an item.
  static let rowItems = 1 << 27
  /// The most items in one window, and in `have`.
  static let items = 4096
  /// The most bytes of a window, as JSON or as HTML.
  static let responseSize = 16 << 20
  /// The most strips of one event stream.
  package static let strips = 64
  /// The most entries in one page of a list.
  static let page = 1000
  /// The most ids in one request.
  static let ids = 200
}
