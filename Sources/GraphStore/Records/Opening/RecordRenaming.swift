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

// Arguments are parts of storage keys and of the keys of connections, and may contain values of
// enums.

extension RecordRenaming {
  /// The key of a connection's row: the owner's key with its length, the arguments, the page or the cursor.
  ///
  /// - Parameter coordinate: the field's, with its current name.
  func connectionKey(_ key: String, ofField coordinate: String) -> String {
    let (owner, arguments, rest) = parts(ofConnectionKey: key)
    guard !arguments.isEmpty, let dot = coordinate.firstIndex(of: ".") else { return key }
    let field = String(coordinate[coordinate.index(after: dot)...])
    return owner + self.arguments(arguments, of: field, in: String(coordinate[..<dot])) + rest
  }

  /// The key of the head of the connection to which a row belongs.
  func headKey(ofRow key: String) -> String {
    let (owner, arguments, _) = parts(ofConnectionKey: key)
    return owner + arguments
  }

  private func parts(
    ofConnectionKey key: String
  ) -> (owner: String, arguments: String, rest: String) {
    guard let colon = key.utf8.firstIndex(of: UInt8(ascii: ":")),
      let count = Int(key[..<colon]), count >= 0,
      let end = key.utf8.index(
        key.utf8.index(after: colon), offsetBy: count, limitedBy: key.endIndex)
    else { return (key, "", "") }
    let arguments = Self.arguments(key[end...])
    return (String(key[..<end]), String(arguments), String(key[end...].dropFirst(arguments.count)))
  }

  /// The arguments of a field or a directive at the start of a text, with their parentheses.
  private static func arguments(_ text: Substring) -> Substring {
    guard text.utf8.first == UInt8(ascii: "(") else { return "" }
    var (isText, isEscaped) = (false, false)
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      if isEscaped {
        isEscaped = false
      } else if isText, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if !isText, byte == UInt8(ascii: ")") {
        return text[...index]
      }
    }
    return ""
  }

  /// The part after a field's name in a storage key, with the current enum values.
  func arguments(_ text: String, of field: String, in type: String) -> String {
    guard !plan.values.isEmpty, !text.isEmpty else { return text }
    let arguments = Self.arguments(text[...])
    guard
      case .object(let object)? = try? JSON(parsing: Array(arguments.dropFirst().dropLast().utf8))
    else { return text }
    let members = object.members.map { member in
      let argument = schema.storedType(ofArgument: member.key, of: field, in: type)
      return JSON.Object.Member(key: member.key, value: input(member.value, argument))
    }
    let renamed = "(\(JSON.object(JSON.Object(members)).description))"
    return renamed + text.dropFirst(arguments.count)
  }

  /// The recursion is as deep as the parser allows.
  private func input(_ value: JSON, _ type: GraphQL.StoredFieldType?) -> JSON {
    guard let type else { return value }
    switch value {
    case .array(let elements): return .array(elements.map { input($0, type) })
    case .string(let text) where type.kind == .enumeration:
      return .string(plan.values[type.name]?[text] ?? text)
    case .object(let object):
      return .object(
        JSON.Object(
          object.members.map {
            JSON.Object.Member(
              key: $0.key,
              value: input($0.value, schema.storedType(ofField: $0.key, of: type.name)))
          }))
    default: return value
    }
  }

  /// The storage keys that lead to a field of an entity, with the current names. Below an object of
  /// which only an abstract type is known, they stay unchanged.
  func path(_ path: FieldErrors.Path, ofRow typeName: String) -> FieldErrors.Path {
    var type: String? = schema.objectTypeName(ofField: typeName) ?? typeName
    return path.map { key in
      guard let owner = type, !FieldErrors.isElement(key) else { return key }
      let renamed = storageKey(key.text, owner)
      let field = schema.storedType(ofField: GraphQL.StorageKey.fieldName(renamed), of: owner)
      type = field.flatMap { $0.kind == .object ? $0.name : nil }
      return ExactKey(renamed)
    }
  }
}

extension RecordRenaming {
  /// The patch of an entity with current names.
  ///
  /// - Parameter key: the entity with its current name.
  mutating func patch(_ patch: OverlayPatch, of key: GraphQL.EntityKey) -> OverlayPatch {
    var steps: [OverlayPatch.Step] = []
    for step in patch.steps {
      steps.append(content(step, of: key).map { step.with(content: $0) } ?? step)
    }
    return OverlayPatch(change: patch.change, steps: steps)
  }

  private mutating func content(
    _ step: OverlayPatch.Step, of key: GraphQL.EntityKey
  ) -> JSONDocument? {
    switch step.effect {
    case .create, .update: JSONDocument(record: record(step.content, ofRow: key.typeName))
    case .delete: OverlayPatch.Step(deletionKeptBy: step.keepers.map { link($0) })?.content
    case .unlink:
      OverlayPatch.Step(
        .unlink, ["links": .array(step.links.map { .string(link($0).description) })])?.content
    case .edit: edit(step, of: key)?.content
    }
  }

  private func edit(
    _ step: OverlayPatch.Step, of key: GraphQL.EntityKey
  ) -> OverlayPatch.Step? {
    guard let (edit, list) = step.edit(of: key) else { return nil }
    // The field of a connection is in the name of its row's type.
    let field =
      key.isOfConnection
      ? String(key.typeName.drop { $0 != "." }.dropFirst())
      : path([ExactKey(list.field)], ofRow: key.typeName).first?.text ?? list.field
    return OverlayPatch.Step(
      self.edit(edit), Graph.StoredList(owner: key, field: field, arguments: list.arguments))
  }

  /// An edit with the current names.
  func edit(_ edit: ListEdit) -> ListEdit {
    let object = link(edit.key)
    guard case .ordered(let path, let isDescending) = edit.place else {
      return ListEdit(key: object, place: edit.place)
    }
    let names = path.split(separator: ".").map { ExactKey(String($0)) }
    let current = self.path(names, ofRow: object.typeName).map(\.text)
    return ListEdit(
      key: object,
      place: .ordered(by: current.joined(separator: "."), isDescending: isDescending))
  }
}
