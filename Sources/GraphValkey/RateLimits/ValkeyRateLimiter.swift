import GraphClient
import GraphQLRuntime
import GraphRateLimits

extension Graph {
  /// A limiter for the processes of a service, which spend the budget of each token together.
  ///
  /// ```swift
  /// let valkey = try Graph.Valkey(.init(.host("cache.internal"), namespace: "shop"))
  /// var configuration = Graph.ClientConfiguration()
  /// configuration.rateLimiter = Graph.ValkeyRateLimiter(valkey)
  /// ```
  ///
  /// The points are on the server, with the rules of `Graph.BudgetLimiter`: requests get them in the order in which they
  /// ask, whichever process they are from, and a pause that the service requests from one process delays all.
  ///
  /// If the server cannot be reached or is too slow, each process continues with a budget of its own. Then the service may
  /// refuse requests, which are retried as without a limiter. The server keeps a budget for a day after its last request.
  public final class ValkeyRateLimiter: RateLimiter {
    private let valkey: Valkey
    private let budget: RateBudget?
    /// Knows only this process. It has all reservations of this process, so that it can take over at any time.
    private let own: BudgetLimiter

    /// A limiter whose budgets are on a server.
    ///
    /// - Parameter budget: that of each token before the first response; nil if it is unknown.
    public init(_ valkey: Valkey, budget: RateBudget? = nil) {
      self.valkey = valkey
      self.budget = budget
      own = BudgetLimiter(budget: budget)
    }

    /// Takes one round trip.
    public func reserve(_ request: RateRequest, within limit: Duration?) async -> RateReservation {
      let shared = try? await sharedReservation(request, within: limit)
      switch shared?.reservation {
      case .refused(let wait): return .refused(after: wait)
      case .granted(let wait) where shared?.isKnown == true:
        _ = await own.reserve(request, within: nil)
        return .granted(after: wait)
      case .granted, nil:
        // The server has failed, or has lost its data; it may have reserved the points even so.
        let reservation = await own.reserve(request, within: limit)
        if case .refused = reservation { await settleShared(request, RateReport(cost: 0)) }
        return reservation
      }
    }

    /// Takes one round trip.
    public func pause(for request: RateRequest) async -> Duration {
      let (shard, keys) = server(for: request)
      let shared = try? await shard.evaluate(RateLimitScripts.pause, keys: [keys[0]], [])
      // The server may not have been reached when this process had to pause.
      return max(.milliseconds(shared?.integer ?? 0), await own.pause(for: request))
    }

    /// Takes one round trip.
    public func settle(_ request: RateRequest, _ report: RateReport) async {
      await own.settle(request, report)
      await settleShared(request, report)
    }

    private func sharedReservation(
      _ request: RateRequest, within limit: Duration?
    ) async throws(ValkeyError) -> (reservation: RateReservation, isKnown: Bool) {
      let (shard, keys) = server(for: request)
      let value = try await shard.evaluate(
        RateLimitScripts.reserve, keys: keys,
        [
          .init(text: "\(request.cost.checkedCost)"),
          .init(text: limit.map { "\($0.milliseconds)" } ?? ""),
        ]
          + arguments(of: budget))
      guard let fields = value.array?.compactMap(\.integer), fields.count == 3 else {
        throw ValkeyError(.invalidResponse, message: "the limiter's script has another value")
      }
      let wait = Duration.milliseconds(fields[1])
      return (fields[0] == 1 ? .granted(after: wait) : .refused(after: wait), fields[2] == 1)
    }

    private func settleShared(_ request: RateRequest, _ report: RateReport) async {
      let arguments: [[UInt8]] =
        [
          .init(text: "\(request.cost.checkedCost)"),
          .init(text: report.cost.map { "\($0.checkedCost)" } ?? ""),
        ]
        + arguments(of: report.budget)
        + [.init(text: report.pause.map { "\($0.milliseconds)" } ?? "")]
      let (shard, keys) = server(for: request)
      // The task may be cancelled, and others need the points even so.
      await Task {
        _ = try? await shard.evaluate(RateLimitScripts.settle, keys: keys, arguments)
      }.value
    }

    private func server(for request: RateRequest) -> (shard: ValkeyShard, keys: [String]) {
      let shard = valkey.shards.shard(ofBudget: request.scope)
      return (shard, [shard.keys.budget(request.scope), shard.keys.reservation(request)])
    }

    /// The capacity, the available points, the rate and the rest of the window.
    private func arguments(of budget: RateBudget?) -> [[UInt8]] {
      guard let budget = budget?.checked else { return Array(repeating: [], count: 4) }
      let refill: [String] =
        switch budget.refill {
        case .perSecond(let rate): ["\(rate)", ""]
        case .after(let remaining): ["", "\(remaining.milliseconds)"]
        }
      return (["\(budget.capacity)", "\(budget.available)"] + refill).map { .init(text: $0) }
    }
  }
}

extension Duration {
  /// Rounded down, and not below zero.
  fileprivate var milliseconds: Int64 { max(0, nanoseconds / 1_000_000) }
}

