/// One object that is added to a list, or removed from it.
package struct ListEdit: Sendable, Hashable {
  /// The object's place in the list.
  package enum Place: Sendable, Hashable {
    case start, end
    /// Before the first object with a greater value, or a lesser one.
    case ordered(by: String, isDescending: Bool)
    /// The object is removed.
    case removed
  }

  package let key: GraphQL.EntityKey
  package let place: Place

  package init(key: GraphQL.EntityKey, place: Place) {
    self.key = key
    self.place = place
  }
}
