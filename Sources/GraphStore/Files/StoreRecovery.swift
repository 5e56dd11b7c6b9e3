/// A file that could not be read: where it went, and why.
public struct StoreRecovery: Sendable, Hashable {
  /// The path to which the unreadable file was moved. A logout deletes it.
  public let movedTo: String
  /// What was wrong with it.
  public let reason: StoreError
}
