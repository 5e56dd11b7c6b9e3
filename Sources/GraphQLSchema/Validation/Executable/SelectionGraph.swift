/// The fields of a document's selection sets, in the form that field merging needs (section 5.3.2):
/// inline fragments are part of the enclosing selection set, spreads are kept.
struct SelectionGraph {
  struct SelectionSetNode {
    /// Positions in `fields`.
    var fields: [Int] = []
    /// The fragments it spreads.
    var fragments: [Int] = []
  }

  struct FieldUse {
    /// The response name as a number; only equality counts.
    let responseName: Int
    let name: String
    let arguments: [Document.Argument]
    /// The type in whose scope it is selected; nil if that is unknown.
    let parent: String?
    let isParentObject: Bool
    /// The field's type; nil if the field is unknown.
    let type: TypeReference?
    /// Its selection set, if it has one.
    let child: Int?
    /// Whether it has `@stream`.
    let isStreamed: Bool
    /// Its alias and name.
    let range: SourceRange
  }

  private(set) var selectionSets: [SelectionSetNode] = []
  private(set) var fields: [FieldUse] = []
  private var responseNames: [String: Int] = [:]

  mutating func addSelectionSet() -> Int {
    selectionSets.append(SelectionSetNode())
    return selectionSets.count - 1
  }

  mutating func addSpread(of fragment: Int, to selectionSet: Int) {
    selectionSets[selectionSet].fragments.append(fragment)
  }

  mutating func add(
    _ field: Document.Field, _ type: TypeReference?, on parent: NamedType?, child: Int?,
    isStreamed: Bool, to selectionSet: Int
  ) {
    let isParentObject = if case .object? = parent { true } else { false }
    var range = field.range
    range.end = field.nameRange.end
    selectionSets[selectionSet].fields.append(fields.count)
    fields.append(
      FieldUse(
        responseName: number(of: field.responseName), name: field.name,
        arguments: field.arguments, parent: parent?.name, isParentObject: isParentObject,
        type: type, child: child, isStreamed: isStreamed,
        range: range))
  }

  private mutating func number(of responseName: String) -> Int {
    if let number = responseNames[responseName] { return number }
    responseNames[responseName] = responseNames.count
    return responseNames.count - 1
  }
}
