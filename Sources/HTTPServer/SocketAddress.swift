import CMicrohttpd
import Glibc
import HTTP

/// An address of either family, as the system calls want it.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  init() {}

  /// The address that `socket` is bound to.
  init(boundTo socket: Int32) {
    withPointer { getsockname(socket, $0, $1) }
  }

  /// Calls `body` with the place to read the address from or write it to.
  @discardableResult
  mutating func withPointer<Outcome>(
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Outcome
  ) -> Outcome {
    withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }

  var port: Int {
    var copy = self
    return copy.withPointer { address, _ in
      switch Int32(address.pointee.sa_family) {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin6_port))
        }
      default: 0
      }
    }
  }

  /// Who is at this address.
  var peer: Peer {
    var copy = self
    return copy.withPointer { address, _ in Peer(address) }
  }
}

extension Peer {
  init(_ address: UnsafePointer<sockaddr>) {
    let bytes = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let offset = MemoryLayout<sockaddr_in>.offset(of: \.sin_addr) ?? 0
      self.init(ipv4: UInt32(bigEndian: bytes.load(fromByteOffset: offset, as: UInt32.self)))
    case AF_INET6:
      let offset = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr) ?? 0
      self.init(
        high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
    default:
      self = .unknown
    }
  }
}
