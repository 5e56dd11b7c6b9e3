extension GraphQL {
  /// The protocol of a generated namespace (`Storefront`): the owner of one ``SchemaTable``.
  public protocol Namespace {
    /// The types of the schema, and the classes that represent them.
    static var schema: SchemaTable { get }
  }
}
