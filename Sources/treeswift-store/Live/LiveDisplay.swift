import GraphJSON
import GraphQLRuntime
import GraphStore

/// Shows a file until the user ends it, and reads it only when it has changed.
///
/// It compares the times and sizes of the file and its log every 200 ms. That finds commits, and files that appear,
/// move or are replaced, without opening anything. The store's notifications between processes report only commits.
struct LiveDisplay<View: LiveView> {
  private let reader: FileReader
  private let output: LiveOutput
  private var view: View
  /// The stamp of the last reading; nil without a file.
  private var stamp: FileStamp?
  /// Whether a change after the last reading is certain to have another stamp.
  private var isSettled = false
  private var hasStarted = false
  private var hasRead = false
  private var failure: Failure?

  /// An error, and the file that caused it.
  private struct Failure {
    let text: String
    var stamp: FileStamp
    var count = 1
    var isReported = false
  }

  private static var interval: Duration { .milliseconds(200) }

  init(_ reader: FileReader, _ view: View, _ output: LiveOutput) {
    self.reader = reader
    self.view = view
    self.output = output
  }

  /// Returns when the user ends the program.
  ///
  /// - Throws: ``Graph/StoreError`` for a file that cannot be read; after the first reading, errors are shown.
  mutating func run() throws {
    let interruption = Interruption()
    var pause: Duration
    repeat {
      let start = ContinuousClock.now
      let events = try step()
      try output.show(view.lines, events)
      // Reading a large store takes at most a fifth of the time.
      pause = max(Self.interval, (.now - start) * 4)
    } while interruption.isAbsent(for: pause)
  }

  /// Checks the file.
  private mutating func step() throws -> [LiveEvent] {
    defer { hasStarted = true }
    guard let current = FileStamp(path: reader.path) else { return markAbsent() }
    if current == stamp, isSettled, failure == nil { return [] }
    let willBeSettled = current.isSettled
    do throws(Graph.StoreError) {
      let (old, known) = (view, stamp)
      let (base, reading, read) = try reader.read { contents throws(Graph.StoreError) in
        let base = known?.isSameFile(as: contents.stamp) ?? false ? old : old.emptied
        return (base, try base.reading(of: contents), contents.stamp)
      }
      let isReplaced = known.map { !$0.isSameFile(as: read) } ?? false
      view = base
      view.update(from: reading)
      (stamp, isSettled) = (read, willBeSettled && read == current)
      (failure, hasRead) = (nil, true)
      return (isReplaced ? [LiveEvent("replaced", "another file is at the path")] : [])
        + view.events
    } catch {
      if FileStamp(path: reader.path) == nil { return markAbsent() }
      return try note(error, current)
    }
  }

  private mutating func markAbsent() -> [LiveEvent] {
    failure = nil
    guard stamp != nil || !hasStarted else { return [] }
    let event =
      hasStarted
      ? LiveEvent("gone", "the file was moved or deleted")
      : LiveEvent("waiting", "there is no store at the path yet")
    (stamp, view) = (nil, view.emptied)
    return [event]
  }

  /// Reports an error that persists. A file that is being created or replaced causes one for a moment.
  ///
  /// - Throws: the error, if no file was read so far.
  private mutating func note(
    _ error: Graph.StoreError, _ current: FileStamp
  ) throws -> [LiveEvent] {
    let text = "\(error)"
    guard var known = failure, known.text == text else {
      failure = Failure(text: text, stamp: current)
      return []
    }
    let isUnchanged = known.stamp == current
    (known.stamp, known.count) = (current, known.count + 1)
    defer { failure = known }
    if known.isReported || !isUnchanged && known.count < Self.mostAttempts { return [] }
    if !hasRead, error.code != .busy { throw error }
    known.isReported = true
    return [LiveEvent("failed", text, ["error": .string(text)])]
  }

  /// The number of equal errors that are reported even while the file changes.
  private static var mostAttempts: Int { 5 }
}
