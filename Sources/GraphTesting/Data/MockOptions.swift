/// What a ``MockEndpoint`` makes up.
public struct MockOptions: Sendable {
  /// Another seed gives other values; the same one gives the same values on every machine.
  public var seed: UInt64
  /// How many elements a list has.
  public var listLength: Int
  /// How many elements the list under a connection has.
  public var connectionLength: Int
  /// How many events a subscription has for which no resolver gives events.
  public var eventCount: Int
  /// How long a subscription waits, on the endpoint's clock, before each event and its end, and an
  /// answer in parts before each part but the first.
  public var eventInterval: Duration
  /// How parts of an answer are delivered.
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
