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
