import Foundation

// outbox-crash work FILE ENDPOINT LABEL COUNT [STATE N]
//   queues and sends; may kill itself
// outbox-crash report FILE ENDPOINT
//   sends the rest, prints the end of all operations
// outbox-crash scale FOLDER SHORT LONG
//   measures an operation by the queue's length
let arguments = Array(CommandLine.arguments.dropFirst())
do {
  switch (arguments.first, arguments.count) {
  case ("work", 5), ("work", 7):
    let isDying = arguments.count == 7
    let run = try await Run(
      file: arguments[1], endpoint: URL(string: arguments[2])!, isPaused: isDying)
    if isDying { await run.dies(after: arguments[5], Int(arguments[6])!) }
    try await run.work(arguments[3], count: Int(arguments[4])!)
  case ("report", 3):
    try await Run(file: arguments[1], endpoint: URL(string: arguments[2])!).report()
  case ("scale", 4):
    exit(
      try await Scale.run(
        folder: URL(filePath: arguments[1]), short: Int(arguments[2])!, long: Int(arguments[3])!))
  default:
    print("see Tests/run outbox-crash")
    exit(2)
  }
} catch {
  FileHandle.standardError.write(Data("outbox-crash: \(error)\n".utf8))
  exit(1)
}
