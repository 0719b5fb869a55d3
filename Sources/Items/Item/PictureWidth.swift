/// The widths of made pictures in px, for which `{w}` in an address stands: few, so that readers share pictures.
package enum PictureWidth {
  package static let all = [160, 240, 320, 480, 640, 960, 1280, 1920, 2560]

  /// The least width that is not below `px`, or the greatest one.
  package static func least(_ px: Int) -> Int { all.first { $0 >= px } ?? all[all.count - 1] }
}
