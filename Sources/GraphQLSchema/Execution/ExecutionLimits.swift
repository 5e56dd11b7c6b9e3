import GraphJSON

/// What keeps a small document from asking for an endless response.
public struct ExecutionLimits: Sendable {
  /// How deep objects and lists may be nested in a response. A deeper one is an execution error.
  public var maximumDepth: Int
  /// How many values a response may have, those inside objects and lists counted as well. With one
  /// more the execution ends without data.
  public var maximumPositions: Int

  /// Limits that no response of use comes near.
  public init(maximumDepth: Int = 256, maximumPositions: Int = 2_000_000) {
    self.maximumDepth = min(maximumDepth, JSONDocument.defaultMaximumDepth)
    self.maximumPositions = maximumPositions
  }
}
