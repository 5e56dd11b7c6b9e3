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

/// A resolver's result for a field, before it is completed according to the field's type (section
/// 6.4.3).
public enum Resolved: Sendable {
  /// A scalar, an enum value's name, null, or a tree of objects and lists. An object's fields
  /// resolve to its members by default, and its `__typename` determines its type if the field's
  /// type is abstract.
  case json(JSON)
  /// A list whose elements are resolved separately.
  case list([Resolved])
  /// An object that resolvers can read. Its type may be left out if the field's type is an object
  /// type.
  case object(any Sendable, type: String?)
  /// An error in place of a value, e.g. for one element of a list.
  case failure(ExecutionError)

  /// No value.
  public static var null: Resolved { .json(.null) }
}

/// The information about a field for its resolver (section 6.4.2).
public struct FieldContext: Sendable {
  /// The object of the field: the result of the enclosing field.
  public let source: Resolved
  /// The position of the value in the response.
  public let path: ResponsePath
  let plan: FieldPlan

  /// The type of the field's object.
  public var parentType: ObjectType { plan.parentType }
  /// The field in the schema.
  public var definition: FieldDefinition { plan.definition }
  /// The type under all list and non-null wrappers of the field's type.
  public var namedType: NamedType { plan.namedType }
  /// The name of the field, not its alias.
  public var name: String { plan.definition.name }
  /// The selections that are merged into this field, in the order of the document.
  public var fields: [Document.Field] { plan.fields }
  /// The coerced values of the arguments (section 6.4.1), including defaults, in the order of their
  /// definitions. An argument without a value and without a default value is absent.
  public var arguments: JSON.Object { plan.arguments }
  /// The schema against which the document is executed.
  public var schema: ServiceSchema { plan.schema }
}

/// The parts that all executions of a field on one object type share.
final class FieldPlan: Sendable {
  let schema: ServiceSchema
  let parentType: ObjectType
  let definition: FieldDefinition
  /// The type under all wrappers of the field's type.
  let namedType: NamedType
  let fields: [Document.Field]
  let arguments: JSON.Object

  init(
    schema: ServiceSchema, parentType: ObjectType, definition: FieldDefinition,
    namedType: NamedType,
    fields: [Document.Field],
    arguments: JSON.Object
  ) {
    self.schema = schema
    self.parentType = parentType
    self.definition = definition
    self.namedType = namedType
    self.fields = fields
    self.arguments = arguments
  }
}

/// Resolvers by type and field, and another resolver for all other fields.
///
/// ```swift
/// var resolvers = ResolverTable()
/// resolvers["QueryRoot", "shop"] = { _ in .json(["name": "Feathers & Co"]) }
/// ```
public struct ResolverTable: Resolver {
  /// Returns the value of one field; see ``Resolver/resolve(_:)``.
  public typealias FieldResolver = @Sendable (FieldContext) async throws -> Resolved
  /// Returns the events of a subscription; see ``Resolver/subscribe(_:)``.
  public typealias EventSource = @Sendable (FieldContext) async throws -> any ResolvedEvents

  private struct Key: Hashable {
    let type: String
    let field: String
  }

  private var resolvers: [Key: FieldResolver] = [:]
  private var sources: [String: EventSource] = [:]
  private let fallback: any Resolver

  /// A table without entries, so that `fallback` resolves every field.
  public init(fallback: any Resolver = MemberResolver()) { self.fallback = fallback }

  /// The resolver of a field of an object type.
  public subscript(type: String, field: String) -> FieldResolver? {
    get { resolvers.isEmpty ? nil : resolvers[Key(type: type, field: field)] }
    set { resolvers[Key(type: type, field: field)] = newValue }
  }

  /// The source of events of a field of the subscription root type.
  public subscript(eventsOf field: String) -> EventSource? {
    get { sources[field] }
    set { sources[field] = newValue }
  }

  public func resolve(_ context: FieldContext) async throws -> Resolved {
    if let resolver = self[context.parentType.name, context.name] {
      return try await resolver(context)
    }
    return try await fallback.resolve(context)
  }

  public func subscribe(_ context: FieldContext) async throws -> any ResolvedEvents {
    if let source = self[eventsOf: context.name] { return try await source(context) }
    return try await fallback.subscribe(context)
  }
}
