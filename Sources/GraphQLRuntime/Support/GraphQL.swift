/// The runtime for generated GraphQL modules.
///
/// Generated code only declares; this namespace implements: ``AbstractQuery`` builds documents,
/// ``AbstractResponse`` reads responses, ``SchemaTable`` describes the types of one schema.
public enum GraphQL {}

extension GraphQL {
  /// The protocol of a generated namespace (`Storefront`): the owner of one ``SchemaTable``.
  public protocol Namespace {
    /// The types of the schema, and the classes that represent them.
    static var schema: SchemaTable { get }
  }
}
