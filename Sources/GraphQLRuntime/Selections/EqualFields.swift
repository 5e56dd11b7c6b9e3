extension GraphQL {
  /// Sets of fields that are printed with the same variables.
  struct EqualFields {
    /// Another field of the same set; none for the field that represents the set.
    private var parents: [ObjectIdentifier: ObjectIdentifier] = [:]

    mutating func unite(_ first: SelectionSet.Field, _ second: SelectionSet.Field) {
      let (first, second) = (representative(of: first), representative(of: second))
      if first != second { parents[second] = first }
    }

    /// Equal for the fields of one set.
    func representative(of field: SelectionSet.Field) -> ObjectIdentifier {
      var field = ObjectIdentifier(field)
      while let parent = parents[field] { field = parent }
      return field
    }

    /// Whether no field has another one in its set.
    var isEmpty: Bool { parents.isEmpty }
  }
}
