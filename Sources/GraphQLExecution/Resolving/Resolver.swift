import GraphJSON
import GraphQLSchema

/// The source of the values of fields (section 6.4.2).
public protocol Resolver: Sendable {
  /// The value of a field. Not called for meta-fields and the fields of introspection.
  ///
  /// - Throws: any error; it becomes an execution error at the field's position. A
  ///   ``ExecutionError`` is used unchanged; for other errors, the description becomes the message.
  func resolve(_ context: FieldContext) async throws -> Resolved

  /// The events of a subscription's root field (section 6.2.3.1), each an object of the
  /// subscription's root type, which is the source for the root field's resolver.
  ///
  /// - Throws: any error; it becomes a request error.
  func subscribe(_ context: FieldContext) async throws -> any ResolvedEvents
}

/// The source stream of a subscription: a stream of Concurrency, or a type that adopts this.
public protocol ResolvedEvents: AsyncSequence, Sendable where Element == Resolved {}

extension AsyncStream: ResolvedEvents where Element == Resolved {}
extension AsyncThrowingStream: ResolvedEvents where Element == Resolved, Failure == any Error {}

extension Resolver {
  public func subscribe(_ context: FieldContext) async throws -> any ResolvedEvents {
    throw ExecutionError("The field \(quoted(context.name)) has no source of events.")
  }
}

/// Resolves a field to the object's member of that name; null if there is none.
public struct MemberResolver: Resolver {
  public init() {}

  public func resolve(_ context: FieldContext) -> Resolved {
    guard case .json(let object) = context.source else { return .null }
    return .json(object[context.name] ?? .null)
  }
}
