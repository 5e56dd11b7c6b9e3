import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph.Transaction {
  /// Whether objects of a type are only kept in memory.
  package func isTransient(_ typeName: String) -> Bool { policies.isTransient(typeName) }

  /// The part of an object's expected fields that may be written to the file: nothing of transient
  /// types.
  ///
  /// - Returns: nil, not JSON's null, if the type itself is transient.
  package func storable(_ fields: JSON, ofType typeName: String) -> JSON? {
    switch fields {
    case .array(let elements): return .array(elements.compactMap { storable($0, ofType: typeName) })
    case .object(let object):
      let name = if case .string(let name)? = object["__typename"] { name } else { typeName }
      guard !policies.isTransient(name) else { return nil }
      let members = object.members.compactMap { member -> JSON.Object.Member? in
        let target = policies.schema.objectTypeName(ofField: "\(name).\(member.key)")
        guard let target else { return member }
        return storable(member.value, ofType: target).map {
          JSON.Object.Member(key: member.key, value: $0)
        }
      }
      return .object(JSON.Object(members))
    // In `? nil :` a nil would be JSON's null.
    default:
      guard !policies.isTransient(typeName) else { return nil }
      return fields
    }
  }
}
