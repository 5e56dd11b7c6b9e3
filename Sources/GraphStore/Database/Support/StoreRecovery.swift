extension Graph {
  /// A file that could not be read: its new path, and the reason.
  public struct StoreRecovery: Sendable, Hashable {
    /// The path to which the unreadable file was moved. A logout deletes it.
    public let movedTo: String
    /// The problem with the file.
    public let reason: StoreError
  }
}
