import GraphJSON

/// Where the values of fields come from (section 6.4.2).
public protocol Resolver: Sendable {
  /// The value of a field. Meta-fields and the fields of introspection are not asked for.
  ///
  /// - Throws: what becomes an execution error at the field's position. A ``ResponseError`` is
  ///   taken as it is; of other errors the description becomes the message.
  func resolve(_ context: FieldContext) async throws -> Resolved

  /// The events of a subscription's root field (section 6.2.3.1), each an object of the
  /// subscription's root type: a resolver for the root field finds it as its source.
  ///
  /// - Throws: what becomes a request error.
  func subscribe(_ context: FieldContext) async throws -> any ResolvedEvents
}

/// The source stream of a subscription.
public typealias ResolvedEvents = AsyncSequence<Resolved, any Error> & Sendable

extension Resolver {
  public func subscribe(_ context: FieldContext) async throws -> any ResolvedEvents {
    throw ResponseError("The field \(quoted(context.name)) has no source of events.")
  }
}

/// Resolves a field to the member of that name of the object it belongs to; null if there is none.
public struct MemberResolver: Resolver {
  public init() {}

  public func resolve(_ context: FieldContext) -> Resolved {
    guard case .json(let object) = context.source else { return .null }
    return .json(object[context.name] ?? .null)
  }
}
