internal import Glibc

/// Writes a line to standard output at once, so that a reader at the other end of a pipe has it.
func print(line: String) {
  print(line)
  fflush(nil)
}

/// Writes a line to standard error.
func print(error line: String) {
  let bytes = Array((line + "\n").utf8)
  // Where even this cannot be written there is nobody to tell.
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
