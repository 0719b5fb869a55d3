/// A command of the user.
package enum Key: String, CaseIterable {
  case left, right, pageUp, pageDown, home, end
  case insert, delete, wider, moveLeft, moveRight

  /// The bytes that terminals send for a key: escape sequences of xterm, and letters. Nil for
  /// others.
  package init?(bytes: [UInt8]) {
    switch String(decoding: bytes, as: UTF8.self) {
    case "\u{1b}[D": self = .left
    case "\u{1b}[C": self = .right
    case "\u{1b}[5~": self = .pageUp
    case "\u{1b}[6~": self = .pageDown
    case "\u{1b}[H", "\u{1b}[1~", "\u{1b}OH": self = .home
    case "\u{1b}[F", "\u{1b}[4~", "\u{1b}OF": self = .end
    case "\u{1b}[2~", "i": self = .insert
    case "\u{1b}[3~", "d": self = .delete
    case "w": self = .wider
    case "<": self = .moveLeft
    case ">": self = .moveRight
    default: return nil
    }
  }
}
