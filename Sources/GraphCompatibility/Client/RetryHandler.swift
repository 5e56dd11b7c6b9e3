import GraphClient
import GraphQLRuntime

extension Graph {
  /// Repeats an operation until its response meets a condition: polling.
  public struct RetryHandler<R: GraphQL.ResponseRoot>: Sendable {
    /// Whether to repeat the operation, given its outcome.
    public typealias Condition = @Sendable (R?, LegacyQueryError?) -> Bool

    /// How often an operation is repeated.
    public enum Endurance: Sendable, Hashable {
      case infinite
      /// That many times after the first.
      case finite(Int)
    }

    /// How often the operation is repeated.
    public let endurance: Endurance
    /// Seconds between a response and the next request.
    public let interval: Double
    /// Whether to repeat the operation, given its outcome.
    public let condition: Condition
    /// How often the operation was repeated.
    public private(set) var repeatCount = 0

    /// A handler that repeats the operation every two seconds, without limit, while the condition
    /// is true.
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

    /// How long to wait before the next request; nil if there is none.
    mutating func delayBeforeRetry(_ data: R?, _ error: LegacyQueryError?) -> Duration? {
      guard canRetry, condition(data, error) else { return nil }
      repeatCount += 1
      return .seconds(interval.isFinite ? min(max(interval, 0), 86_400 * 365) : 0)
    }
  }
}
