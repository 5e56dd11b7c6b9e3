import Foundation
import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Finds cached responses that can still be read, and caches those that may be cached.
  final class ResponseCache: Sendable {
    private let storage: any ResponseStorage
    private let time: any TimeSource
    /// Counts purges: the response to a request from before a purge must not be stored after it.
    private let generation = Locked(0)

    init(storage: any ResponseStorage, time: any TimeSource) {
      self.storage = storage
      self.time = time
    }

    /// The number of purges so far; read when a request starts.
    var currentGeneration: Int { generation.withLock { $0 } }

    /// The result of looking for a cached response.
    enum Lookup {
      case found(CheckedResponse, age: Duration?)
      case missing(ObservedCacheRead)
    }

    /// A cached response. One that can no longer be read is removed.
    ///
    /// - Parameter maximumAge: the age from which on a response does not count; nil for no limit.
    func response(
      for key: CacheKey, maximumAge: Duration?, reader: OperationReader
    ) async -> Lookup {
      let stored: CachedResponse?
      do { stored = try await storage.response(for: key) } catch { return .missing(.failed) }
      guard let stored else { return .missing(.notStored) }
      let age = stored.storedAt.age(at: time.now)
      if let maximumAge {
        guard let age, age < maximumAge else { return .missing(.tooOld) }
      }
      guard let content = try? reader.read(stored.bytes) else {
        try? await storage.remove(key)
        return .missing(.unreadable)
      }
      return .found(content, age: age)
    }

    /// The end of the wait for a lease.
    enum LeaseOutcome {
      case stored(CheckedResponse, age: Duration?)
      case granted(any ResponseLease)
      case none

      var observed: ObservedLease {
        switch self {
        case .stored: .stored
        case .granted: .granted
        case .none: .unavailable
        }
      }
    }

    /// Whether processes that share the storage wait for each other's responses.
    var leases: Bool { storage is any LeasingStorage }

    /// Waits until another process has stored a response, or until this one may send the request.
    ///
    /// - Parameter limit: the maximum time to wait; nil for the storage's own.
    func lease(
      for key: CacheKey, _ terms: LeaseTerms, within limit: Duration?, reader: OperationReader
    ) async -> LeaseOutcome {
      guard let storage = storage as? any LeasingStorage else { return .none }
      let time = time
      let outcome = try? await storage.lease(for: key, within: limit) { stored in
        guard let maximumAge = terms.maximumAge else { return true }
        return stored.storedAt.age(at: time.now).map { $0 < maximumAge } ?? false
      }
      switch outcome {
      case .granted(let lease): return .granted(lease)
      case .unavailable, nil: return .none
      case .stored(let stored):
        guard let content = try? reader.read(stored.bytes) else {
          try? await storage.remove(key)
          return .none
        }
        return .stored(content, age: stored.storedAt.age(at: time.now))
      }
    }

    /// Caches the response unless it has errors or no data, contains a sensitive type, or a purge
    /// has happened since.
    ///
    /// - Parameter lease: the lease under which it was requested, which ends.
    /// - Returns: what became of it.
    @discardableResult
    func store(
      _ response: OperationResponse, for key: CacheKey, generation: Int,
      lease: (any ResponseLease)? = nil
    ) async -> ObservedStoring {
      guard generation == currentGeneration, response.errors.isEmpty, response.data != nil,
        !response.content.isSensitive()
      else {
        await lease?.end(letsOthersAsk: true)
        return .notCacheable
      }
      let stored = CachedResponse(bytes: response.bytes, storedAt: time.now)
      var result = ObservedStoring.cached
      do {
        if let lease {
          try await lease.store(stored)
        } else {
          try await storage.store(stored, for: key)
        }
      } catch {
        result = .failed(error)
      }
      // A purge that began after the check may have run before this write.
      if generation != currentGeneration {
        try? await storage.remove(key)
        return .notCacheable
      }
      return result
    }

    func purge() async throws {
      generation.withLock { $0 += 1 }
      try await storage.removeAll()
    }
  }
}

extension Graph {
  /// Which stored responses of other processes a query accepts in place of a request.
  struct LeaseTerms: Hashable, Sendable {
    /// A response of this age or older is not accepted; nil for no limit.
    let maximumAge: Duration?
  }
}

extension Graph.CacheKey {
  /// The key of an operation's response. Every field that may contain a credential is part of the
  /// identity: a user that the server identifies by a field unknown to this client must not get
  /// another user's response.
  init(_ request: Graph.OperationRequest, endpoint: URL) {
    let scopeDigest = Self.scope(endpoint: endpoint, headers: request.headers)
    var name = SHA256()
    name.updateField(Array(scopeDigest.utf8))
    name.updateField(Array(request.document.utf8))
    name.updateField(Array((request.name ?? "").utf8))
    name.updateField(request.variables)
    name.updateField(Array((request.headers["Accept-Language"] ?? "").utf8))
    let extensions = request.extensions.filter { !Self.passingExtensions.contains($0.key) }
    if !extensions.isEmpty {
      name.updateField(Array(JSON.object(JSON.Object(extensions)).description.utf8))
    }
    self.init(scope: scopeDigest, name: name.finish().hexadecimal)
  }

  /// The scope of the responses that a client at `endpoint` gets with these header fields. Fields that do not identify
  /// a user, such as `Accept` or `traceparent`, do not change it.
  ///
  /// - Parameter headers: all fields of the requests, including those that interceptors add.
  public static func scope(endpoint: URL, headers: Graph.Headers) -> String {
    var scope = SHA256()
    scope.updateField(Array(endpoint.absoluteString.utf8))
    for field in Graph.Identity(of: headers).fields {
      scope.updateField(Array(field.text.utf8))
    }
    return scope.finish().hexadecimal
  }

  /// Extensions that do not change the response.
  private static let passingExtensions: Set<String> = ["clientLibrary", "persistedQuery"]
}

extension Graph {
  /// The header fields that may identify a request's user, compared by their bytes.
  struct Identity: Hashable, Sendable {
    /// Each as `name:value`.
    let fields: [ExactKey]

    /// Fields that change between requests and do not identify the user.
    private static let passing: Set<String> = [
      "traceparent", "tracestate", "x-request-id", "x-correlation-id",
    ]

    init(of headers: Headers) {
      fields = headers.fields
        .map { (name: $0.name.lowercased(), value: $0.value) }
        .filter { !Headers.nonsensitive.contains($0.name) && !Self.passing.contains($0.name) }
        .map { ExactKey("\($0.name):\($0.value)") }
        .sorted()
    }
  }
}
