package import GraphQLSchema

/// Directives that are not sent.
package struct ClientDirectives {
  private let names: Set<String>
  /// Whether fields keep them, since the generator gives one a meaning.
  private let recordsThem: Bool

  /// The directives of other libraries for their generators. No service knows them, so they are removed before the
  /// documents are validated. A directive that the schema defines is not one of them.
  ///
  /// ``CaughtErrors`` gives `@catch` its meaning. The others have none here.
  package static func foreign(_ schema: ServiceSchema) -> ClientDirectives {
    ClientDirectives(
      names: known.filter { schema.directive(named: $0) == nil }, recordsThem: true)
  }

  /// Those that the configuration names and the schema defines. They are removed after the validation.
  package static func configured(_ configuration: Configuration) -> ClientDirectives {
    ClientDirectives(
      names: Set(configuration.clientDirectives.map(\.value)).subtracting(builtIn),
      recordsThem: false)
  }

  /// Those of Apollo's libraries for Swift, Kotlin and the web.
  private static let known: Set<String> = [
    "apollo_client_ios_localCacheMutation", "import", "connection", "nonnull", "optional",
    "required", "catch", "throwOnFieldError", "ignoreErrors", "unmask",
  ]

  /// Those with a meaning for services (specification: 3.13 Directives, and the proposal for incremental delivery).
  static let builtIn: Set<String> = [
    "include", "skip", "deprecated", "specifiedBy", "oneOf", "defer", "stream",
  ]

  /// The document without the directives.
  package func removed(from document: Document) -> Document {
    guard document.mayHaveDirectives, document.definitions.contains(where: isAffected) else {
      return document
    }
    var document = document
    document.definitions = document.definitions.map { definition in
      switch definition {
      case .operation(var operation):
        operation.directives.removeAll(where: isRemoved)
        for index in operation.variables.indices {
          operation.variables[index].directives.removeAll(where: isRemoved)
        }
        operation.selectionSet = selectionSet(operation.selectionSet)
        return .operation(operation)
      case .fragment(var fragment):
        fragment.directives.removeAll(where: isRemoved)
        fragment.selectionSet = selectionSet(fragment.selectionSet)
        return .fragment(fragment)
      default: return definition
      }
    }
    return document
  }

  var isEmpty: Bool { names.isEmpty }

  func isRemoved(_ directive: Document.Directive) -> Bool { names.contains(directive.name) }

  func isAffected(_ definition: Document.Definition) -> Bool {
    switch definition {
    case .operation(let operation):
      operation.directives.contains(where: isRemoved)
        || operation.variables.contains { $0.directives.contains(where: isRemoved) }
        || isAffected(operation.selectionSet)
    case .fragment(let fragment):
      fragment.directives.contains(where: isRemoved) || isAffected(fragment.selectionSet)
    default: false
    }
  }

  private func isAffected(_ set: Document.SelectionSet) -> Bool {
    set.selections.contains { selection in
      if selection.directives.contains(where: isRemoved) { return true }
      return switch selection {
      case .field(let field): field.selectionSet.map(isAffected) ?? false
      case .inlineFragment(let fragment): isAffected(fragment.selectionSet)
      case .fragmentSpread: false
      }
    }
  }

  private func selectionSet(_ set: Document.SelectionSet) -> Document.SelectionSet {
    Document.SelectionSet(set.selections.map(selection), range: set.range)
  }

  private func selection(_ selection: Document.Selection) -> Document.Selection {
    switch selection {
    case .field(var field):
      if recordsThem { field.clientDirectives = field.directives.filter(isRemoved) }
      field.directives.removeAll(where: isRemoved)
      field.selectionSet = field.selectionSet.map(selectionSet)
      return .field(field)
    case .fragmentSpread(var spread):
      spread.directives.removeAll(where: isRemoved)
      return .fragmentSpread(spread)
    case .inlineFragment(var fragment):
      fragment.directives.removeAll(where: isRemoved)
      fragment.selectionSet = selectionSet(fragment.selectionSet)
      return .inlineFragment(fragment)
    }
  }
}

extension Document {
  /// Whether its text contains the sign that begins a directive. Most documents have no directives, and to
  /// search the text takes less time than to visit the selections.
  var mayHaveDirectives: Bool {
    source.map { $0.bytes.contains(UInt8(ascii: "@")) } ?? true
  }
}
