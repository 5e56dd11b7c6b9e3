import Foundation

extension Graph {
  /// The source of the value of a ``LiveQuery`` or of the items of a ``LivePages``.
  public enum LiveSource: Hashable, Sendable {
    /// The server's response to this query, which arrived at the given time. Changes of the store that followed are
    /// included.
    case network(Date)
    /// The cache or the store. The date is when a response of the server last contained the oldest part, or up to
    /// a minute before; nil if that is unknown.
    case cache(Date?)

    /// When the server last sent the oldest part; nil if that is unknown.
    public var date: Date? {
      switch self {
      case .network(let date): date
      case .cache(let date): date
      }
    }
  }
}

extension Graph.LiveSource {
  /// A part of the cache or the store.
  ///
  /// - Parameter age: nil if it is unknown.
  init(age: Duration?, at now: Graph.Timestamp) {
    self = .cache(age.map { Date(timeIntervalSince1970: (now.wall - $0).inSeconds) })
  }

  /// The source of a response that has arrived.
  init<Root>(_ source: Graph.Response<Root>.Source, at now: Graph.Timestamp) {
    switch source {
    case .network: self = .network(Date(timeIntervalSince1970: now.wall.inSeconds))
    case .cache(let age): self.init(age: age, at: now)
    }
  }

  /// The source of two parts together: the cache if one of them is from there, and the older date.
  func combined(with other: Self) -> Self {
    switch (self, other) {
    case (.network(let date), .network(let otherDate)): .network(min(date, otherDate))
    default:
      if let date, let otherDate = other.date { .cache(min(date, otherDate)) } else { .cache(nil) }
    }
  }
}
