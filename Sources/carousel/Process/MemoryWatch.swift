@preconcurrency import Dispatch
import FoundationEssentials
import Glibc
import Logging
import Synchronization

/// Logs an error before the process runs out of memory. The kernel ends a process without a message when
/// its control group is full.
///
/// Limits are those of `ulimit -v` and of the control group (version 2), which a container or systemd
/// sets.
final class MemoryWatch: Sendable {
  /// Bytes in use, and the most of them.
  private struct Use {
    let used: Int
    let limit: Int
    let name: String

    var share: Double { Double(used) / Double(max(limit, 1)) }
  }

  private let timer: any DispatchSourceTimer

  /// Looks once a second. Logs one line when nine tenths of a limit are in use, and again after the use
  /// was below eight tenths.
  init(logger: Logger) {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "carousel.memory"))
    let isHigh = Mutex(false)
    let group = Self.controlGroup()
    timer.setEventHandler {
      let uses = [Self.addressSpace(), group.flatMap { Self.use(ofGroup: $0) }].compactMap(\.self)
      guard let use = uses.max(by: { $0.share < $1.share }) else { return }
      let share = use.share
      let isNew = isHigh.withLock { isHigh in
        defer { if share >= 0.9 { isHigh = true } else if share < 0.8 { isHigh = false } }
        return share >= 0.9 && !isHigh
      }
      guard isNew else { return }
      logger.error(
        """
        Memory is nearly used up: \(use.used >> 20) of \(use.limit >> 20) MB of \(use.name). The process \
        ends when it is. Raise that limit, or lower --strip-memory and --answer-budget.
        """)
    }
    timer.schedule(deadline: .now(), repeating: .seconds(1))
    self.timer = timer
    timer.activate()
  }

  deinit { timer.cancel() }

  /// The address space, if `ulimit -v` limits it.
  private static func addressSpace() -> Use? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(Int.max), let text = read("/proc/self/statm"),
      let pages = text.split(separator: " ").first.flatMap({ Int($0) })
    else { return nil }
    return Use(
      used: pages * sysconf(Int32(_SC_PAGESIZE)), limit: Int(limit.rlim_cur),
      name: "the address space (ulimit -v)")
  }

  /// The folder of the process's control group.
  private static func controlGroup() -> String? {
    let line = read("/proc/self/cgroup")?.split(separator: "\n").first { $0.hasPrefix("0::") }
    return line.map { "/sys/fs/cgroup" + $0.dropFirst(3) }
  }

  private static func use(ofGroup folder: String) -> Use? {
    // The limit is "max" if there is none.
    guard let limit = read(folder + "/memory.max").flatMap({ Int($0) }),
      let used = read(folder + "/memory.current").flatMap({ Int($0) })
    else { return nil }
    // Files that the kernel can drop at any time count as used, too.
    let cached =
      read(folder + "/memory.stat")?.split(separator: "\n").first { $0.hasPrefix("file ") }
      .flatMap { Int($0.dropFirst(5)) } ?? 0
    return Use(used: used - cached, limit: limit, name: "the control group")
  }

  private static func read(_ path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
