/// The values that a ``MockEndpoint`` generates.
public struct MockOptions: Sendable {
  /// Another seed gives other values; the same seed gives the same values on every machine.
  public var seed: UInt64
  /// The number of elements of a list.
  public var listLength: Int
  /// The number of elements of the list behind a connection.
  public var connectionLength: Int
  /// The number of events of a subscription without a resolver for its events.
  public var eventCount: Int
  /// How long a subscription waits, on the endpoint's clock, before each event and its end, and a
  /// response in parts before each part but the first.
  public var eventInterval: Duration
  /// How parts of a response are delivered.
  public var incrementalForm: IncrementalForm

  /// Lengths below zero count as zero.
  public init(
    seed: UInt64 = 0, listLength: Int = 3, connectionLength: Int = 25, eventCount: Int = 3,
    eventInterval: Duration = .zero, incrementalForm: IncrementalForm = .announced
  ) {
    self.seed = seed
    self.listLength = max(0, listLength)
    self.connectionLength = max(0, connectionLength)
    self.eventCount = max(0, eventCount)
    self.eventInterval = eventInterval
    self.incrementalForm = incrementalForm
  }
}
