import GraphQLRuntime

extension Graph {
  /// Repeats an operation until its answer is the one that is waited for: polling.
  public struct RetryHandler<R: GraphQL.AbstractResponse>: Sendable {
    /// Whether to ask again, given what came.
    public typealias Condition = @Sendable (R?, QueryError?) -> Bool

    /// How often an operation is repeated.
    public enum Endurance: Sendable, Hashable {
      case infinite
      /// So many times after the first.
      case finite(Int)
    }

    /// How often the operation is repeated.
    public let endurance: Endurance
    /// Seconds between an answer and the next request.
    public let interval: Double
    /// Whether to ask again, given what came.
    public let condition: Condition
    /// How often the operation has been repeated.
    public private(set) var repeatCount = 0

    /// A handler that asks again every two seconds, without end, while the condition holds.
    public init(
      endurance: Endurance = .infinite, interval: Double = 2,
      condition: @escaping Condition
    ) {
      self.endurance = endurance
      self.interval = interval
      self.condition = condition
    }

    /// Whether the endurance allows another request.
    public var canRetry: Bool {
      switch endurance {
      case .infinite: true
      case .finite(let limit): repeatCount < limit
      }
    }

    /// How long to wait before the next request; nil when there is none.
    mutating func delayBeforeRetry(_ data: R?, _ error: QueryError?) -> Duration? {
      guard canRetry, condition(data, error) else { return nil }
      repeatCount += 1
      return .seconds(interval.isFinite ? min(max(interval, 0), 86_400 * 365) : 0)
    }
  }
}
