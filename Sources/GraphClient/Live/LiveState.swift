import Foundation
import GraphQLRuntime

extension Graph {
  /// The activity of a ``LiveQuery`` or a ``LivePages``.
  public enum LivePhase: Hashable, Sendable {
    /// There is no request.
    case idle
    /// The first response is awaited, and there is no value yet; or a further page of a list is.
    case loading
    /// There is a value, and a newer response is awaited.
    case refreshing
    /// The last request has failed. An earlier value is kept.
    case failed(QueryError)

    /// Whether a response is awaited.
    public var isActive: Bool { self == .loading || self == .refreshing }

    /// Why the last request has failed.
    public var error: QueryError? {
      if case .failed(let error) = self { error } else { nil }
    }
  }
}

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

extension Graph.CachePolicy {
  /// Whether a stored response is shown before the query is sent.
  var readsCacheFirst: Bool {
    switch kind {
    case .cacheOnly, .cacheFirst, .cacheAndNetwork: true
    case .networkOnly, .networkFirst: false
    }
  }

  /// Whether the query is sent even if there is a stored response.
  var alwaysSends: Bool {
    switch kind {
    case .networkOnly, .networkFirst, .cacheAndNetwork: true
    case .cacheOnly, .cacheFirst: false
    }
  }
}

extension Graph {
  /// A request of a live query or list, which ends with it.
  final class LiveRequest: Sendable {
    /// Distinguishes the requests of one object: the task of one cannot reference it.
    let number: Int
    let task: Task<Void, Never>

    init(_ number: Int, _ task: Task<Void, Never>) {
      self.number = number
      self.task = task
    }

    deinit { task.cancel() }
  }
}

extension Task where Success == Void, Failure == Never {
  /// Waits for the end of the task, or until the calling task is cancelled. This task then continues.
  nonisolated(nonsending) func end() async {
    let (ends, continuation) = AsyncStream<Never>.makeStream()
    Task<Void, Never> {
      await value
      continuation.finish()
    }
    // The stream also ends when the calling task is cancelled.
    for await _ in ends {}
  }
}

extension Graph {
  /// The requests that a live query or list sends by itself because its response is missing in the store.
  ///
  /// The store may be unable to keep the responses to two queries at once, such as the start of a list and its end. If
  /// both are observed, each response would cause a request for the other one, without end. So one request a minute
  /// is sent.
  struct MissingRequests {
    private static let interval = Duration.seconds(60)
    private var last: Timestamp?

    /// - Returns: whether a request may be sent now. It counts then.
    mutating func begin(at now: Timestamp) -> Bool {
      if let last, last.boot == now.boot, now.uptime - last.uptime < Self.interval { return false }
      last = now
      return true
    }
  }
}
