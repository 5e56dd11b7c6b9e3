/// One line on a terminal that shows the progress of long work, and is removed when the work is
/// done.
struct Progress {
  /// Number of input bytes below which the work ends before the line could be read.
  static let longWork = 200_000

  private let console: Console
  private let isShown: Bool

  init(console: Console, inputSize: Int, isQuiet: Bool = false) {
    self.console = console
    isShown = console.isWatched && !isQuiet && inputSize >= Self.longWork
  }

  /// Shows the line while the work lasts.
  func during<Result, Failure: Error>(
    _ line: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isShown else { return try work() }
    console.error("\(line)…")
    defer { console.error(Self.eraseLine) }
    return try work()
  }

  private static let eraseLine = "\r\u{1B}[K"
}
