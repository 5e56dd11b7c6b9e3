import GraphClient
import GraphQLRuntime
import GraphStore

/// Sends the operations that are due, several of different entities at once.
actor Sender {
  let queue: OutboxQueue
  let client: Graph.Client
  let configuration: Graph.Outbox.Configuration
  let lock: OutboxLock
  private let classifier = OutcomeClassifier()
  let hookRunner: HookRunner
  /// How many operations are being sent.
  private var inTransit = 0
  /// The program's running hooks, with the settlement for a hook that never returns. They occupy no
  /// slot.
  var hooks: [Int: Settlement?] = [:]
  var lastHook = 0
  private(set) var isSending = false
  private var mustCheckAgain = false
  private var wake: Task<Void, Never>?
  private var pruning: Task<Void, Never>?
  private var requestEndWaiters: [CheckedContinuation<Void, Never>] = []
  /// The end of the outbox, once it has begun.
  var stopping: Task<Void, Never>?
  private var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
  private var nextWaiter = 0
  /// Results of attempts that could not be written to disk.
  private(set) var unsettled: [Settlement] = []
  private var hasDiskFailed = false

  private var isPaused: Bool
  private var isReachable = true
  private(set) var needsCredentials = false
  /// The client's `renewalCount` after the last attempt whose credentials were refused.
  private var refusedRenewals = 0
  /// Whether there are new credentials that no awaiting operation has used yet.
  private var hasNewToken = false
  private var renewals: [Graph.RenewalToken] = []

  init(
    queue: OutboxQueue, client: Graph.Client, configuration: Graph.Outbox.Configuration,
    lock: OutboxLock
  ) {
    self.lock = lock
    self.queue = queue
    self.client = client
    self.configuration = configuration
    hookRunner = HookRunner(queue: queue, configuration: configuration, lock: lock)
    isPaused = configuration.startsPaused
  }

  /// The time after which a failed disk is retried.
  static let diskPause = Duration.seconds(1)

  deinit {
    wake?.cancel()
    pruning?.cancel()
    lock.release()
  }

  func pause() { isPaused = true }

  func resume() async {
    isPaused = false
    await sendDue()
  }

  func setReachable(_ isReachable: Bool) async throws {
    self.isReachable = isReachable
    guard isReachable else { return }
    try await queue.change { try $0.endOwnDelays() }
    await sendDue()
  }

  /// Retries operations that await credentials.
  ///
  /// Another operation may begin to await credentials during that. So the known state of credentials
  /// is reset first.
  private func retryAwaitingCredentials(after delay: @escaping @Sendable (Int) -> Duration)
    async throws
  {
    let known = (needsCredentials, hasNewToken)
    (needsCredentials, hasNewToken) = (false, false)
    do {
      try await queue.change { try $0.retryAwaitingCredentials(after: delay) }
    } catch {
      needsCredentials = needsCredentials || known.0
      hasNewToken = hasNewToken || known.1
      throw error
    }
  }

  func renewCredentials() async throws {
    try await retryAwaitingCredentials { _ in .zero }
    await sendDue()
  }

  /// Checks whether the client has a newer token than the refused one.
  private func noteToken() {
    if needsCredentials, client.renewalCount > refusedRenewals { hasNewToken = true }
  }

  private func tokenWasRenewed() async {
    noteToken()
    if hasNewToken { await sendDue() }
  }

  private func retryWithNewToken() async {
    guard hasNewToken else { return }
    do {
      try await retryAwaitingCredentials { [configuration] in
        configuration.backoff.delay(after: $0, random: configuration.time.random())
      }
    } catch { note(diskError: error) }
  }

  /// Starts sending, and verifies the operations with an unknown outcome.
  ///
  /// - Parameter leftovers: those operations of an earlier run of the program.
  func start(verifying leftovers: [QueuedOperation]) async {
    renewals = client.whenTokenIsRenewed { [weak self] in
      Task { await self?.tokenWasRenewed() }
    }
    verify(leftovers)
    keepPruning()
    await sendDue()
  }

  /// Deletes receipts that are too old, as long as the outbox works.
  private func keepPruning() {
    let lifetime = configuration.receiptLifetime
    let pause = min(max(lifetime / 2, .milliseconds(50)), .seconds(3600))
    pruning = Task { [weak queue = queue, lock] in
      while (try? await Task.sleep(for: pause)) != nil, !lock.isClosed {
        // A failed disk is retried the next time.
        try? await queue?.prune(olderThan: lifetime)
      }
    }
  }

  /// Sends what is due. Returns when no operation is in progress and none can be sent now.
  func flush() async {
    await sendDue()
    _ = await settled(deadline: nil)
  }

  /// Sends what is due. Returns at the deadline, or earlier when no operation is in progress.
  ///
  /// - Returns: whether no operation was in progress, and every result was stored.
  func flush(within deadline: Duration) async -> Bool {
    await sendDue()
    return await settled(deadline: deadline)
  }

  /// - Returns: whether no operation was in progress, and every result was stored.
  func settled(deadline: Duration?) async -> Bool {
    guard isAtWork || isSending else { return unsettled.isEmpty }
    nextWaiter += 1
    let waiter = nextWaiter
    let timeout = deadline.map { deadline in
      Task { [weak self, time = configuration.time] in
        try await time.sleep(for: deadline)
        await self?.endWait(of: waiter)
      }
    }
    defer { timeout?.cancel() }
    return await withCheckedContinuation { waiters[waiter] = $0 }
  }

  private func endWait(of waiter: Int) {
    waiters.removeValue(forKey: waiter)?.resume(returning: false)
  }

  /// Sends the operations that are due, as far as slots are free.
  func sendDue() async {
    guard !isSending else {
      mustCheckAgain = true
      return
    }
    isSending = true
    hasDiskFailed = false
    let failed = unsettled
    unsettled = []
    for settlement in failed { await settle(settlement) }
    repeat {
      mustCheckAgain = false
      // A token may have arrived while the loop ran.
      await retryWithNewToken()
      while maySend, let (operation, owner) = await claim() {
        Task { await send(operation, of: owner) }
      }
      await postpone()
    } while mustCheckAgain
    await scheduleWake()
    isSending = false
    guard !mustCheckAgain else { return await sendDue() }
    guard !isAtWork else { return }
    for waiter in waiters.values { waiter.resume(returning: unsettled.isEmpty) }
    waiters = [:]
  }

  private var isAtWork: Bool { inTransit > 0 || !hooks.isEmpty }

  private var freeSlots: Int { max(configuration.concurrentOperations, 1) - inTransit }

  /// Whether an operation may be sent, as far as the program and the credentials are concerned.
  private var isOpen: Bool { !isPaused && isReachable && !needsCredentials && freeSlots > 0 }

  private var maySend: Bool { isOpen && client.pause == nil }

  /// Marks the operations that would be sent now as waiting, if the server has requested a pause
  /// from all clients of the process. They occupy no slot: nothing is sent before its end.
  private func postpone() async {
    guard isOpen, !lock.isClosed, let pause = client.pause else { return }
    do {
      guard try await queue.isReady() else { return }
      try await queue.change { [freeSlots] in try $0.postpone(freeSlots, for: pause) }
    } catch { note(diskError: error) }
  }

  /// Takes the next operation and a slot for it.
  private func claim() async -> (QueuedOperation, GraphQL.StoreGeneration)? {
    guard !lock.isClosed else { return nil }
    inTransit += 1
    do {
      if let claimed = try await queue.claim() { return claimed }
    } catch { note(diskError: error) }
    freeSlot()
    return nil
  }

  private func freeSlot() {
    inTransit -= 1
    guard inTransit == 0 else { return }
    for waiter in requestEndWaiters { waiter.resume() }
    requestEndWaiters = []
  }

  /// Returns when there are no open requests.
  func requestsEnded() async {
    wake?.cancel()
    pruning?.cancel()
    if inTransit > 0 { await withCheckedContinuation { requestEndWaiters.append($0) } }
  }

  /// A failed disk is retried. A missing or damaged file is not: the outbox stops and reports the
  /// reason.
  private func note(diskError error: any Error) {
    hasDiskFailed = true
    guard let error = error as? Graph.StoreError, [.replaced, .corrupt].contains(error.code) else {
      return
    }
    lock.close()
    queue.hub.end(error)
    Task { await stop() }
  }

  /// - Parameter owner: the operation's user; it is not sent with the token of another.
  private func send(_ operation: QueuedOperation, of owner: GraphQL.StoreGeneration) async {
    let settlement = await attempt(operation, of: owner)
    if case .markUncertain = settlement.decision, configuration.verify != nil {
      verify(settlement)
      freeSlot()
      return await sendDue()
    }
    if settlement.decision == .awaitCredentials {
      needsCredentials = true
      refusedRenewals = max(refusedRenewals, settlement.renewals)
    }
    await settle(settlement)
    // A new token may have arrived before the operation began to await credentials.
    noteToken()
    freeSlot()
    await sendDue()
  }

  /// The end of an attempt.
  struct Settlement {
    let operation: QueuedOperation
    var decision: AttemptDecision
    var response = ""
    /// The client's `renewalCount` when the attempt had ended.
    var renewals = 0
  }

  /// Writes the result of an attempt. A failed disk is retried; if the program ends before that,
  /// the next opening finds the operation in transit and recovers it.
  func settle(_ settlement: Settlement) async {
    // The operation belongs to the next outbox.
    if lock.isReleased { return }
    let (operation, decision) = (settlement.operation, settlement.decision)
    do {
      if decision == .deliver {
        try await queue.deliver(operation, response: settlement.response)
      } else {
        try await queue.change { try $0.settle(operation, decision, response: settlement.response) }
      }
    } catch  where error.isFileError {
      unsettled.append(settlement)
      return note(diskError: error)
    } catch {
      // The operation may have been carried out. It is shown with the reason.
      let reason = Graph.RejectionReason(
        code: "unsettled", message: "the result cannot be stored: \(error)")
      try? await queue.change {
        try $0.settle(operation, .markUncertain(reason, operation.refusals), response: "")
      }
      return
    }
    if case .resolve(let reason, _) = decision {
      resolve(operation, reason, response: settlement.response)
    }
    if decision.state.isFinal || decision == .deliver { queue.forget(operation.id) }
  }

  private func attempt(
    _ operation: QueuedOperation, of owner: GraphQL.StoreGeneration
  ) async -> Settlement {
    let files: [QueuedFile]
    do {
      files = try await queue.read { try $0.files(toSendWith: operation) }
    } catch {
      // The disk fails, or the user has logged out, before anything was sent.
      return Settlement(
        operation: operation, decision: .retry(after: Self.diskPause, operation.refusals))
    }
    if let problem = await problem(of: files) {
      return Settlement(operation: operation, decision: .reject(problem))
    }
    var headers: Graph.Headers = [:]
    if let name = configuration.idempotencyHeader { headers[name] = operation.idempotencyKey }
    let attempt = await client.attempt(
      GraphQL.Operation(text: operation, files: files), headers: headers
    ) { [store = queue.store, lock] in store.generation == owner && !lock.isClosed }
    let renewals = client.renewalCount
    var result = outcome(of: attempt)
    if case .unauthenticated = result {
      result = classifier.outcomeOfRefusedCredentials(await client.credentialState)
    }
    let decision = configuration.decider.decision(
      on: result, attempts: operation.attempts, refusals: operation.refusals,
      waited: operation.waited, isDoubtful: operation.isDoubtful,
      isRepeatable: operation.isRepeatable,
      random: configuration.time.random())
    return Settlement(
      operation: operation, decision: decision, response: (try? attempt.result.get())?.text ?? "",
      renewals: renewals)
  }

  /// Reads the files without blocking the actor.
  @concurrent private nonisolated func problem(of files: [QueuedFile]) async -> Graph
    .RejectionReason?
  {
    files.lazy.compactMap(\.problem).first
  }

  private func outcome(of attempt: Graph.Attempt) -> AttemptOutcome {
    switch attempt.result {
    case .failure(let error) where !attempt.wasPrepared: classifier.outcome(beforeSending: error)
    case .failure(let error): classifier.outcome(of: error, delay: attempt.delay)
    case .success(let response):
      classifier.outcome(data: response.json, errors: response.errors, delay: attempt.delay)
    }
  }

  private func scheduleWake() async {
    wake?.cancel()
    wake = nil
    guard let delay = await delayUntilWork() else { return }
    wake = Task { [weak self, time = configuration.time] in
      guard (try? await time.sleep(for: delay)) != nil, !Task.isCancelled else { return }
      await self?.sendDue()
    }
  }

  /// How long to wait for the next work; nil if it does not depend on time.
  private func delayUntilWork() async -> Duration? {
    if lock.isClosed { return nil }
    if hasDiskFailed { return Self.diskPause }
    guard isOpen else { return nil }
    if let pause = client.pause { return pause }
    do {
      let ready = try await queue.read { try $0.nextReady() }
      return ready.map { .milliseconds(max($0 - queue.now.uptime, 0)) }
    } catch {
      note(diskError: error)
      return lock.isClosed ? nil : Self.diskPause
    }
  }
}
