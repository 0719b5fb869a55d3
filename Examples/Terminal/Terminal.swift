#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The terminal of the process in raw mode: keys arrive at once and are not echoed.
struct Terminal: ~Copyable {
  private var original = termios()

  /// Switches standard input to raw mode. Nil if it is not a terminal.
  init?() {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return nil }
    var raw = original
    raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0 else { return nil }
  }

  deinit {
    var original = original
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
  }

  /// The number of columns; 80 if the terminal does not report it.
  var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return max(8, Int(size.ws_col))
  }

  /// Waits for a key. Returns its bytes, or none at the end of the input.
  func read() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Self.readInput(&bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  private static func readInput(_ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.read(STDIN_FILENO, bytes, count)
    #else
      Darwin.read(STDIN_FILENO, bytes, count)
    #endif
  }

  func show(_ text: String) {
    print("\u{1b}[2J\u{1b}[H" + text)
    fflush(nil)
  }
}
