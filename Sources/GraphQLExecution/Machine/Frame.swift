import GraphJSON
import GraphQLSchema

/// An object or list that is being completed.
struct Frame {
  /// The selection; nil for a list.
  let selection: SelectionPlan?
  /// The object's value; null for a list.
  let source: Resolved
  /// The elements; nil for an object.
  let list: (items: [Resolved], itemType: TypeReference, node: FieldNode)?
  /// Whether the whole value must not be null.
  let isNonNull: Bool
  /// How many fields or elements have been started.
  var next = 0
  /// The completed values.
  var values: [JSON] = []

  init(_ selection: SelectionPlan, of source: Resolved, isNonNull: Bool) {
    self.selection = selection
    self.source = source
    self.isNonNull = isNonNull
    list = nil
    values.reserveCapacity(selection.fields.count)
  }

  init(_ items: [Resolved], of itemType: TypeReference, _ node: FieldNode, isNonNull: Bool) {
    selection = nil
    source = .null
    list = (items, itemType, node)
    self.isNonNull = isNonNull
    values.reserveCapacity(items.count)
  }

  /// The complete object or list.
  var value: JSON {
    guard let selection else { return .array(values) }
    return .object(
      JSON.Object(
        zip(selection.fields, values).lazy.map {
          JSON.Object.Member(key: $0.responseName, value: $1)
        }))
  }
}
