import Foundation
import GraphQLRuntime

extension Graph {
  /// A step that has ended.
  public struct ObservedEvent: Sendable {
    /// The call of which it is a step; nil for web sockets, which several calls share, and for queued operations.
    public let call: ObservedCall?
    /// The step.
    public let step: ObservedStep
    /// When the step ended.
    public let date: Date
    /// How long the step took; zero for a step without duration.
    public let duration: Duration

    /// An event, for tests of an observer.
    public init(call: ObservedCall?, step: ObservedStep, date: Date, duration: Duration = .zero) {
      self.call = call
      self.step = step
      self.date = date
      self.duration = duration
    }
  }

  /// A query, a mutation or a subscription from its beginning to its last response.
  public struct ObservedCall: Sendable, Hashable {
    /// A number that no other call of this process has.
    public let id: UInt64
    /// The operation's name; nil if it has none.
    public let operationName: String?
    /// Query, mutation or subscription.
    public let kind: GraphQL.OperationType
    /// The address to which operations are sent, with its port and without its query.
    public let endpoint: String
    /// The trace of the call, with the call's own span; nil if it has none.
    public let trace: TraceContext?
    /// The span in which the call began; nil if the call begins its trace.
    public let parentSpan: TraceContext.SpanID?

    /// A call, for tests of an observer.
    public init(
      id: UInt64, operationName: String?, kind: GraphQL.OperationType, endpoint: String,
      trace: TraceContext? = nil, parentSpan: TraceContext.SpanID? = nil
    ) {
      self.id = id
      self.operationName = operationName
      self.kind = kind
      self.endpoint = endpoint
      self.trace = trace
      self.parentSpan = parentSpan
    }
  }
}

extension Graph {
  /// A step of a call, of a connection or of a queued operation. Later versions may add cases.
  public enum ObservedStep: Sendable {
    /// A call began.
    case began
    /// The cache or the store was read.
    case cacheRead(ObservedCacheRead)
    /// The call waited for the response to an equal query of this process.
    case joinedEqualQuery
    /// The call waited until another process had sent the same query, or allowed this one to send it.
    case waitedForProcesses(ObservedLease)
    /// The call waited before an attempt.
    case waited(ObservedWait)
    /// The operation was sent once, with all that interceptors did for that.
    case attempt(ObservedAttempt)
    /// An HTTP request was sent and its response received. An attempt with persisted queries can have two, and the
    /// operations of a batch share one, which belongs to the first call that has not ended.
    case exchange(ObservedExchange)
    /// The attempt failed, and there will be another one after the delay.
    case retry(ObservedRetry, after: Duration)
    /// A response was parsed and compared with the operation.
    case responseRead(byteCount: Int)
    /// A response was passed to the cache or to the store.
    case stored(ObservedStoring)
    /// The caller received a response.
    case delivered(ObservedResponse)
    /// The call is over; the last event of each call. Its duration is that of the call.
    case ended(ObservedEnd)
    /// A connection for subscriptions was opened.
    case connectionOpened(ObservedConnection)
    /// A connection for subscriptions ended. The error is nil if it was not needed any longer.
    case connectionEnded(ObservedConnection, QueryError?)
    /// An operation of an outbox has a new state. The states have the names of `Graph.OperationState`; the former
    /// one is nil for a new operation.
    case queuedOperation(id: String, from: String?, to: String)
  }

  /// The result of reading the cache or the store.
  public enum ObservedCacheRead: Sendable, Hashable {
    /// - Parameter age: since the response, or the oldest of its objects, arrived; nil if it is unknown.
    case hit(age: Duration?)
    /// The response is not stored, or not all of it.
    case notStored
    /// The stored response is older than the policy allows.
    case tooOld
    /// The stored response cannot be read, for example because another version of the program stored it.
    case unreadable
    /// The cache failed.
    case failed
  }

  /// How the wait for other processes ended; see ``LeasingStorage``.
  public enum ObservedLease: String, Sendable, Hashable {
    /// Another process has stored a response, which is used.
    case stored
    /// This process sends the query, and others wait for it.
    case granted
    /// The storage does not respond, or the wait took too long: this process sends the query.
    case unavailable
  }

  /// Why a call waited.
  public enum ObservedWait: String, Sendable, Hashable {
    /// The server has requested a pause from all clients, which continue one after the other.
    case serverPause
    /// The budget of the token does not have the points for the request; see ``RateLimiter``.
    case rateLimit
  }

  /// An attempt to send an operation.
  public struct ObservedAttempt: Sendable {
    /// From 1.
    public let number: Int
    /// The status of the response; nil if there is none.
    public let status: Int?
    /// The error of the attempt, and not those in its response; nil if a response was read.
    public let error: QueryError?
    /// The number of errors in the response.
    public let errorCount: Int
    /// The span of the attempt, which the server received as `traceparent`; nil if the call has no trace.
    public let span: TraceContext.SpanID?

    /// An attempt, for tests of an observer.
    public init(
      number: Int, status: Int? = nil, error: QueryError? = nil, errorCount: Int = 0,
      span: TraceContext.SpanID? = nil
    ) {
      self.number = number
      self.status = status
      self.error = error
      self.errorCount = errorCount
      self.span = span
    }
  }

  /// An HTTP request and its response.
  public struct ObservedExchange: Sendable, Hashable {
    /// The status of the response; nil if there is none. The body of a response with a status may not have arrived.
    public let status: Int?
    /// The size of the request's body; nil for a form with files.
    public let sentBytes: Int?
    /// The size of the response's body, decoded; zero for a stream, whose parts are read later.
    public let receivedBytes: Int
    /// The number of operations in the request.
    public let operationCount: Int

    /// An exchange, for tests of an observer.
    public init(status: Int?, sentBytes: Int?, receivedBytes: Int, operationCount: Int = 1) {
      self.status = status
      self.sentBytes = sentBytes
      self.receivedBytes = receivedBytes
      self.operationCount = operationCount
    }
  }

  /// The reason of another attempt.
  public enum ObservedRetry: Sendable, Hashable {
    /// The connection failed or was lost.
    case connection
    /// The server responded with this status.
    case status(Int)
    /// The server responded with the error `THROTTLED`.
    case throttled
  }

  /// The outcome of a response that was passed to the cache or to the store.
  public enum ObservedStoring: Sendable {
    /// The cache has it.
    case cached
    /// The store has its objects.
    case stored
    /// It may not be cached: it has errors or sensitive values, or the cache was purged in the meantime.
    case notCacheable
    /// The cache or the store failed.
    case failed(any Error)
  }

  /// A response as its caller received it.
  public struct ObservedResponse: Sendable, Hashable {
    /// Whether it is from the cache or the store.
    public let isCached: Bool
    /// The number of errors in it.
    public let errorCount: Int

    /// A response, for tests of an observer.
    public init(isCached: Bool, errorCount: Int = 0) {
      self.isCached = isCached
      self.errorCount = errorCount
    }
  }

  /// How a call ended.
  public enum ObservedEnd: Sendable {
    /// With its last response.
    case completed
    /// With an error, which is ``QueryError/isCancelled`` if the caller's task was cancelled.
    case failed(QueryError)
    /// The caller has stopped reading the responses.
    case released
  }

  /// A kind of connection for subscriptions.
  public enum ObservedConnection: String, Sendable, Hashable {
    case webSocket
    /// Server-sent events, or parts of a response over HTTP.
    case http
  }
}
