// Safe: the sources of Dispatch may be used on any thread, and are not marked so everywhere.
@unsafe @preconcurrency import Dispatch
import Foundation
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

/// Something that is shown of a file as long as the user wants.
protocol LiveView {
  /// One commit of the file, which is compared with the last one after the read has ended.
  associatedtype Reading

  /// The events of the last reading.
  var events: [LiveEvent] { get }

  /// The view before the first reading of a file.
  var emptied: Self { get }

  func reading(of contents: FileContents) throws(Graph.StoreError) -> Reading

  mutating func update(from reading: Reading)

  /// The view as a terminal shows it, without the newest events.
  var lines: [String] { get }
}

/// One change of a store, as one line.
struct LiveEvent {
  let name: String
  let text: String
  let details: JSON.Object
  let time = Date()

  /// - Parameters:
  ///   - text: what follows the event's name.
  ///   - details: the same for programs.
  init(_ name: String, _ text: String = "", _ details: JSON.Object = [:]) {
    self.name = name
    self.text = text.printable
    self.details = details
  }

  var line: String {
    let head = "\(time.timeOfDay) \(name.padded(to: 8))"
    return text.isEmpty ? "\(time.timeOfDay) \(name)" : "\(head) \(text)"
  }

  var json: JSON {
    let head: [JSON.Object.Member] = [
      .init(key: "event", value: .string(name)),
      .init(key: "at", value: .string(time.rfc3339)),
    ]
    return .object(JSON.Object(head + details.members))
  }
}

/// Where a view is shown: as a screen in a terminal, otherwise as one line for each event.
final class LiveOutput {
  private enum Style { case lines, json, screen }

  private let style: Style
  private let title: String
  /// The newest events, the newest first.
  private var events: [LiveEvent] = []
  private var shown = ""

  /// - Parameter title: the first line of the screen.
  init(title: String, isJSON: Bool) {
    self.title = title.printable
    style = isJSON ? .json : isatty(STDOUT_FILENO) == 1 ? .screen : .lines
    if style == .screen { try? Output.write(Terminal.enter) }
  }

  deinit { if style == .screen { try? Output.write(Terminal.leave) } }

  func show(_ lines: [String], _ new: [LiveEvent]) throws {
    switch style {
    case .lines: for event in new { try Output.line(event.line) }
    case .json: for event in new { try Output.line(event.json) }
    case .screen: try draw(lines, new)
    }
  }

  private func draw(_ lines: [String], _ new: [LiveEvent]) throws {
    let size = Terminal.size
    events = Array((new.reversed() + events).prefix(size.rows))
    let all = [title, ""] + lines + [""] + events.map(\.line)
    let text = Terminal.drawing(all, size)
    if text == shown { return }
    try Output.write(text)
    shown = text
  }
}

/// The control sequences of a terminal (ECMA-48, and the second screen of xterm).
enum Terminal {
  /// Shows the second screen, without the cursor.
  static let enter = "\u{1B}[?1049h\u{1B}[?25l"
  /// Shows the first screen again, as it was.
  static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  /// In characters; 24 rows of 80 if the terminal does not report it.
  // Safe: the call fills a local variable of the type that it expects.
  static var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0,
      size.ws_col > 0
    else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Draws lines over what is there, without an empty screen between the two.
  static func drawing(_ lines: [String], _ size: (rows: Int, columns: Int)) -> String {
    let visible = lines.prefix(size.rows).map { $0.prefix(size.columns) + "\u{1B}[K" }
    return "\u{1B}[H" + visible.joined(separator: "\r\n") + "\u{1B}[J"
  }
}

/// The end that the user requests with Ctrl-C or `kill`.
final class Interruption {
  private let semaphore = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  init() {
    sources = [SIGINT, SIGTERM].map { [semaphore] number in
      // Otherwise the signal ends the process before the terminal is restored.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "treeswift-store.signals"))
      source.setEventHandler { semaphore.signal() }
      source.activate()
      return source
    }
  }

  /// Waits for the end.
  ///
  /// - Returns: whether there was none in that time.
  func isAbsent(for duration: Duration) -> Bool {
    let (seconds, attoseconds) = duration.components
    let pause = DispatchTimeInterval.nanoseconds(
      Int(clamping: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    return semaphore.wait(timeout: .now() + pause) == .timedOut
  }
}
