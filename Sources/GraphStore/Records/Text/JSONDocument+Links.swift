import GraphJSON
import GraphQLRuntime
import GraphStorage

extension GraphQL.EntityKey {
  /// A link to the entity, as records contain it.
  var linkText: [UInt8] {
    var bytes: [UInt8] = []
    GraphQL.StoredLink.append(self, to: &bytes)
    return bytes
  }
}

extension JSONDocument {
  /// The keys of all links in a value of a record.
  func links(in value: Int) -> [GraphQL.EntityKey] {
    var links: [GraphQL.EntityKey] = []
    var index = value
    let end = next(after: value)
    while index < end {
      switch kind(at: index) {
      case .object:
        if let key = GraphQL.StoredLink.key(at: index, in: self) { links.append(key) }
        index = firstChild(of: index)
      case .array: index = firstChild(of: index)
      default: index = next(after: index)
      }
    }
    return links
  }

  /// The entities to which a member of the record links, directly or in its list; nil if there is
  /// no such member.
  func links(of name: [UInt8]) -> [GraphQL.EntityKey]? {
    let root = JSONDocument.rootIndex
    guard let value = member(name, of: root) else {
      return nil
    }
    switch kind(at: value) {
    case .object: return GraphQL.StoredLink.key(at: value, in: self).map { [$0] } ?? []
    case .array:
      var links: [GraphQL.EntityKey] = []
      var element = firstChild(of: value)
      while element < end(of: value) {
        if kind(at: element) == .object, let key = GraphQL.StoredLink.key(at: element, in: self) {
          links.append(key)
        }
        element = next(after: element)
      }
      return links
    default: return []
    }
  }

  /// The record with another text in place of values and links that equal the key `old`.
  func renaming(_ old: GraphQL.EntityKey, to new: GraphQL.EntityKey) -> JSONDocument {
    var text = text
    for (old, new) in [(old.key, new.key), (old.description, new.description)] {
      text = text.replacing(JSON.string(old).description, with: JSON.string(new).description)
    }
    return JSONDocument(record: Array(text.utf8)) ?? self
  }
}

/// Removes links from a record: they become null if the schema allows it, otherwise the field
/// becomes missing; lists lose the element.
struct LinkRemover {
  let json: JSONDocument
  let gone: Set<GraphQL.EntityKey>
  /// The removed links.
  private(set) var found: Set<GraphQL.EntityKey> = []
  /// Whether the current object has lost a link that it cannot be without.
  private var isBroken = false

  init(json: JSONDocument, gone: Set<GraphQL.EntityKey>) {
    self.json = json
    self.gone = gone
  }

  /// The record without the links; nil if there are none.
  mutating func record(_ plan: GraphQL.StoragePlan) -> [UInt8]? {
    let bytes = object(JSONDocument.rootIndex, plan)
    return found.isEmpty ? nil : bytes
  }

  private mutating func object(_ object: Int, _ plan: GraphQL.StoragePlan) -> [UInt8] {
    var members = ObjectBuilder()
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      let name = GraphQL.StorageKey.fieldName(json.string(at: key))
      let field = plan.position(of: Array(name.utf8)).map { plan.fields[$0] }
      var kept: [UInt8]?
      if let field, field.isComposite {
        kept = self.value(value, field) ?? (field.isNullable ? Array("null".utf8) : nil)
        if kept == nil { isBroken = true }
      } else if field == nil {
        // The schema no longer has the field, so it may contain any value.
        kept = unknown(value)
      } else {
        kept = Array(json.source(at: value))
      }
      if let kept { members.append(key: json.source(at: key), value: kept) }
      key = json.next(after: value)
    }
    return members.finish()
  }

  /// The value of a field that the schema does not have, without the links; nil if it is such a
  /// link itself.
  private mutating func unknown(_ value: Int) -> [UInt8]? {
    switch json.kind(at: value) {
    case .object:
      if let key = GraphQL.StoredLink.key(at: value, in: json), gone.contains(key) {
        found.insert(key)
        return nil
      }
      var members = ObjectBuilder()
      var key = json.firstChild(of: value)
      while key < json.end(of: value) {
        let member = json.next(after: key)
        if let kept = unknown(member) { members.append(key: json.source(at: key), value: kept) }
        key = json.next(after: member)
      }
      return members.finish()
    case .array:
      var elements = ListBuilder()
      var element = json.firstChild(of: value)
      while element < json.end(of: value) {
        if let kept = unknown(element) { elements.append(kept) }
        element = json.next(after: element)
      }
      return elements.finish()
    default: return Array(json.source(at: value))
    }
  }

  /// The value without the links; nil if it is such a link itself.
  private mutating func value(_ value: Int, _ field: GraphQL.StorageField) -> [UInt8]? {
    switch json.kind(at: value) {
    case .object:
      guard let key = GraphQL.StoredLink.key(at: value, in: json) else {
        return object(value, field.plan(for: json, at: value))
      }
      guard gone.contains(key) else { return Array(json.source(at: value)) }
      found.insert(key)
      return nil
    case .array:
      var elements = ListBuilder()
      var element = json.firstChild(of: value)
      let end = json.end(of: value)
      while element < end {
        isBroken = false
        // An edge is removed with its node.
        if let kept = self.value(element, field), !isBroken { elements.append(kept) }
        element = json.next(after: element)
      }
      isBroken = false
      return elements.finish()
    default: return Array(json.source(at: value))
    }
  }
}