/// The scripts of the limiter. The server's clock is the only one, so processes need not agree on the time.
///
/// The keys of each: the budget of a scope, which is a hash, and the reservation of a request. The hash has the capacity
/// (none until it is known), the available points (below zero if they are overdrawn), the time for which they are counted,
/// the rate per second or the end of the window, the end of a pause, the points reserved in this epoch and in the one
/// before, and the total of the points that were spent. Times are in milliseconds.
///
/// A process that is killed leaves its reservations behind. They count for at most two epochs; the points that they have
/// taken come back with the next response after that.
enum RateLimitScripts {
  /// Reserves points, unless the wait would be too long.
  ///
  /// Arguments: the cost, the longest wait (empty for any), and a budget for a scope whose own is unknown: capacity,
  /// available points, rate per second, rest of the window (empty for none). The value: 1 if they are reserved, the wait,
  /// and 1 if the server knows the budget or a pause.
  static let reserve = ValkeyScript(
    state + """
      local cost, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
      if not state.capacity and ARGV[3] ~= '' then
        state.capacity, state.available = tonumber(ARGV[3]), tonumber(ARGV[4])
        state.rate, state.window = tonumber(ARGV[5]), ARGV[6] ~= '' and now + ARGV[6] or nil
        state.available = math.min(state.available, full()) - outstanding()
      end
      local wait = math.max((state.pause or 0) - now, 0)
      local known = (state.capacity or wait > 0) and 1 or 0
      -- A request that costs more than a full budget waits for a full one.
      local missing = state.capacity and math.min(cost, state.capacity) - state.available or 0
      if missing > 0 then
        if state.window then
          local windows = math.max(math.ceil(missing / math.max(state.capacity, 1)) - 1, 0)
          wait = math.max(wait, state.window - now + windows * 3600000)
        else
          wait = math.max(wait, state.rate > 0 and missing / state.rate * 1000 or 1e12)
        end
      end
      wait = math.min(math.ceil(wait), 1e12)
      if limit and wait > limit then return {0, wait, known} end
      if state.capacity then state.available = state.available - cost end
      state.recent = state.recent + cost
      redis.call('SET', KEYS[2], cost .. ' ' .. epoch .. ' ' .. string.format('%.17g', state.spent),
        'PX', string.format('%.0f', 600000 + wait))
      save()
      return {1, wait, known}
      """)

  /// Replaces the estimate by the actual cost, and adopts the budget of the response.
  ///
  /// Arguments: the estimate, the actual cost, the budget as for ``reserve``, the pause; all but the estimate are empty
  /// if they are unknown. A request whose reservation is missing was sent without one, or the server has lost its data.
  ///
  /// The points of a response lie between two bounds: less what is reserved, if the service has counted none of those
  /// requests; and less also what others have spent since the request was reserved, if it has not counted those either.
  static let settle = ValkeyScript(
    state + """
      local cost, before = 0, nil
      local reservation = redis.call('GET', KEYS[2])
      if reservation then
        local since
        cost, since, before = string.match(reservation, '(%S+) (%S+) (%S+)')
        cost, since, before = tonumber(cost), tonumber(since), tonumber(before)
        redis.call('DEL', KEYS[2])
        if since == epoch then
          state.recent = math.max(state.recent - cost, 0)
        elseif since == epoch - 1 then
          state.older = math.max(state.older - cost, 0)
        end
      end
      local spent = tonumber(ARGV[2]) or tonumber(ARGV[1])
      if state.capacity then
        state.available = math.min(state.available + cost - spent, full())
      end
      if ARGV[3] ~= '' then
        local capacity = tonumber(ARGV[3])
        local isNew = state.capacity ~= capacity
        state.capacity, state.rate = capacity, tonumber(ARGV[5])
        state.window = ARGV[6] ~= '' and now + ARGV[6] or nil
        local highest = math.min(tonumber(ARGV[4]), full()) - outstanding()
        if isNew then
          state.available = highest
        else
          state.available = math.min(state.available, highest)
          if before then
            state.available = math.max(state.available, highest - (state.spent - before))
          end
        end
      end
      state.spent = state.spent + spent
      if ARGV[7] ~= '' then state.pause = math.max(state.pause or 0, now + ARGV[7]) end
      save()
      return 1
      """)

  /// The rest of the pause. The key is the budget.
  static let pause = ValkeyScript(
    """
    local time = redis.call('TIME')
    local pause = tonumber(redis.call('HGET', KEYS[1], 'pause') or '')
    return math.max(math.ceil((pause or 0) - (time[1] * 1000 + time[2] / 1000)), 0)
    """)

  private static let state = """
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    local epoch = math.floor(now / 300000)
    local names = {'capacity', 'available', 'counted', 'rate', 'window', 'pause', 'epoch', 'recent',
      'older', 'spent'}
    local state = {}
    for i, value in ipairs(redis.call('HMGET', KEYS[1], unpack(names))) do
      state[names[i]] = tonumber(value)
    end
    state.spent = state.spent or 0
    if state.epoch ~= epoch then
      state.older = state.epoch == epoch - 1 and state.recent or 0
      state.recent, state.epoch = 0, epoch
    end
    local function outstanding() return state.recent + state.older end
    -- A bucket that is full loses what would be refilled until a request reaches the service. So it counts as full
    -- when it could take the points of one more second.
    local function full()
      if state.window then return state.capacity end
      return state.capacity - math.min(state.rate, state.capacity / 10)
    end
    local function refill()
      local gained = 0
      if state.window then
        if state.window <= now then
          local windows = math.floor((now - state.window) / 3600000) + 1
          gained = state.capacity * windows
          state.window = state.window + windows * 3600000
        end
      else
        gained = state.rate * math.max(now - (state.counted or now), 0) / 1000
      end
      state.available = math.min(state.available + gained, full())
    end
    if state.capacity then refill() end
    state.counted = now
    local function save()
      local values = {}
      for _, name in ipairs(names) do
        values[#values + 1] = name
        values[#values + 1] = state[name] or ''
      end
      redis.call('HSET', KEYS[1], unpack(values))
      redis.call('PEXPIRE', KEYS[1], 86400000)
    end

    """
}
