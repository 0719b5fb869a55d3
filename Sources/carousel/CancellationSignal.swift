import Catalogue
@preconcurrency import Dispatch
import Foundation
import Synchronization

/// SIGINT and SIGTERM, taken as a wish to stop: what runs undoes itself, and then the command ends
/// by the signal as if it had not been taken.
final class CancellationSignal: Sendable {
  private let received = Mutex<Int32?>(nil)
  private let sources: [any DispatchSourceSignal]
  private let actions = Mutex<[@Sendable () -> Void]>([])

  init() {
    let numbers = [SIGINT, SIGTERM]
    sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
    for (number, source) in zip(numbers, sources) {
      signal(number, SIG_IGN)
      source.setEventHandler { [weak self] in self?.take(number) }
      source.activate()
    }
  }

  private func take(_ number: Int32) {
    received.withLock { $0 = $0 ?? number }
    actions.withLock { $0 }.forEach { $0() }
  }

  deinit { sources.forEach { $0.cancel() } }

  /// Whether a signal has come.
  var hasCome: Bool { received.withLock { $0 } != nil }

  /// Has `action` done when a signal comes; it is called on another thread.
  func whenItComes(_ action: @escaping @Sendable () -> Void) {
    actions.withLock { $0.append(action) }
  }

  /// Ends the command by the signal that has come, if one has.
  func endIfItHasCome() {
    guard let number = received.withLock({ $0 }) else { return }
    signal(number, SIG_DFL)
    // Where sources wait for a signal it may be blocked.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, number)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(number)
  }
}
