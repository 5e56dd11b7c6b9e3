import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// The known state of an object, without expected changes: fields by their names, relations by
  /// keys; nil if there is none.
  package func knownState(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSON? {
    try checkOpen()
    guard let record = try base(key) else { return nil }
    var serializer = ObjectSerializer(source: self, relations: .keys)
    return .object(try serializer.entity(key, JSONDocument.rootIndex, in: record))
  }

  /// Whether a type of the schema has a field.
  package func hasField(_ field: String, of typeName: String) -> Bool {
    planner.plan(ofType: typeName)?.position(of: Array(field.utf8)) != nil
  }
}
