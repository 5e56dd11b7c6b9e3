import GraphJSON

extension GraphQL.ResponseRoot {
  /// Whether two objects that are read as this type have the same content: their JSON as it arrived, or the same
  /// values in all fields of a typed operation.
  package func _hasSameContent(as other: Self) -> Bool {
    let (left, right) = (_handle, other._handle)
    if left.document === right.document, left.index == right.index { return true }
    if left.document.recorded != nil, right.document.recorded != nil {
      return GraphQL.Fields(left.document, left.index)
        .isEqual(to: GraphQL.Fields(right.document, right.index))
    }
    let (mine, theirs) = (_stored, other._stored)
    return mine.json.hasSameContent(at: mine.index, as: theirs.json, at: theirs.index)
  }
}
