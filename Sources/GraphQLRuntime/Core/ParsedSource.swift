import GraphJSON

extension GraphQL {
  /// A response, or an object that was created from fields.
  struct ParsedSource: ResponseSource {
    let json: JSONDocument
    /// The position of `data`'s object, where paths begin.
    let root: Int
    /// The operation of the response; nil for an object created from fields.
    let operation: (any SelectedFields)?
    var context = ResponseContext.complete

    func path(to index: Int) -> [ResponsePathElement] { json.path(to: index, from: root) }

    var selected: (operation: any SelectedFields, root: Int)? { operation.map { ($0, root) } }

    func selects(
      _ responseName: String, at path: [ResponsePathElement], in document: ResponseDocument
    ) -> Bool {
      operation?.selects(responseName, at: path, below: root, in: document) ?? false
    }
  }

  /// The selections of an operation.
  protocol SelectedFields: AnyObject, Sendable {
    /// Whether they contain `responseName` for the object with that path below the object at `root`
    /// in `document`.
    func selects(
      _ responseName: String, at path: [ResponsePathElement], below root: Int,
      in document: ResponseDocument
    ) -> Bool
  }
}
