import GraphClient
import GraphQLRuntime
import Synchronization

/// Sends what is due, several operations of different entities at once.
actor Sender {
  private let queue: Queue
  private let client: Graph.Client
  private let configuration: Outbox.Configuration
  private let reader = OutcomeReader()
  private let resolver: Resolver
  private var inTransit = 0
  private var isPumping = false
  private var pumpsAgain = false
  private var wake: Task<Void, Never>?
  private var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var nextWaiter = 0

  private var isPaused: Bool
  private var isReachable = true
  private var needsCredentials = false

  init(queue: Queue, client: Graph.Client, configuration: Outbox.Configuration) {
    self.queue = queue
    self.client = client
    self.configuration = configuration
    resolver = Resolver(queue: queue, configuration: configuration)
    isPaused = configuration.startsPaused
  }

  deinit { wake?.cancel() }

  func pause() { isPaused = true }

  func resume() async {
    isPaused = false
    await pump()
  }

  func setReachable(_ isReachable: Bool) async throws {
    self.isReachable = isReachable
    guard isReachable else { return }
    try await queue.change { try $0.endOwnDelays() }
    await pump()
  }

  func renewCredentials() async throws {
    try await queue.change { writer in
      for operation in try writer.operations(.parked) { try writer.move(operation, to: .pending) }
    }
    needsCredentials = false
    await pump()
  }

  /// Begins to send, and asks what became of the operations whose fate is unknown.
  func start() async {
    let uncertain = (try? await queue.change { try $0.operations(.uncertain) }) ?? []
    if configuration.verify != nil, !uncertain.isEmpty {
      inTransit += 1
      Task {
        for operation in uncertain { try? await resolver.verify(operation) }
        inTransit -= 1
        await pump()
      }
    }
    await pump()
  }

  /// Returns when nothing is on its way and nothing more can be sent now.
  func flush() async {
    await pump()
    _ = await settled(deadline: nil)
  }

  /// The same, at the deadline at the latest.
  func flush(within deadline: Duration) async -> Bool {
    await pump()
    return await settled(deadline: deadline)
  }

  private func settled(deadline: Duration?) async -> Bool {
    guard inTransit > 0 || isPumping else { return true }
    nextWaiter += 1
    let waiter = nextWaiter
    let alarm = deadline.map { deadline in
      Task { [weak self, time = configuration.time] in
        try await time.sleep(for: deadline)
        await self?.endWait(of: waiter)
      }
    }
    defer { alarm?.cancel() }
    return await withCheckedContinuation { waiters[waiter] = $0 }
  }

  private func endWait(of waiter: Int) {
    waiters.removeValue(forKey: waiter)?.resume(returning: false)
  }

  /// Sends what is due, as far as lanes are free.
  func pump() async {
    guard !isPumping else {
      pumpsAgain = true
      return
    }
    isPumping = true
    repeat {
      pumpsAgain = false
      while maySend, let operation = try? await queue.change({ try $0.claim() }) {
        inTransit += 1
        Task { await send(operation) }
      }
    } while pumpsAgain
    await scheduleWake()
    isPumping = false
    guard !pumpsAgain else { return await pump() }
    guard inTransit == 0 else { return }
    for waiter in waiters.values { waiter.resume(returning: true) }
    waiters = [:]
  }

  private var maySend: Bool {
    !isPaused && isReachable && !needsCredentials && inTransit < max(configuration.lanes, 1)
  }

  private func send(_ operation: QueuedOperation) async {
    // A disk that fails here leaves the operation in transit, which the next opening puts right.
    do {
      let attempt = try await attempt(operation)
      let decision = attempt.decision
      if decision == .park { needsCredentials = true }
      try await queue.change { try $0.settle(operation, decision, answer: attempt.answer) }
      switch decision {
      case .deliver: try await queue.receive(operation.id)
      case .resolve(let reason, _):
        try await resolver.resolve(operation, reason, answer: attempt.answer)
      case .hold(_, let strikes) where !strikes.isOut: try await resolver.verify(operation)
      default: break
      }
      if decision.state.isFinal || decision == .deliver { queue.forget(operation.id) }
    } catch {}
    inTransit -= 1
    await pump()
  }

  private func attempt(
    _ operation: QueuedOperation
  ) async throws -> (decision: Decision, answer: String) {
    let files = try await queue.change { try $0.files(of: operation.seq) }
    if let problem = await problem(of: files) { return (.reject(problem), "") }
    var headers: Graph.Headers = [:]
    if let name = configuration.idempotencyHeader { headers[name] = operation.idempotencyKey }
    let attempt = await client.attempt(
      GraphQL.Operation(text: operation, files: files), headers: headers)
    let decision = configuration.rule.decision(
      on: outcome(of: attempt), attempts: operation.attempts, strikes: operation.strikes,
      isDoubtful: operation.isDoubtful, isRepeatable: operation.isRepeatable,
      random: configuration.time.random())
    return (decision, (try? attempt.result.get())?.text ?? "")
  }

  /// Reads the files, while the actor does something else.
  @concurrent private nonisolated func problem(of files: [QueuedFile]) async -> RejectionReason? {
    files.lazy.compactMap(\.problem).first
  }

  private func outcome(of attempt: Graph.Attempt) -> AttemptOutcome {
    switch attempt.result {
    case .failure(let error) where !attempt.wasPrepared: reader.outcome(beforeSending: error)
    case .failure(let error): reader.outcome(of: error, delay: attempt.delay)
    case .success(let response):
      reader.outcome(data: response.json, errors: response.errors, delay: attempt.delay)
    }
  }

  private func scheduleWake() async {
    wake?.cancel()
    wake = nil
    guard maySend, let ready = try? await queue.change({ try $0.nextReady() }) else { return }
    let delay = Duration.milliseconds(max(ready - queue.now, 0))
    wake = Task { [weak self, time = configuration.time] in
      guard (try? await time.sleep(for: delay)) != nil, !Task.isCancelled else { return }
      await self?.pump()
    }
  }
}
