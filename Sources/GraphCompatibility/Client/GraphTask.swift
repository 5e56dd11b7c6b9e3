import Foundation
import GraphClient
import GraphQLRuntime

extension Graph {
  /// An operation that starts with ``resume()`` and can be ended with ``cancel()``: one handle for
  /// all of its attempts.
  ///
  /// Its completion is called once on the main queue: after ``cancel()`` with
  /// ``LegacyQueryError/cancelled``. (With the policy `cacheAndNetwork` an earlier call may deliver
  /// the cached response.)
  public final class GraphTask: Sendable {
    private enum State {
      case idle(start: @Sendable () async -> Void)
      case running(Task<Void, Never>)
      case ended
    }

    private let state: Locked<State>
    private let onCancel: @Sendable () -> Void
    private let onNeglect: @Sendable (String) -> Void
    private let name: String

    /// - Parameters:
    ///   - name: the operation's name in messages.
    ///   - start: the whole work, including the completion.
    ///   - onCancel: completes with a cancellation unless it has already completed.
    ///   - onNeglect: gets a message if the task is released without having been resumed.
    init(
      name: String, start: @escaping @Sendable () async -> Void,
      onCancel: @escaping @Sendable () -> Void,
      onNeglect: @escaping @Sendable (String) -> Void = Graph.debugMessage
    ) {
      self.name = name
      self.onCancel = onCancel
      self.onNeglect = onNeglect
      state = Locked(.idle(start: start))
    }

    /// Starts the operation. Calling it again, or after ``cancel()``, does nothing.
    public func resume() {
      state.withLock { state in
        guard case .idle(let start) = state else { return }
        state = .running(Task { await start() })
      }
    }

    /// Ends the work and completes with ``LegacyQueryError/cancelled``, unless the
    /// completion has been called.
    public func cancel() {
      let task = state.withLock { state -> Task<Void, Never>? in
        defer { state = .ended }
        return if case .running(let task) = state { task } else { nil }
      }
      task?.cancel()
      onCancel()
    }

    deinit {
      let wasNeglected = state.withLock { if case .idle = $0 { true } else { false } }
      if wasNeglected {
        onNeglect("\(name) was released without resume(): nothing has been sent")
      }
    }
  }

  /// In debug builds, a line on standard error.
  static func debugMessage(_ text: String) {
    #if DEBUG
      FileHandle.standardError.write(Data("GraphCompatibility: \(text)\n".utf8))
    #endif
  }
}
