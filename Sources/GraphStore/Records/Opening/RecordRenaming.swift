import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Writes records with the schema's current names. The recursion is as deep as the record.
struct RecordRenaming {
  let plan: RenamePlan
  let schema: GraphQL.SchemaTable
  /// The problems of the current record.
  var notes = MigrationNotes()

  /// The record with the current names.
  ///
  /// - Parameter typeName: the type of the record's row, with its current name.
  mutating func record(_ json: JSONDocument, ofRow typeName: String) -> [UInt8] {
    let type = schema.objectTypeName(ofField: typeName) ?? typeName
    return object(JSONDocument.rootIndex, in: json, type)
  }

  func link(_ key: GraphQL.EntityKey) -> GraphQL.EntityKey {
    let name = plan.name(ofRow: key)
    guard key.isOfConnection else { return GraphQL.EntityKey(typeName: name, key: key.key) }
    return GraphQL.EntityKey(typeName: name, key: connectionKey(key.key, ofField: name))
  }

  private mutating func object(
    _ object: Int, in json: JSONDocument, _ declared: String
  ) -> [UInt8] {
    var type = declared
    if let name = json.member("__typename", of: object), json.kind(at: name) == .string {
      type = plan.name(ofType: json.string(at: name))
    }
    var members = ObjectBuilder()
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      let name = json.string(at: key)
      if let (newName, newValue) = member(name, value, in: json, type) {
        if newName == name {
          members.append(name: newName, value: newValue)
        } else if let present = present(newName, instead: name, of: object, in: json, type) {
          if present != newValue {
            notes.note("\(type).\(GraphQL.StorageKey.fieldName(name))", .conflict)
            if !isReused(name, type) { members.append(name: name, value: json.source(at: value)) }
          }
        } else {
          members.append(name: newName, value: newValue)
        }
      }
      key = json.next(after: value)
    }
    return members.finish()
  }

  /// The value of another member of an object, if that member gets the name `newName` as well and
  /// prevails. A member that had the name already prevails, since it is newer. Among several
  /// members with old names, the first one in the object prevails.
  private func present(
    _ newName: String, instead name: String, of object: Int, in json: JSONDocument, _ type: String
  ) -> [UInt8]? {
    var copy = self
    if let present = json.member(newName, of: object),
      let (kept, value) = copy.member(newName, present, in: json, type), kept == newName
    {
      return value
    }
    guard (plan.fields[type]?.count ?? 0) > 1 else { return nil }
    var key = json.firstChild(of: object)
    while key < json.end(of: object) {
      let value = json.next(after: key)
      let other = json.string(at: key)
      if other == name { return nil }
      if let (moved, text) = copy.member(other, value, in: json, type), moved == newName {
        return text
      }
      key = json.next(after: value)
    }
    return nil
  }

  /// Whether an old name of a field belongs to another field now.
  private func isReused(_ key: String, _ type: String) -> Bool {
    let old = GraphQL.StorageKey.fieldName(key)
    return plan.fields[type]?[old] != nil && schema.storedType(ofField: old, of: type) != nil
  }

  /// A member of an object of a type, in its current form; nil if it cannot be kept.
  private mutating func member(
    _ key: String, _ index: Int, in json: JSONDocument, _ type: String
  ) -> (name: String, value: [UInt8])? {
    if key == "__typename" {
      guard json.kind(at: index) == .string else { return (key, Array(json.source(at: index))) }
      return (key, quoted(plan.name(ofType: json.string(at: index))))
    }
    if key == "&partial" { return (key, partialLists(index, in: json, type)) }
    if key == "&edits" { return (key, edits(of: json)) }
    if key.hasPrefix("&") { return (key, Array(json.source(at: index))) }
    let old = GraphQL.StorageKey.fieldName(key)
    let name = plan.fields[type]?[old] ?? old
    guard let field = schema.storedType(ofField: name, of: type) else {
      return (name == old ? key : name + key.dropFirst(old.count), unknown(index, in: json))
    }
    let value = value(index, in: json, field)
    if name != old {
      guard let document = try? JSONDocument(parsing: value),
        schema.accepts(document, at: JSONDocument.rootIndex, asField: name, of: type)
      else {
        notes.note("\(type).\(old)", .doesNotFit)
        if isReused(key, type) { return nil }
        return (key, unknown(index, in: json))
      }
    }
    return (storageKey(key, type), value)
  }

  /// A storage key of a field of a type, with the current names.
  func storageKey(_ key: String, _ type: String) -> String {
    let old = GraphQL.StorageKey.fieldName(key)
    let name = plan.fields[type]?[old] ?? old
    return name + arguments(String(key.dropFirst(old.count)), of: name, in: type)
  }

  private mutating func value(
    _ index: Int, in json: JSONDocument, _ field: GraphQL.StoredFieldType
  ) -> [UInt8] {
    switch (json.kind(at: index), field.kind) {
    case (.array, .object), (.array, .abstract), (.array, .enumeration):
      var list = ListBuilder()
      var element = json.firstChild(of: index)
      while element < json.end(of: index) {
        list.append(value(element, in: json, field))
        element = json.next(after: element)
      }
      return list.finish()
    case (.object, .object), (.object, .abstract):
      if let key = GraphQL.StoredLink.key(at: index, in: json) { return text(ofLink: key) }
      return object(index, in: json, field.name)
    case (.string, .enumeration):
      guard let new = plan.values[field.name]?[json.string(at: index)] else { break }
      return quoted(new)
    default: break
    }
    return Array(json.source(at: index))
  }

  /// The value of a field that the schema does not have: only its links are known.
  private func unknown(_ index: Int, in json: JSONDocument) -> [UInt8] {
    switch json.kind(at: index) {
    case .array:
      var list = ListBuilder()
      var element = json.firstChild(of: index)
      while element < json.end(of: index) {
        list.append(unknown(element, in: json))
        element = json.next(after: element)
      }
      return list.finish()
    case .object:
      if let key = GraphQL.StoredLink.key(at: index, in: json) { return text(ofLink: key) }
      var members = ObjectBuilder()
      var key = json.firstChild(of: index)
      while key < json.end(of: index) {
        let value = json.next(after: key)
        members.append(name: json.string(at: key), value: unknown(value, in: json))
        key = json.next(after: value)
      }
      return members.finish()
    default: return Array(json.source(at: index))
    }
  }

  private func text(ofLink key: GraphQL.EntityKey) -> [UInt8] {
    link(key).linkText
  }

  private func partialLists(_ index: Int, in json: JSONDocument, _ type: String) -> [UInt8] {
    guard case .array(let keys) = json.json(at: index) else { return Array(json.source(at: index)) }
    let renamed = keys.map { key in
      if case .string(let key) = key { JSON.string(storageKey(key, type)) } else { key }
    }
    return Array(JSON.array(renamed).description.utf8)
  }

  private func edits(of json: JSONDocument) -> [UInt8] {
    let edits = json.edits.map { JSON.object(edit($0).json) }
    return Array(JSON.array(edits).description.utf8)
  }

  private func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.appendString(text, to: &bytes)
    return bytes
  }
}
