extension Graph {
  /// Whether documents are sent by their hash (automatic persisted queries, version 1).
  public struct PersistedQueries: Sendable, Hashable {
    enum Mode: Hashable {
      case off
      case post
      case get(maximumURLLength: Int)
    }

    let mode: Mode

    /// Every request carries its document.
    public static let off = PersistedQueries(mode: .off)
    /// Requests carry the hash; the document follows when the server does not know it.
    public static let post = PersistedQueries(mode: .post)

    /// Like ``post``, but hashed queries are GET requests, which intermediate caches can serve, if
    /// the address has at most that many bytes.
    public static func get(maximumURLLength: Int = 2000) -> PersistedQueries {
      PersistedQueries(mode: .get(maximumURLLength: maximumURLLength))
    }
  }
}
