import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Splits the result of an operation. The operation has been executed as a whole, which a service
/// may do as well: `@defer` and `@stream` only allow it to deliver something later.
///
/// It calls itself for each level of the data, whose number the executor limits.
struct ResultSplitter {
  private typealias Path = [ResponsePath.Element]

  /// Values that were left out and are not part of a result yet.
  private enum Deferral {
    case fragment(JSON.Object, Document.SelectionSet, delivered: Set<String>)
    case list([JSON], [Document.Field], from: Int)
  }

  private let schema: ServiceSchema
  private let fragments: [String: FragmentDefinition]
  private let directives: DirectiveArguments
  private var deferrals: [(path: Path, label: String?, deferral: Deferral)] = []

  var deferralCount: Int { deferrals.count }

  init(
    document: Document, operation: OperationDefinition, schema: ServiceSchema,
    variables: JSON.Object
  ) {
    self.schema = schema
    fragments = Dictionary(
      document.fragments.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    directives = DirectiveArguments(operation: operation, variables: variables)
  }

  /// The part of the root's data that is delivered at once.
  mutating func keep(_ data: JSON.Object, of selectionSets: [Document.SelectionSet]) -> JSON {
    .object(object(data, of: selectionSets, at: []))
  }

  /// All values that were left out, including those left out of other parts.
  mutating func parts() -> [DeferredPart] {
    var parts: [DeferredPart] = []
    while parts.count < deferrals.count {
      let (path, label, deferral) = deferrals[parts.count]
      let start = deferrals.count
      var part: DeferredPart
      switch deferral {
      case .fragment(let data, let selectionSet, let delivered):
        let fields = object(data, of: [selectionSet], at: path, delivered: delivered)
        part = DeferredPart(path: path, label: label, content: .fields(fields))
      case .list(let items, let fields, let first):
        let later = items.indices.map { index in
          value(items[index], of: fields, at: path + [.index(first + index)])
        }
        part = DeferredPart(path: path, label: label, content: .items(later, from: first))
      }
      part.inner = start..<deferrals.count
      parts.append(part)
    }
    return parts
  }

  /// - Parameter delivered: the fields whose values have been sent; objects among them may have
  ///   more to send.
  private mutating func object(
    _ object: JSON.Object, of selectionSets: [Document.SelectionSet], at path: Path,
    delivered: Set<String> = []
  ) -> JSON.Object {
    let selected = select(selectionSets, on: object)
    var kept = JSON.Object()
    for member in object {
      guard let fields = selected.fields[member.key] else { continue }
      if delivered.contains(member.key), !fields.contains(where: { $0.selectionSet != nil }) {
        continue
      }
      kept[member.key] = value(member.value, of: fields, at: path + [.name(member.key)])
    }
    let known = delivered.union(selected.fields.keys)
    for (label, selectionSet) in selected.deferred {
      deferrals.append((path, label, .fragment(object, selectionSet, delivered: known)))
    }
    return kept
  }

  private mutating func value(_ value: JSON, of fields: [Document.Field], at path: Path) -> JSON {
    switch value {
    case .object(let members):
      return .object(object(members, of: fields.compactMap(\.selectionSet), at: path))
    case .array(let items):
      let stream = directives.stream(of: fields)
      let count = stream.map { Int(max(directives.initialCount($0), 0)) } ?? items.count
      let now = items.prefix(count).enumerated().map { index, item in
        self.value(item, of: fields.map(\.withoutDirectives), at: path + [.index(index)])
      }
      if now.count < items.count {
        deferrals.append(
          (
            path, stream.flatMap(directives.label),
            .list(
              Array(items.dropFirst(count)), fields.map(\.withoutDirectives), from: now.count)
          ))
      }
      return .array(now)
    default: return value
    }
  }

  /// The fields that are selected on an object by their response names, and the fragments that may
  /// be delayed.
  private func select(
    _ selectionSets: [Document.SelectionSet], on object: JSON.Object
  ) -> (fields: [String: [Document.Field]], deferred: [(label: String?, Document.SelectionSet)]) {
    var fields: [String: [Document.Field]] = [:]
    var deferred: [(label: String?, Document.SelectionSet)] = []
    var visited: Set<String> = []
    var open = selectionSets.flatMap(\.selections)[...]
    while let selection = open.popFirst() {
      let content: Document.SelectionSet
      switch selection {
      case .field(let field):
        fields[field.responseName, default: []].append(field)
        continue
      case .fragmentSpread(let spread):
        guard let fragment = fragments[spread.name], visited.insert(spread.name).inserted,
          applies(fragment.typeCondition.name, fragment.selectionSet, to: object)
        else { continue }
        content = fragment.selectionSet
      case .inlineFragment(let fragment):
        if let condition = fragment.typeCondition,
          !applies(condition.name, fragment.selectionSet, to: object)
        {
          continue
        }
        content = fragment.selectionSet
      }
      if let directive = selection.directives.first(where: { $0.name == "defer" }),
        directives.isOn(directive)
      {
        deferred.append((directives.label(directive), content))
      } else {
        open = content.selections + open
      }
    }
    return (fields, deferred)
  }

  /// If the data does not contain its type, a fragment applies if one of its fields is present.
  private func applies(
    _ condition: String, _ selectionSet: Document.SelectionSet, to object: JSON.Object
  ) -> Bool {
    if let name = object["__typename"]?.text { return schema.isSubtype(name, of: condition) }
    return selectionSet.selections.contains { selection in
      if case .field(let field) = selection { object[field.responseName] != nil } else { true }
    }
  }
}

/// The arguments of `@defer` and `@stream` in an operation.
struct DirectiveArguments {
  private let variables: JSON.Object

