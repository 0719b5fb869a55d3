private import Glibc

/// Whether the client of a socket sends nothing more, and all that it sent has been read.
func hasDeparted(_ socket: Int32) -> Bool {
  var byte: UInt8 = 0
  let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
  return count == 0 || count < 0 && errno != EAGAIN
}
