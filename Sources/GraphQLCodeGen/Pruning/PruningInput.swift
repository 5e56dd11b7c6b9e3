public import GraphQLSchema

/// The elements of a schema that documents use. A module that is pruned by usage keeps them, since the
/// code of the documents and the reading of their responses need them.
public struct DocumentUses: Sendable, Equatable {
  /// Names of objects, interfaces and unions.
  private(set) var types: Set<String> = []
  /// Fields as `Type.field`.
  private(set) var fields: Set<String> = []
  /// Names of enums and input objects of variables.
  private(set) var values: Set<String> = []

  /// Collects the elements. Syntax errors and unknown names are left to the validation.
  ///
  /// - Parameter configuration: has the keys that are added to documents.
  public init(
    _ documents: [Source], schema: ServiceSchema, configuration: Configuration = Configuration()
  ) {
    var collector = Collector(schema: schema)
    let documents = Document.parse(documents).documents
    let sent = OperationsPipeline(configuration: configuration).sent(documents, of: schema)
    // As they are written and as they are sent: keys are added to objects whose type has none, too.
    for document in documents + sent {
      for operation in document.operations {
        for variable in operation.variables {
          collector.uses.values.insert(variable.type.namedType)
        }
        let root = schema.rootType(for: operation.operationType).map(NamedType.object)
        collector.visit(operation.selectionSet, on: root)
      }
      for fragment in document.fragments {
        collector.visit(
          fragment.selectionSet, on: schema.type(named: fragment.typeCondition.name))
      }
    }
    self = collector.uses
  }

  private init() {}

  private struct Collector {
    let schema: ServiceSchema
    var uses = DocumentUses()

    init(schema: ServiceSchema) { self.schema = schema }

    // The parser limits the nesting.
    mutating func visit(_ selectionSet: Document.SelectionSet, on parent: NamedType?) {
      guard let parent else { return }
      use(parent)
      for selection in selectionSet.selections {
        switch selection {
        case .field(let field):
          use(field.name, of: parent)
          if let selectionSet = field.selectionSet {
            let type = parent.fields?[field.name].flatMap { schema.namedType(of: $0.type) }
            visit(selectionSet, on: type)
          }
        case .inlineFragment(let fragment):
          let condition = fragment.typeCondition.flatMap { schema.type(named: $0.name) }
          visit(fragment.selectionSet, on: condition ?? parent)
        case .fragmentSpread: break
        }
      }
    }

    /// The objects that can be at the position of an abstract type are needed to tell which fragments
    /// apply to them.
    private mutating func use(_ type: NamedType) {
      guard uses.types.insert(type.name).inserted, type.isAbstractType else { return }
      for object in schema.possibleTypes(of: type) { uses.types.insert(object.name) }
    }

    /// The field of an interface is read of objects. Interfaces that implement it may have it with another type,
    /// which decides which fragments certainly apply.
    private mutating func use(_ field: String, of type: NamedType) {
      guard uses.fields.insert("\(type.name).\(field)").inserted, type.isAbstractType else {
        return
      }
      for object in schema.possibleTypes(of: type) { uses.fields.insert("\(object.name).\(field)") }
      guard case .interface(let interface) = type else { return }
      for case .interface(let other) in schema.implementations(of: interface) {
        uses.fields.insert("\(other.name).\(field)")
        if let type = other.fields[field].flatMap({ schema.namedType(of: $0.type) }) { use(type) }
      }
    }
  }
}

/// The words of Swift sources that could be names of generated members.
///
/// Words in comments and strings count as well. That may keep too much but never too little, and
/// needs no parser; raw queries name their fields in strings.
public struct SwiftIdentifiers: Sendable, Equatable {
  private var words: Set<String> = []

  public init() {}

  /// Adds the words of one source file.
  public mutating func collect(from source: [UInt8]) {
    var start = 0
    while start < source.count {
      guard Self.isStart(source[start]) else {
        start += 1
        continue
      }
      var end = start + 1
      while end < source.count, Self.isStart(source[end]) || Self.isDigit(source[end]) { end += 1 }
      words.insert(String(decoding: source[start..<end], as: UTF8.self))
      start = end
    }
  }

  /// Whether a Swift name occurs, with backticks or without.
  public func contains(_ name: String) -> Bool {
    words.contains(name) || (name.hasPrefix("`") && words.contains(name.trimmed))
  }

  private static func isStart(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

extension String {
  /// The word without backticks.
  fileprivate var trimmed: String { String(dropFirst().dropLast()) }
}
