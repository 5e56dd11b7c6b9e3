import GraphJSON
import GraphQLRuntime

/// The errors that responses had for fields of entities, until a response has a value for the field.
struct FieldErrors: Sendable {
  struct Entry: Sendable, Hashable {
    let message: String
    let extensions: JSON?
  }

  /// A field of an entity: the storage keys that lead to it, more than one inside an embedded object. In a list, the
  /// path has the numbers of the elements, except in the pages of a connection, which share their paths.
  typealias Path = [ExactKey]

  private(set) var entries: [GraphQL.EntityKey: [Path: Entry]] = [:]

  var isEmpty: Bool { entries.isEmpty }

  subscript(key: GraphQL.EntityKey) -> [Path: Entry] {
    get { entries[key] ?? [:] }
    set { entries[key] = newValue.isEmpty ? nil : newValue }
  }

  /// The step of a path that leads to an element of a list. A storage key never starts with a digit.
  static func step(_ ordinal: Int) -> ExactKey { ExactKey(String(ordinal)) }

  static func isElement(_ step: ExactKey) -> Bool {
    step.text.utf8.first.map { 0x30...0x39 ~= $0 } ?? false
  }

  /// A path from its text in the file; nil for another text.
  static func path(_ text: String) -> Path? {
    guard case .array(let steps)? = try? JSON(parsing: Array(text.utf8)) else { return nil }
    return steps.compactMap { if case .string(let step) = $0 { ExactKey(step) } else { nil } }
  }

  /// The text of a path in the file.
  static func text(_ path: Path) -> String {
    JSON.array(path.map { .string($0.text) }).description
  }

  mutating func merge(_ others: FieldErrors) {
    entries.merge(others.entries) { mine, theirs in mine.merging(theirs) { $1 } }
  }
}

extension DatabaseConnection {
  /// All errors of fields. There are few: each is deleted when its field has arrived.
  func fieldErrors() throws(Graph.StoreError) -> FieldErrors {
    var errors = FieldErrors()
    let statement = try prepared(.fieldErrors)
    defer { statement.reset() }
    while try statement.step() {
      guard let key = GraphQL.EntityKey(statement.text(0)),
        let path = FieldErrors.path(statement.text(1))
      else { continue }
      errors[key][path] = FieldErrors.Entry(
        message: statement.text(2),
        extensions: try? JSON(parsing: Array(statement.text(3).utf8)))
    }
    return errors
  }

  /// Replaces the errors of an entity.
  func write(
    _ errors: [FieldErrors.Path: FieldErrors.Entry], of key: GraphQL.EntityKey
  ) throws(Graph.StoreError) {
    let deletion = try prepared(.deleteFieldErrors)
    deletion.bind(key.description, at: 1)
    try deletion.runAndReset()
    for (path, entry) in errors {
      let statement = try prepared(.insertFieldError)
      statement.bind(key.description, at: 1)
      statement.bind(FieldErrors.text(path), at: 2)
      statement.bind(entry.message, at: 3)
      statement.bind(entry.extensions?.description ?? "", at: 4)
      try statement.runAndReset()
    }
  }
}
