// Reads pictures for `carousel photos`, so that a damaged or hostile file cannot harm the server. Standard input is a socket:
// each message from it is a number and a job with an open file, and gets one reply with that number. The process opens
// nothing itself.
import CVips
import Glibc
import PictureMessages

/// The exit status without libvips: EX_UNAVAILABLE.
let unavailable: Int32 = 69

// Unblocks all signals: a process inherits the blocked signals of its parent, and the server blocks those that stop it.
var none = sigset_t()
sigemptyset(&none)
sigprocmask(SIG_SETMASK, &none, nil)
guard picture_start() else { exit(unavailable) }
setLimits()
guard picture_confine() else { exit(1) }
while var message = PictureMessage.receive(from: STDIN_FILENO, takesFiles: true) {
  renewTime()
  let number = message.texts.isEmpty ? "" : message.texts.removeFirst()
  let reply = run(message)
  message.files.forEach { close($0) }
  guard PictureMessage([number] + reply).send(to: STDIN_FILENO) else { break }
  // libvips keeps some files open after a picture that it cannot decode. So this process ends, and a new one gets the next job.
  if reply.first == "error", message.texts.first != PictureOperation.header.rawValue { break }
}
