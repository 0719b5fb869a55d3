import Glibc

/// SIGTERM and SIGINT, waited for rather than handled.
///
/// They are blocked before any thread starts, so that no thread is interrupted by one.
struct StopSignals {
  private var set = sigset_t()

  /// Blocks the signals for this thread and for all that it starts.
  static func block() -> StopSignals {
    var signals = StopSignals()
    sigemptyset(&signals.set)
    sigaddset(&signals.set, SIGTERM)
    sigaddset(&signals.set, SIGINT)
    pthread_sigmask(SIG_BLOCK, &signals.set, nil)
    signal(SIGPIPE, SIG_IGN)
    return signals
  }

  /// Returns when the first has come. From then on a second ends the process at once.
  func wait() {
    var set = set
    var received: Int32 = 0
    while sigwait(&set, &received) != 0 {}
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
