import GraphClient
import GraphQLRuntime

/// Commands for whose values a task waits.
///
/// `Promise` does the same for any type. Its generic code would be a fifteenth of the time of a hit.
final class ValkeyCall: Sendable {
  typealias Outcome = Result<[ValkeyValue], Graph.ValkeyError>

  private enum State {
    case open
    case waiting(CheckedContinuation<Outcome, Never>)
    case ended(Outcome)
  }

  let commands: ValkeyCommands
  /// By the clock of ``ValkeyClock``.
  let deadline: Int64
  private let state = Locked(State.open)

  init(_ commands: ValkeyCommands, deadline: Int64) {
    self.commands = commands
    self.deadline = deadline
  }

  /// Whether the task no longer waits, because it has the values or an error.
  var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  /// The first outcome counts.
  ///
  /// - Returns: whether this is the first.
  @discardableResult
  func end(_ outcome: Outcome) -> Bool {
    let (isFirst, waiting) = state.withLock {
      state -> (Bool, CheckedContinuation<Outcome, Never>?) in
      defer { if case .ended = state {} else { state = .ended(outcome) } }
      switch state {
      case .open: return (true, nil)
      case .waiting(let continuation): return (true, continuation)
      case .ended: return (false, nil)
      }
    }
    waiting?.resume(returning: outcome)
    return isFirst
  }

  /// The values, one for each command. One task may wait for them.
  func values() async throws(Graph.ValkeyError) -> [ValkeyValue] {
    if case .ended(let outcome) = state.withLock({ $0 }) { return try outcome.get() }
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if case .ended(let outcome) = state { return outcome }
          state = .waiting(continuation)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      end(.failure(.cancelled))
    }.get()
  }
}

extension Graph.ValkeyError {
  static let cancelled = Graph.ValkeyError(.cancelled, message: "the task was cancelled")
  static let timeIsOver = Graph.ValkeyError(
    .timedOut, message: "the server has not responded in time")
  static let lost = Graph.ValkeyError(.connectionLost, message: "the connection was lost")
  static let valueWithoutCommand = Graph.ValkeyError(
    .invalidResponse, message: "the server has sent a value without a command")
  static let noConnection = Graph.ValkeyError(
    .unavailable, message: "there is no connection to the server at the moment")

  /// - Parameter failure: why the last attempt to connect has failed.
  static func noConnection(after failure: Graph.ValkeyError) -> Graph.ValkeyError {
    guard failure.message != noConnection.message else { return noConnection }
    return Graph.ValkeyError(
      .unavailable, message: "\(noConnection.message); the last attempt: \(failure.message)")
  }
}

/// Commands in the server's protocol (RESP), in the order in which they are sent.
struct ValkeyCommands: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The number of values that the server sends for them.
  private(set) var count = 0

  init() {}

  init(_ arguments: String...) { append(arguments) }

  mutating func append(_ arguments: String...) { append(arguments) }

  mutating func append(_ arguments: [String]) {
    begin(arguments.count, size: arguments.reduce(0) { $0 + $1.utf8.count })
    for argument in arguments { write(argument.utf8) }
  }

  mutating func append(_ arguments: [[UInt8]]) {
    begin(arguments.count, size: arguments.reduce(0) { $0 + $1.count })
    for argument in arguments { write(argument) }
  }

  /// - Parameter size: the number of bytes of the arguments.
  private mutating func begin(_ arguments: Int, size: Int) {
    count += 1
    // A command with its lengths is seldom longer, so that a second one needs no memory of its own.
    bytes.reserveCapacity(bytes.count + size + arguments * 16 + 16)
    write("*", arguments)
  }

  private mutating func write(_ argument: some Collection<UInt8>) {
    write("$", argument.count)
    bytes.append(contentsOf: argument)
    bytes.append(13)
    bytes.append(10)
  }

  mutating func append(contentsOf commands: ValkeyCommands) {
    bytes += commands.bytes
    count += commands.count
  }

  private mutating func write(_ mark: UnicodeScalar, _ length: Int) {
    bytes.append(UInt8(ascii: mark))
    bytes.append(contentsOf: String(length).utf8)
    bytes.append(13)
    bytes.append(10)
  }
}

extension [UInt8] {
  init(text: String) { self.init(text.utf8) }
}

/// The calls whose commands were sent, in the order in which their values arrive.
struct PendingCalls {
  struct Entry {
    let call: ValkeyCall
    let sentAt: Int64
    var values: [ValkeyValue] = []
  }

  private var entries: [Entry] = []
  /// The index of the oldest.
  private var head = 0

  var count: Int { entries.count - head }
  var oldest: Entry? { head < entries.count ? entries[head] : nil }

  mutating func append(_ call: ValkeyCall, at now: Int64) {
    entries.append(Entry(call: call, sentAt: now))
  }

  /// Adds a value to the oldest call, and removes that call if it has all of its values.
  ///
  /// - Returns: nil if there is no call, which the server must not cause.
  mutating func receive(_ value: ValkeyValue) -> (call: ValkeyCall, values: [ValkeyValue]?)? {
    guard head < entries.count else { return nil }
    entries[head].values.append(value)
    let entry = entries[head]
    guard entry.values.count == entry.call.commands.count else { return (entry.call, nil) }
    head += 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: true)
      head = 0
    } else if head > 1024 {
      entries.removeFirst(head)
      head = 0
    }
    return (entry.call, entry.values)
  }

  /// The calls that still wait for their values.
  var waiting: [ValkeyCall] { entries[head...].lazy.map(\.call).filter { !$0.hasEnded } }
}
