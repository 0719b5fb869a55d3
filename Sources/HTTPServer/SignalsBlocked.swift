private import Glibc

/// Threads begun here get no signals: those are the command's to wait for.
enum SignalsBlocked {
  static func during<Outcome>(_ start: () -> Outcome) -> Outcome {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return start()
  }
}
