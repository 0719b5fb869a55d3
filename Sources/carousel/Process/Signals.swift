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

  /// The signal that the process sends itself. It stays blocked, so that it does not end a stop that has begun.
  private static let own = SIGUSR1

  /// Makes `wait` return.
  static func send() { kill(getpid(), own) }

  static func block() -> StopSignals {
    var signals = StopSignals()
    sigemptyset(&signals.urgent)
    sigaddset(&signals.urgent, SIGTERM)
    sigaddset(&signals.urgent, SIGINT)
    signals.awaited = signals.urgent
    sigaddset(&signals.awaited, own)
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
  private struct State {
    /// The first signal that came.
    var received: Int32?
    var actions: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())
  private let sources: [any DispatchSourceSignal]

  init() {
    // The summary comes after the commit: a reader that closed its pipe must not make the command fail.
    signal(SIGPIPE, SIG_IGN)
    let numbers = [SIGINT, SIGTERM]
    sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
    for (number, source) in zip(numbers, sources) {
      signal(number, SIG_IGN)
      source.setEventHandler { [weak self] in self?.cancel(number) }
      source.activate()
    }
  }

  private func cancel(_ number: Int32) {
    let actions = state.withLock { state in
      state.received = state.received ?? number
      return state.actions
    }
    actions.forEach { $0() }
  }

  deinit { sources.forEach { $0.cancel() } }

  var isCancelled: Bool { state.withLock { $0.received } != nil }

  /// A signal runs the action on another thread. If one has come already, the action runs at once.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      state.actions.append(action)
      return state.received != nil
    }
    if isCancelled { action() }
  }

  /// Ends the process by the signal that came, so that a shell sees the usual exit status.
  func raiseAgain() {
    guard let number = state.withLock({ $0.received }) else { return }
    signal(number, SIG_DFL)
    // libdispatch may have blocked the signal.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(number)
  }
}
