/// The optional features of a service, in addition to single queries and mutations.
public struct MockFeatures: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Several operations in one request.
  public static let batching = MockFeatures(rawValue: 1)
  /// Automatic persisted queries, version 1.
  public static let persistedQueries = MockFeatures(rawValue: 2)
  /// Subscriptions over HTTP.
  public static let subscriptions = MockFeatures(rawValue: 4)
  /// `@defer` and `@stream`, if the schema declares them.
  public static let incrementalDelivery = MockFeatures(rawValue: 8)
  /// All of them.
  public static let all: MockFeatures = [
    .batching, .persistedQueries, .subscriptions, .incrementalDelivery,
  ]
}
