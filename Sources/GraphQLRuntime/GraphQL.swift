/// The runtime under generated GraphQL modules.
///
/// Generated code declares; this namespace holds the behaviour: ``AbstractQuery`` builds documents,
/// ``AbstractResponse`` reads answers, ``SchemaTable`` knows the types of one schema.
public enum GraphQL {}

extension GraphQL {
  /// What a generated namespace (`Storefront`) is to the runtime: the owner of one ``SchemaTable``.
  public protocol Namespace {
    /// The types of the schema, and the classes that stand for them.
    static var schema: SchemaTable { get }
  }
}
