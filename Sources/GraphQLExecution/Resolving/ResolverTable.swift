import GraphQLSchema

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