  init(operation: OperationDefinition, variables: JSON.Object) {
    var values = variables
    for variable in operation.variables where values[variable.name] == nil {
      values[variable.name] = variable.defaultValue?.literal
    }
    self.variables = values
  }

  /// The `@stream` of a field that is not switched off.
  func stream(of fields: [Document.Field]) -> Document.Directive? {
    fields.lazy.compactMap { $0.directives.first { $0.name == "stream" } }.first
      .flatMap { isOn($0) ? $0 : nil }
  }

  func isOn(_ directive: Document.Directive) -> Bool { argument("if", of: directive) != false }

  func label(_ directive: Document.Directive) -> String? {
    argument("label", of: directive)?.text
  }

  func initialCount(_ directive: Document.Directive) -> Int64 {
    guard case .number(let number)? = argument("initialCount", of: directive) else { return 0 }
    return number.int64 ?? 0
  }

  private func argument(_ name: String, of directive: Document.Directive) -> JSON? {
    guard let value = directive.arguments.first(where: { $0.name == name })?.value else {
      return nil
    }
    if case .variable(let name) = value.kind { return variables[name] }
    return value.literal
  }
}

extension Document.Value {
  /// The possible arguments of the directives; nil for others.
  fileprivate var literal: JSON? {
    switch kind {
    case .boolean(let value): .bool(value)
    case .string(let text): .string(text)
    case .int(let digits): Int(digits).map { JSON($0) }
    default: nil
    }
  }
}

extension Document.Field {
  /// The field as it applies to the items of a list, which are not streamed themselves.
  fileprivate var withoutDirectives: Document.Field {
    var field = self
    field.directives = []
    return field
  }
}

/// A part of a result that is delivered after the rest.
struct DeferredPart: Sendable {
  enum Content: Sendable {
    /// A fragment with `@defer`.
    case fields(JSON.Object)
    /// A list with `@stream`: the items from a position on.
    case items([JSON], from: Int)
  }

  let path: [ResponsePath.Element]
  let label: String?
  var content: Content
  var errors: [ExecutionError] = []
  /// The parts inside this one, by their positions among all parts.
  var inner: Range<Int> = 0..<0

  /// Whether the value at a path is delivered with this part.
  func holds(_ position: [ResponsePath.Element]) -> Bool {
    guard position.count > path.count, position.starts(with: path) else { return false }
    switch (content, position[path.count]) {
    case (.fields(let fields), .name(let name)): return fields[name] != nil
    case (.items(_, let start), .index(let index)): return index >= start
    default: return false
    }
  }
}

/// A result, split into parts according to `@defer` and `@stream`.
struct PartedResult: Sendable {
  var initial: ExecutionResult
  /// The parts that the initial result announces.
  let announced: Range<Int>
  /// Outer ones before nested ones.
  var parts: [DeferredPart]

  /// - Returns: nil if there is nothing to deliver later.
  init?(
    _ result: ExecutionResult, of operation: OperationDefinition, in document: Document,
    schema: ServiceSchema, variables: JSON.Object
  ) {
    guard case .object(let data)? = result.data else { return nil }
    var splitter = ResultSplitter(
      document: document, operation: operation, schema: schema, variables: variables)
    initial = result
    initial.data = splitter.keep(data, of: [operation.selectionSet])
    announced = 0..<splitter.deferralCount
    parts = splitter.parts()
    guard !parts.isEmpty else { return nil }
    initial.errors = []
    for error in result.errors {
      // Inner parts come later, so the last one that contains the position is the closest.
      let path = error.path?.elements ?? []
      if let index = parts.lastIndex(where: { $0.holds(path) }) {
        parts[index].errors.append(error)
      } else {
        initial.errors.append(error)
      }
    }
  }
}
