@preconcurrency import Dispatch
import Foundation
import Synchronization

/// SIGTERM, SIGINT and SIGHUP for `serve`, which waits for them on its main thread.
///
/// They are blocked before other threads start, so that they interrupt no system call. If the parent
/// process ignores SIGHUP, as `nohup` does, it stays ignored.
struct StopSignals {
  private var awaited = sigset_t()
  /// The signals that end the process when they come a second time.
  private var urgent = sigset_t()

  static func block() -> StopSignals {
    var signals = StopSignals()
    sigemptyset(&signals.urgent)
    sigaddset(&signals.urgent, SIGTERM)
    sigaddset(&signals.urgent, SIGINT)
    signals.awaited = signals.urgent
    // sigwait also receives a signal that is ignored, if it is blocked.
    if !isIgnored(SIGHUP) { sigaddset(&signals.awaited, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals.awaited, nil)
    signal(SIGPIPE, SIG_IGN)
    return signals
  }

  /// Returns after the first signal. From then on SIGTERM and SIGINT end the process immediately.
  ///
  /// SIGHUP does not: a closed terminal causes two, one from the shell and one from the kernel.
  func wait() {
    var (awaited, urgent) = (awaited, urgent)
    var received: Int32 = 0
    while sigwait(&awaited, &received) != 0 {}
    pthread_sigmask(SIG_UNBLOCK, &urgent, nil)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// SIGINT and SIGTERM for commands that roll back before they end.
final class CancellationSignal: Sendable {
  private let received = Mutex<Int32?>(nil)
  private let sources: [any DispatchSourceSignal]
  private let actions = Mutex<[@Sendable () -> Void]>([])

  init() {
    let numbers = [SIGINT, SIGTERM]
    sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
    for (number, source) in zip(numbers, sources) {
      signal(number, SIG_IGN)
      source.setEventHandler { [weak self] in self?.cancel(number) }
      source.activate()
    }
  }

  private func cancel(_ number: Int32) {
    received.withLock { $0 = $0 ?? number }
    actions.withLock { $0 }.forEach { $0() }
  }

  deinit { sources.forEach { $0.cancel() } }

  var isCancelled: Bool { received.withLock { $0 } != nil }

  /// A signal runs the action on another thread.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0.append(action) }
  }

  /// So that a shell sees the usual exit status.
  func raiseAgain() {
    guard let number = received.withLock({ $0 }) else { return }
    signal(number, SIG_DFL)
    // libdispatch may have blocked the signal.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(number)
  }
}
