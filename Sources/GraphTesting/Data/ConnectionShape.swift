import GraphQLSchema

/// The fields that make an object type a connection: `pageInfo`, and the elements as `nodes` or as
/// `node` of `edges`.
struct ConnectionShape: Sendable {
  let nodeType: TypeReference

  init?(_ type: ObjectType, _ schema: ServiceSchema) {
    guard type.fields.contains(name: "pageInfo") else { return nil }
    if let nodes = type.fields["nodes"]?.type.itemType {
      nodeType = nodes
    } else if let edge = type.fields["edges"]?.type.itemType,
      case .object(let edgeType)? = schema.namedType(of: edge),
      let node = edgeType.fields["node"]
    {
      nodeType = node.type
    } else {
      return nil
    }
  }
}
