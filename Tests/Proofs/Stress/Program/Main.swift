import Foundation

/// Stress tests of the library, for the suites `stress-…` and `soak`.
@main
enum Stress {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let count = arguments.count > 1 ? Int(arguments[1]) : nil
    switch (arguments.first, arguments.count) {
    case ("disk", 2): try await DiskRun(folder: URL(filePath: arguments[1])).run()
    case ("disk-check", 3):
      try await DiskCheck(
        folder: URL(filePath: arguments[1]), journal: URL(filePath: arguments[2])
      ).run()
    case ("identity", 2): try await IdentityRun(switches: count ?? 0).run()
    case ("time", 1): try await TimeRun().run()
    case ("secrets", 2...):
      try await SecretsRun(
        folder: URL(filePath: arguments[1]), leaks: arguments.contains("--leak")
      ).run()
    case ("soak", 4):
      try await SoakRun(
        file: URL(filePath: arguments[1]), endpoint: url(arguments[2]), label: arguments[3]
      ).run()
    case ("soak-report", 3):
      try await SoakReport(file: URL(filePath: arguments[1]), endpoint: url(arguments[2])).run()
    case ("load", 2): try await LoadRun(seconds: count ?? 0).run()
    default:
      say(
        "usage: stress disk FOLDER | disk-check FOLDER JOURNAL | identity SWITCHES | time"
          + " | secrets FOLDER [--leak] | load SECONDS | soak FILE ENDPOINT LABEL"
          + " | soak-report FILE ENDPOINT")
      exit(2)
    }
  }

  private static func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { fail("\(text) is not an address") }
    return url
  }
}

/// Prints a line, which is written when this returns, however the process ends after that.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}

/// Reports a failed check, and ends the process.
func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("FAILED \(message)\n".utf8))
  exit(1)
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fail(message()) }
}
