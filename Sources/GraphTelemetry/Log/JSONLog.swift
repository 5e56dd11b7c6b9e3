import Foundation
import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Writes events as lines of JSON.
  ///
  /// ```swift
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.observers = [Graph.JSONLog()]
  /// ```
  ///
  /// Each line is an object with `time` (RFC 3339, UTC), `event` and, for steps of a call, `call`, `operation`, `kind`,
  /// `endpoint`, `trace_id` and `span_id`; `duration_ms` is in milliseconds. Lines have neither variables nor values
  /// of responses: of an error, they have its code and its status.
  ///
  /// Lines are written by a queue of the log, so that a slow file does not delay calls. If it is too slow for the
  /// events, lines are dropped, and a line with the event `dropped` has their number.
  public final class JSONLog: Observer {
    /// The events that a log has.
    public enum Detail: Sendable, Hashable {
      /// The ends of calls, retries, failed attempts to store, lost connections, and operations of an outbox that
      /// are rejected or uncertain.
      case calls
      /// All events.
      case steps
    }

    /// The lines that may wait to be written.
    private static let maximumCount = 10_000

    private struct State {
      var waiting: [ObservedEvent] = []
      var droppedCount = 0
      var isWriting = false
    }

    private let detail: Detail
    private let write: @Sendable ([UInt8]) -> Void
    private let queue = DispatchQueue(label: "treeswift.log", qos: .utility)
    private let state = Locked(State())

    /// A log.
    ///
    /// - Parameter write: gets one or several lines, each with its line feed, from one thread at a time.
    public init(_ detail: Detail = .calls, write: @escaping @Sendable ([UInt8]) -> Void) {
      self.detail = detail
      self.write = write
    }

    /// A log in a file that is open for writing, standard error by default. An error of the file is ignored, also that
    /// of a pipe without a reader.
    public convenience init(_ detail: Detail = .calls, to file: FileHandle = .standardError) {
      self.init(detail) { try? file.writeWithoutSignal($0) }
    }

    public func observe(_ event: ObservedEvent) {
      guard detail == .steps || event.isOfCalls else { return }
      let begins = state.withLock { state in
        guard state.waiting.count < Self.maximumCount else {
          state.droppedCount += 1
          return false
        }
        state.waiting.append(event)
        defer { state.isWriting = true }
        return !state.isWriting
      }
      if begins { queue.async { self.writeWaiting() } }
    }

    /// Returns when all events so far are written.
    public func flush() async {
      await withCheckedContinuation { continuation in
        queue.async {
          self.writeWaiting()
          continuation.resume()
        }
      }
    }

    private func writeWaiting() {
      while true {
        let (events, droppedCount) = state.withLock { state in
          defer {
            state.waiting = []
            state.droppedCount = 0
          }
          state.isWriting = !state.waiting.isEmpty
          return (state.waiting, state.droppedCount)
        }
        guard !events.isEmpty else { return }
        var lines: [UInt8] = []
        for event in events { lines += event.line }
        if droppedCount > 0 {
          lines += Array("{\"event\":\"dropped\",\"count\":\(droppedCount)}\n".utf8)
        }
        write(lines)
      }
    }
  }
}
