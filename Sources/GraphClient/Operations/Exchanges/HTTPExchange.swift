import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Sends one operation in one HTTP request and reads the response.
  struct HTTPExchange: Sendable {
    let endpoint: URL
    let transport: any Transport
    /// The maximum number of bytes of a response, decoded.
    let maximumResponseBytes: Int
    let connectTimeout: Duration?
    let idleTimeout: Duration?

    /// - Throws: ``QueryError``, or errors of the transport.
    func response(to request: OperationRequest) async throws -> OperationResponse {
      try await response(to: request, http: httpRequest(request, body: body(of: request)))
    }

    /// Sends `http`, which is the HTTP form of `request`.
    func response(
      to request: OperationRequest, http: HTTPRequest
    ) async throws -> OperationResponse {
      let (head, bytes) = try await response(to: http, of: [request])
      return try ResponseReader(request: request)
        .read(status: head.status, headers: head.headers, bytes: bytes)
    }

    /// Sends `http`, which has the operations of `requests`, and collects the response.
    func response(
      to http: HTTPRequest, of requests: [OperationRequest]
    ) async throws -> (head: HTTPResponse, bytes: [UInt8]) {
      try http.check()
      var http = http
      http.wholeResponseLimit = maximumResponseBytes
      var observation = ExchangeObservation(requests, http)
      do {
        let head = try await transport.send(http)
        observation?.status = head.status
        let bytes = try await head.body.collect(upTo: maximumResponseBytes)
        observation?.end(receivedBytes: bytes.count)
        return (head, bytes)
      } catch {
        observation?.end(receivedBytes: 0)
        throw error
      }
    }

    /// A POST of `body` with the request's fields.
    func httpRequest(_ request: OperationRequest, body: HTTPRequest.Body) -> HTTPRequest {
      var headers = request.headers
      if headers["Accept"] == nil { headers["Accept"] = MediaType.accept }
      if case .bytes = body { headers["Content-Type"] = MediaType.json }
      if case .multipart = body { headers.requirePreflight(of: request.name) }
      if let context = request.traceContext { headers.add(context) }
      if let key = request.idempotencyKey { headers["Idempotency-Key"] = key }
      var http = HTTPRequest(
        method: .post, url: endpoint, headers: headers, body: body,
        timeout: request.transportTimeout)
      http.isIdempotent = request.canRepeat
      http.connectTimeout = connectTimeout
      http.idleTimeout = idleTimeout
      return http
    }

    /// A POST whose response may stream according to `accept`.
    func streamRequest(_ request: OperationRequest, accept: String) -> HTTPRequest {
      var http = httpRequest(request, body: body(of: request))
      http.headers["Accept"] = accept
      http.allowsStreaming = true
      return http
    }

    private func body(of request: OperationRequest) -> HTTPRequest.Body {
      request.operation.uploads.isEmpty
        ? .bytes(request.body()) : .multipart(MultipartForm(request))
    }
  }
}

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
      guard request.operation.uploads.isEmpty, request.idempotencyKey == nil else {
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

extension Graph {
  /// No equal work is in progress, and the work is not needed.
  struct NotNeeded: Error {}

  /// Requests that are in progress, so that equal ones share a response.
  ///
  /// The first caller does the work in its own task; callers that arrive before its end wait for the
  /// result. A caller that is cancelled or times out returns at once. If this caller does the work,
  /// the work ends, and the first waiting caller starts it again.
  final class InFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// Work in progress.
    private struct Work {
      /// See ``value(for:until:unless:onUrgency:onWait:work:)``.
      let onUrgency: (@Sendable () -> Void)?
      /// The callers that wait for it.
      var waiting: [ObjectIdentifier: Promise<Value>] = [:]
    }

    private let works = Locked<[Key: Work]>([:])

    /// Replaces a result if the caller that did the work has left.
    private struct OwnerLeft: Error {}

    /// The number of callers that have no response yet, under all keys.
    var callerCount: Int { works.withLock { $0.values.reduce(0) { $0 + 1 + $1.waiting.count } } }

    /// The result of `work`, shared with all concurrent callers with the same key.
    ///
    /// - Parameters:
    ///   - deadline: how long to wait for another caller's work. The caller's own work must respect
    ///     the deadline itself.
    ///   - isNotNeeded: called before the work begins.
    ///   - onUrgency: given by a caller that is not urgent. Called when one that is waits for its work.
    ///   - onWait: called after the wait for another caller's work.
    /// - Throws: errors of `work`; ``NotNeeded`` if it was not needed; ``TransportError`` with
    ///   `timedOut` if the deadline passes during the wait.
    nonisolated(nonsending) func value(
      for key: Key, until deadline: Deadline? = nil, unless isNotNeeded: () -> Bool = { false },
      onUrgency: (@Sendable () -> Void)? = nil, onWait: (() -> Void)? = nil,
      work: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
      while true {
        switch join(key, isNotNeeded, onUrgency) {
        case .leaves: throw NotNeeded()
        case .works: return try await result(of: work, for: key, until: deadline)
        case .waits(let promise, let onOwnerUrgency):
          if onUrgency == nil { onOwnerUrgency?() }
          defer { onWait?() }
          do { return try await value(of: promise, for: key, until: deadline) } catch is OwnerLeft {
          }
        }
      }
    }

    private enum Role {
      case works
      case waits(Promise<Value>, onOwnerUrgency: (@Sendable () -> Void)?)
      case leaves
    }

    private func join(
      _ key: Key, _ isNotNeeded: () -> Bool, _ onUrgency: (@Sendable () -> Void)?
    ) -> Role {
      works.withLock { works in
        guard let work = works[key] else {
          if isNotNeeded() { return .leaves }
          works[key] = Work(onUrgency: onUrgency)
          return .works
        }
        let promise = Promise<Value>()
        works[key]?.waiting[ObjectIdentifier(promise)] = promise
        return .waits(promise, onOwnerUrgency: work.onUrgency)
      }
    }

    nonisolated(nonsending) private func result(
      of work: nonisolated(nonsending) () async throws -> Value, for key: Key,
      until deadline: Deadline?
    ) async throws -> Value {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      let promises = works.withLock { $0.removeValue(forKey: key) }?.waiting ?? [:]
      guard !promises.isEmpty else { return try result.get() }
      var shared = result
      // The failure may be due to the cancellation or the deadline.
      if case .failure = result, Task.isCancelled || deadline?.hasPassed == true {
        shared = .failure(OwnerLeft())
      }
      for promise in promises.values { promise.resolve(shared) }
      return try result.get()
    }

    nonisolated(nonsending) private func value(
      of promise: Promise<Value>, for key: Key, until deadline: Deadline?
    ) async throws -> Value {
      let timeout = deadline?.schedule { [self] in
        leave(
          promise, key,
          TransportError.deadlineExceeded(
            "while it waited for the response to an equal query", bytesSent: false))
      }
      defer { timeout?.cancel() }
      return try await withTaskCancellationHandler {
        try await promise.value
      } onCancel: {
        leave(promise, key, CancellationError())
      }
    }

    private func leave(_ promise: Promise<Value>, _ key: Key, _ error: any Error) {
      works.withLock { _ = $0[key]?.waiting.removeValue(forKey: ObjectIdentifier(promise)) }
      promise.resolve(.failure(error))
    }
  }
}
