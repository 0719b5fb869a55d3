import CRelease
@preconcurrency import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Synchronization

/// Returns free memory to the system, and logs an error before the process runs out of memory: the
/// kernel ends a process without a message when its control group (version 2) is full.
final class MemoryWatch: Sendable {
  /// Bytes in use, and the most of them.
  private struct Use {
    let used: Int
    let limit: Int
    let name: String

    var share: Double { Double(used) / Double(max(limit, 1)) }
  }

  private let timers: [any DispatchSourceTimer]

  /// Returns free memory once a minute, and logs one line when nine tenths of a limit are in use,
  /// again after the use was below eight tenths.
  init(logger: Logger) {
    let queue = DispatchQueue(label: "carousel.memory")
    let trim = DispatchSource.makeTimerSource(queue: queue)
    trim.setEventHandler { carousel_trim_memory() }
    trim.schedule(deadline: .now() + .seconds(60), repeating: .seconds(60))
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let isHigh = Mutex(false)
    let group = Self.controlGroup()
    timer.setEventHandler {
      let uses = [Self.addressSpace(), group.flatMap { Self.use(ofGroup: $0) }].compactMap(\.self)
      guard let use = uses.max(by: { $0.share < $1.share }) else { return }
      let isNew = isHigh.withLock { [share = use.share] isHigh in
        defer { isHigh = share >= 0.9 || isHigh && share >= 0.8 }
        return share >= 0.9 && !isHigh
      }
      guard isNew else { return }
      logger.error(
        """
        Memory is nearly used up: \(use.used >> 20) of \(use.limit >> 20) MB of \(use.name). The process \
        ends when it is. Raise that limit, or lower --strip-memory and --response-budget.
        """)
    }
    timer.schedule(deadline: .now(), repeating: .seconds(1))
    timers = [trim, timer]
    for timer in timers { timer.activate() }
  }

  deinit { for timer in timers { timer.cancel() } }

  private static func addressSpace() -> Use? {
    guard let limit = ProcessStatus.limit(RLIMIT_AS), limit.rlim_cur < rlim_t(Int.max),
      let memory = ProcessStatus.memory
    else { return nil }
    return Use(
      used: memory.size, limit: Int(limit.rlim_cur), name: "the address space (ulimit -v)")
  }

  private static func controlGroup() -> String? {
    let lines = ProcessStatus.text("/proc/self/cgroup")?.split(separator: "\n")
    return lines?.first { $0.hasPrefix("0::") }.map { "/sys/fs/cgroup" + $0.dropFirst(3) }
  }

  private static func use(ofGroup folder: String) -> Use? {
    guard let limit = ProcessStatus.text(folder + "/memory.max").flatMap({ Int($0) }),
      let used = ProcessStatus.text(folder + "/memory.current").flatMap({ Int($0) })
    else { return nil }
    // Files that the kernel can drop at any time count as used, too.
    let lines = ProcessStatus.text(folder + "/memory.stat")?.split(separator: "\n")
    let cached = lines?.first { $0.hasPrefix("file ") }.flatMap { Int($0.dropFirst(5)) } ?? 0
    return Use(used: used - cached, limit: limit, name: "the control group")
  }
}
