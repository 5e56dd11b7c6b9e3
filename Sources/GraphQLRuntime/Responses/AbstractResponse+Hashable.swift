import GraphJSON

/// Two objects are equal if they are read as the same class and have the same JSON: the selected fields under their
/// response names, in any order. Errors and the operation do not count.
///
/// Objects of one response are compared by their place first, others by their bytes, so comparing a large response
/// with an equal one takes as long as reading its text once. Values are compared as they arrived: `1` and `1.0`
/// differ, and two texts of one date. An object of a store has all stored fields, and an object to which it leads
/// is compared by its key.
extension GraphQL.AbstractResponse: Hashable {
  public static func == (left: GraphQL.AbstractResponse, right: GraphQL.AbstractResponse) -> Bool {
    guard type(of: left) == type(of: right) else { return false }
    let (mine, theirs) = (left.document, right.document)
    if mine === theirs, left.index == right.index { return true }
    return mine.json.hasSameContent(at: left.index, as: theirs.json, at: right.index)
  }

  /// Hashes the values of the object itself, not those of objects and lists in it.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: self)))
    document.json.hashContent(at: index, into: &hasher)
  }
}
