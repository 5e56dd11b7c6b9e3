import GraphClient
import GraphQLRuntime
import GraphStore

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
  /// What attempts came to, where the disk failed to keep it.
  private var unsettled: [Settlement] = []
  private var hasDiskFailed = false

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

  /// After which a disk that has failed is tried again.
  private static let diskPause = Duration.seconds(1)

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
    hasDiskFailed = false
    let failed = unsettled
    unsettled = []
    for settlement in failed { await settle(settlement) }
    repeat {
      pumpsAgain = false
      while maySend, let (operation, owner) = await claim() {
        inTransit += 1
        Task { await send(operation, of: owner) }
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

  private func claim() async -> (QueuedOperation, GraphQL.ModelGeneration)? {
    do { return try await queue.claim() } catch {
      hasDiskFailed = true
      return nil
    }
  }

  /// - Parameter owner: whose operation it is; it is not sent with the token of another.
  private func send(_ operation: QueuedOperation, of owner: GraphQL.ModelGeneration) async {
    let settlement = await attempt(operation, of: owner)
    if settlement.decision == .park { needsCredentials = true }
    await settle(settlement)
    inTransit -= 1
    await pump()
  }

  private struct Settlement {
    let operation: QueuedOperation
    let decision: Decision
    var answer = ""
  }

  /// Keeps what an attempt came to. A disk that fails is tried again; if the program ends before that,
  /// the next opening finds the operation in transit and puts it right.
  private func settle(_ settlement: Settlement) async {
    let (operation, decision) = (settlement.operation, settlement.decision)
    do {
      if decision == .deliver {
        try await queue.deliver(operation, answer: settlement.answer)
      } else {
        try await queue.change { try $0.settle(operation, decision, answer: settlement.answer) }
      }
    } catch let error as StoreError where [.database, .file, .busy].contains(error.code) {
      hasDiskFailed = true
      unsettled.append(settlement)
      return
    } catch { return }
    switch decision {
    case .resolve(let reason, _):
      try? await resolver.resolve(operation, reason, answer: settlement.answer)
    case .hold(_, let strikes) where !strikes.isOut: try? await resolver.verify(operation)
    default: break
    }
    if decision.state.isFinal || decision == .deliver { queue.forget(operation.id) }
  }

  private func attempt(
    _ operation: QueuedOperation, of owner: GraphQL.ModelGeneration
  ) async -> Settlement {
    guard let files = try? await queue.change({ try $0.files(of: operation.seq) }) else {
      // The disk fails before anything was sent.
      return Settlement(
        operation: operation, decision: .retry(after: Self.diskPause, operation.strikes))
    }
    if let problem = await problem(of: files) {
      return Settlement(operation: operation, decision: .reject(problem))
    }
    var headers: Graph.Headers = [:]
    if let name = configuration.idempotencyHeader { headers[name] = operation.idempotencyKey }
    let attempt = await client.attempt(
      GraphQL.Operation(text: operation, files: files), headers: headers
    ) { [store = queue.store] in store.generation == owner }
    let decision = configuration.rule.decision(
      on: outcome(of: attempt), attempts: operation.attempts, strikes: operation.strikes,
      isDoubtful: operation.isDoubtful, isRepeatable: operation.isRepeatable,
      random: configuration.time.random())
    return Settlement(
      operation: operation, decision: decision, answer: (try? attempt.result.get())?.text ?? "")
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
    guard let delay = await delayUntilWork() else { return }
    wake = Task { [weak self, time = configuration.time] in
      guard (try? await time.sleep(for: delay)) != nil, !Task.isCancelled else { return }
      await self?.pump()
    }
  }

  /// How long to wait until there is something to do; nil when that is not a question of time.
  private func delayUntilWork() async -> Duration? {
    if hasDiskFailed { return Self.diskPause }
    guard maySend else { return nil }
    do {
      let ready = try await queue.change { try $0.nextReady() }
      return ready.map { .milliseconds(max($0 - queue.now.uptime, 0)) }
    } catch {
      return Self.diskPause
    }
  }
}
