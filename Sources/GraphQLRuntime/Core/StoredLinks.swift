import GraphJSON

extension GraphQL {
  /// Follows the links in a stored record: see ``ResponseSource/links``.
  package protocol StoredLinks: AnyObject, Sendable {
    /// The record to which the object at `index` links; nil if that object is not a link.
    func target(of index: Int, in json: JSONDocument) -> JSONDocument?
  }
}

extension GraphQL.ValueReader {
  /// The position to which a link leads, or this position if it is not a link.
  var followed: GraphQL.ValueReader {
    guard let links = document.links, json.kind(at: index) == .object,
      let target = links.target(of: index, in: json)
    else { return self }
    let root = JSONDocument.rootIndex
    return GraphQL.ValueReader(
      document: GraphQL.ResponseDocument(
        GraphQL.RecordSource(json: target, links: links), schema: document.schema),
      index: root)
  }
}

extension GraphQL.ValueReader {
  /// The position to which a link leads; nil if the object there has another type than the class,
  /// which is possible after the field's type has changed.
  func followed(as type: GraphQL.AbstractResponse.Type) -> GraphQL.ValueReader? {
    guard document.links != nil else { return self }
    let target = followed
    guard target.document !== document, let expected = document.schema?.type(of: type),
      let name = target.json.member("__typename", of: target.index)
    else { return target }
    return target.json.kind(at: name) == .string && target.json.string(at: name) == expected.name
      ? target : nil
  }
}

extension GraphQL.ValueReader {
  /// Whether the links at this position lead to objects of the field's type. They may lead to others if
  /// the schema has changed, or the record is damaged.
  func leads(to field: GraphQL.FieldInfo) -> Bool {
    guard document.links != nil, let type = document.schema?.type(of: field), type.kind == .object
    else { return true }
    return leads(to: type)
  }

  /// The recursion is as deep as lists are nested.
  private func leads(to type: GraphQL.TypeInfo) -> Bool {
    switch json.kind(at: index) {
    case .array:
      var element = json.firstChild(of: index)
      while element < json.end(of: index) {
        guard GraphQL.ValueReader(document: document, index: element).leads(to: type) else {
          return false
        }
        element = json.next(after: element)
      }
      return true
    case .object:
      let target = followed
      guard target.document !== document,
        let name = target.json.member("__typename", of: target.index)
      else { return true }
      return target.json.kind(at: name) == .string && target.json.string(at: name) == type.name
    default: return true
    }
  }
}

extension GraphQL.AbstractResponse {
  /// The object over a stored record, whose links `links` follows.
  ///
  /// - Parameter json: a record whose members were checked with `StorageCheck` of GraphStorage.
  package static func _stored(_ json: JSONDocument, links: any GraphQL.StoredLinks) -> Self {
    let root = JSONDocument.rootIndex
    return Self(
      _handle: GraphQL.ResponseHandle(
        document: GraphQL.ResponseDocument(
          GraphQL.RecordSource(json: json, links: links), schema: Self.schema),
        index: root))
  }
}
