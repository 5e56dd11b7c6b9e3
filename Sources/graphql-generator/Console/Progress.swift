/// One line on a terminal that says what long work is at, and that is gone when the work is done.
struct Progress {
  /// Bytes of input below which the work is over before anybody could read the line.
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
