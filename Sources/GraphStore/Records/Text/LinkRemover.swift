import GraphJSON
import GraphQLRuntime
import GraphStorage

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
