import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Collects operations with equal header fields for a short time and sends them in one request.
  final class BatchExchange: Sendable {
    private final class Item: Sendable {
      let request: OperationRequest
      let promise = Promise<OperationResponse>()
      let stage = Locked(Stage.waiting)

      init(_ request: OperationRequest) { self.request = request }
    }

    private enum Stage: Sendable {
      case waiting
      case sent(Batch)
      /// The caller has left before the response arrived.
      case left
    }

    private struct PendingBatch {
      var items: [Item] = []
      let serial: Int
    }

    private struct State {
      var pending: [Headers: PendingBatch] = [:]
      var nextSerial = 0
    }

    private let exchange: HTTPExchange
    private let policy: BatchPolicy
    private let time: any TimeSource
    private let state = Locked(State())

    init(_ exchange: HTTPExchange, policy: BatchPolicy, time: any TimeSource) {
      self.exchange = exchange
      self.policy = policy
      self.time = time
    }

    /// The response to `request`. A caller that is cancelled or times out leaves while the others
    /// continue; if all callers of a batch leave, its request is cancelled.
    func response(to request: OperationRequest) async throws -> OperationResponse {
      guard request.uploads.isEmpty, request.idempotencyKey == nil else {
        return try await exchange.response(to: request)
      }
      let item = Item(request)
      enroll(item)
      let timeouts =
        request.deadline?.scheduleTimeout {
          item.stage.withLock { if case .sent = $0 { true } else { false } }
        } giveUp: {
          let wasSent = self.withdraw(item)
          item.promise.resolve(
            .failure(
              TransportError.deadlineExceeded(
                wasSent ? "while its batch was in progress" : "while it waited for its batch",
                bytesSent: wasSent)))
        } ?? []
      defer { for timeout in timeouts { timeout.cancel() } }
      return try await withTaskCancellationHandler {
        try await item.promise.value
      } onCancel: {
        item.promise.resolve(
          .failure(
            withdraw(item)
              ? CancellationError()
              : TransportError(
                .cancelled, message: "the call was cancelled while it waited for its batch")))
      }
    }

    private func enroll(_ item: Item) {
      let key = item.request.headers
      let (serial, full) = state.withLock { state -> (Int?, [Item]?) in
        let isFirst = state.pending[key] == nil
        if isFirst { state.nextSerial += 1 }
        var lot = state.pending[key] ?? PendingBatch(serial: state.nextSerial)
        lot.items.append(item)
        if lot.items.count >= policy.maximumCount {
          state.pending[key] = nil
          return (nil, lot.items)
        }
        state.pending[key] = lot
        return (isFirst ? lot.serial : nil, nil)
      }
      if let full { dispatch(full) }
      guard let serial else { return }
      Task {
        try? await self.time.sleep(for: self.policy.window)
        let items = self.state.withLock { state -> [Item] in
          guard state.pending[key]?.serial == serial else { return [] }
          return state.pending.removeValue(forKey: key)?.items ?? []
        }
        if !items.isEmpty { self.dispatch(items) }
      }
    }

    /// - Returns: whether the item has been sent.
    @discardableResult
    private func withdraw(_ item: Item) -> Bool {
      state.withLock { state in
        state.pending[item.request.headers]?.items.removeAll { $0 === item }
      }
      let stage = item.stage.withLock { stage in
        defer { stage = .left }
        return stage
      }
      guard case .sent(let batch) = stage else { return false }
      batch.leave()
      return true
    }

    private func dispatch(_ items: [Item]) {
      let batch = Batch()
      let items = items.filter { item in
        item.stage.withLock { stage in
          guard case .waiting = stage else { return false }
          stage = .sent(batch)
          return true
        }
      }
      guard !items.isEmpty else { return }
      batch.start(count: items.count) { await self.send(items) }
    }

    private func send(_ items: [Item]) async {
      guard items.count > 1 else {
        guard let item = items.first else { return }
        do {
          item.promise.resolve(.success(try await exchange.response(to: item.request)))
        } catch {
          item.promise.resolve(.failure(error))
        }
        return
      }
      do {
        let responses = try await responses(to: items.map(\.request))
        for (item, response) in zip(items, responses) { item.promise.resolve(response) }
      } catch {
        for item in items { item.promise.resolve(.failure(error)) }
      }
    }

    private func responses(
      to requests: [OperationRequest]
    ) async throws -> [Result<OperationResponse, any Error>] {
      var writer = JSONWriter()
      writer.beginArray()
      for request in requests { request.write(to: &writer) }
      writer.endArray()
      var http = exchange.httpRequest(requests[0], body: .bytes(writer.finish()))
      http.isIdempotent = requests.allSatisfy(\.canRepeat)
      let timeouts = requests.map(\.transportTimeout)
      http.timeout = timeouts.contains(nil) ? nil : timeouts.compactMap { $0 }.max()
      let (head, received) = try await exchange.response(to: http, of: requests)
      let bytes = received.withoutByteOrderMark
      guard let elements = (try? JSONDocument(parsing: bytes).root)?.array,
        elements.count == requests.count
      else {
        // A gateway reports its errors once for all operations.
        func shared(_ request: OperationRequest) throws -> OperationResponse {
          try ResponseReader(request: request).read(
            status: head.status, headers: head.headers, bytes: bytes)
        }
        let first = try shared(requests[0])
        if first.data == nil, !first.errors.isEmpty {
          return requests.map { request in Result { try shared(request) } }
        }
        throw QueryError(
          .protocolViolation,
          message: "the response to a batch is not a list of \(requests.count) responses",
          response: FailedResponse(status: head.status, headers: head.headers, bytes: bytes))
      }
      return zip(requests, elements).map { request, element in
        Result {
          try ResponseReader(request: request).read(
            status: head.status, headers: head.headers,
            bytes: Array(element.document.source(at: element.index)))
        }
      }
    }
  }
}

extension Graph {
  /// The request of a batch in progress. It ends with the last of its callers.
  final class Batch: Sendable {
    private struct State {
      var left = 0
      var count = Int.max
      var task: Task<Void, Never>?

      var isAbandoned: Bool { left >= count }
    }

    private let state = Locked(State())

    /// Starts sending for that many callers.
    func start(count: Int, _ send: @escaping @Sendable () async -> Void) {
      let task = Task { await send() }
      let isAbandoned = state.withLock { state in
        state.count = count
        state.task = task
        return state.isAbandoned
      }
      if isAbandoned { task.cancel() }
    }

    /// One of the callers has left.
    func leave() {
      let task = state.withLock { state -> Task<Void, Never>? in
        state.left += 1
        return state.isAbandoned ? state.task : nil
      }
      task?.cancel()
    }
  }
}

extension Graph {
  /// Whether operations that are sent at nearly the same time share one HTTP request: a JSON array
  /// of them. Not every server supports this.
  public struct BatchPolicy: Sendable, Hashable {
    /// How long the first operation of a batch waits for others.
    public var window: Duration
    /// The maximum number of operations in a batch; at 1, each has its own request.
    public var maximumCount: Int

    /// A policy with batches that are sent when they are full or their window closes.
    public init(window: Duration = .milliseconds(10), maximumCount: Int = 10) {
      self.window = window
      self.maximumCount = max(1, maximumCount)
    }

    /// Each operation has its own request.
    public static let off = BatchPolicy(window: .zero, maximumCount: 1)
  }
}
