import Glibc

/// SIGTERM, SIGINT and SIGHUP, waited for rather than handled.
///
/// They are blocked before any thread starts, so that no thread is interrupted by one. A hang-up that
/// whoever started the process has it ignore, as `nohup` does, stays ignored.
struct StopSignals {
  private var awaited = sigset_t()
  /// Those of them that end the process when they come again.
  private var urgent = sigset_t()

  /// Blocks the signals for this thread and for all that it starts.
  static func block() -> StopSignals {
    var signals = StopSignals()
    sigemptyset(&signals.urgent)
    sigaddset(&signals.urgent, SIGTERM)
    sigaddset(&signals.urgent, SIGINT)
    signals.awaited = signals.urgent
    // Blocked, it would come although it is ignored.
    if !isIgnored(SIGHUP) { sigaddset(&signals.awaited, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &signals.awaited, nil)
    signal(SIGPIPE, SIG_IGN)
    return signals
  }

  /// Returns when the first has come. From then on SIGTERM and SIGINT end the process at once. A hang-up
  /// does not: a terminal that is closed sends two, one by the shell and one by the system.
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
