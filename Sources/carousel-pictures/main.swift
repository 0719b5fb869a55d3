// Reads pictures for `carousel photos`, so that a damaged or hostile file cannot harm the server. Standard input is a socket:
// each message from it is a question with an open file, and gets one answer. The process opens nothing itself.
import CVips
import Glibc
import PictureMessages

/// The exit status without libvips: EX_UNAVAILABLE.
let unavailable: Int32 = 69

guard picture_start() else { exit(unavailable) }
setLimits()
guard picture_confine() else { exit(1) }
while let message = PictureMessage.receive(from: STDIN_FILENO) {
  renewTime()
  let answer = answer(to: message)
  message.files.forEach { close($0) }
  guard PictureMessage(answer).send(to: STDIN_FILENO) else { break }
  // libvips keeps some files open after a picture that it cannot decode. The next question is for a new process.
  if answer.first == "error", message.texts.first != PictureQuestion.header.rawValue { break }
}
