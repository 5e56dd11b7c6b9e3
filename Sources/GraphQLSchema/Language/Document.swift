/// A GraphQL document: executable definitions, type-system definitions and extensions (section 2.3).
///
/// Documents are compared by their definitions; the source and the ranges are ignored.
public struct Document: Sendable {
  /// The definitions in the order in which they were written.
  public var definitions: [Document.Definition]
  /// The text from which this document was parsed, nil if it was created in code.
  public var source: Source?

  /// Creates a document.
  public init(definitions: [Document.Definition], source: Source? = nil) {
    self.definitions = definitions
    self.source = source
  }

  /// The operations in the order in which they were written.
  public var operations: [OperationDefinition] {
    definitions.compactMap {
      if case .operation(let operation) = $0 { operation } else { nil }
    }
  }

  /// The fragments in the order in which they were written.
  public var fragments: [FragmentDefinition] {
    definitions.compactMap {
      if case .fragment(let fragment) = $0 { fragment } else { nil }
    }
  }
}

extension Sequence<Document> {
  /// The fragments of all documents; the first one of those with the same name.
  package var fragmentsByName: [String: FragmentDefinition] {
    Dictionary(
      flatMap(\.fragments).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Document: Equatable {
  public static func == (lhs: Document, rhs: Document) -> Bool {
    lhs.definitions == rhs.definitions
  }

  /// One definition of a document (section 2.3).
  ///
  /// An extension is represented as a definition of the same kind that only lists the additions; its
  /// description is always nil.
  public indirect enum Definition: Sendable, Equatable {
    case operation(OperationDefinition)
    case fragment(FragmentDefinition)
    case schema(SchemaDefinition)
    case type(NamedType)
    case directive(DirectiveDefinition)
    case schemaExtension(SchemaDefinition)
    case typeExtension(NamedType)
    /// Directives that are added to a directive definition; it has no locations.
    case directiveExtension(DirectiveDefinition)

    /// The whole definition, from its description to its last token.
    public var range: SourceRange {
      switch self {
      case .operation(let operation): operation.range
      case .fragment(let fragment): fragment.range
      case .schema(let schema), .schemaExtension(let schema): schema.range
      case .type(let type), .typeExtension(let type): type.range
      case .directive(let directive), .directiveExtension(let directive): directive.range
      }
    }
  }
}

extension Document {
  /// The maximum nesting of selection sets, values and types.
  public static let defaultMaximumDepth = 200

  /// Parses a whole document (section 2.3).
  ///
  /// - Throws: all syntax errors; after one, the parser continues at the next definition.
  public init(
    parsing source: Source, maximumDepth: Int = Document.defaultMaximumDepth
  ) throws(Diagnostics) {
    var diagnostics = DiagnosticCollector(sources: [source])
    self.init(source, index: 0, maximumDepth: maximumDepth, &diagnostics)
    if diagnostics.hasErrors { throw diagnostics.finish() }
  }

  /// Parses one of several sources; errors are reported and left out.
  init(
    _ source: Source, index: UInt32, maximumDepth: Int = Document.defaultMaximumDepth,
    _ diagnostics: inout DiagnosticCollector
  ) {
    let definitions: [Definition]?
    do throws(SyntaxError) {
      definitions = try source.withParser(index: index, maximumDepth: maximumDepth) {
        $0.parseDefinitions(&diagnostics)
      }
    } catch {
      diagnostics.add(error, source: index)
      definitions = nil
    }
    self.init(definitions: definitions ?? [], source: source)
  }
}

extension Document.Value {
  /// Parses a constant value, such as the default values in introspection results (section 4.2.4).
  public init(
    parsing source: Source, maximumDepth: Int = Document.defaultMaximumDepth
  ) throws(Diagnostics) {
    self = try source.parseWhole(maximumDepth) { parser throws(SyntaxError) in
      try parser.parseValue(isConst: true)
    }
  }
}

extension TypeReference {
  /// Parses a type reference such as `[ID!]!` (section 2.12).
  public init(
    parsing source: Source, maximumDepth: Int = Document.defaultMaximumDepth
  ) throws(Diagnostics) {
    self = try source.parseWhole(maximumDepth) { parser throws(SyntaxError) in
      try parser.parseType().type
    }
  }
}

// Safe: the parser exists only in the closure that has the bytes; the array ends in the zero byte.
extension Source {
  /// Runs a parser over the bytes after checking that they are UTF-8.
  fileprivate func withParser<Result>(
    index: UInt32, maximumDepth: Int, _ body: (inout Parser) throws(SyntaxError) -> Result
  ) throws(SyntaxError) -> Result {
    try checkEncoding()
    return try unsafe terminatedBytes.withUnsafeBufferPointer { buffer throws(SyntaxError) in
      // The buffer is never empty: it ends with zero bytes.
      let lexer = unsafe Lexer(base: buffer.baseAddress!, end: count)
      var parser = Parser(lexer: lexer, source: index, maximumDepth: maximumDepth)
      return try body(&parser)
    }
  }

  /// Parses one production that must extend to the end of the source.
  fileprivate func parseWhole<Result>(
    _ maximumDepth: Int, _ production: (inout Parser) throws(SyntaxError) -> Result
  ) throws(Diagnostics) -> Result {
    do throws(SyntaxError) {
      return try withParser(index: 0, maximumDepth: maximumDepth) { parser throws(SyntaxError) in
        try parser.advance()
        let result = try production(&parser)
        guard parser.token.kind == .endOfSource else {
          throw parser.unexpected(expected: "the end")
        }
        return result
      }
    } catch {
      var diagnostics = DiagnosticCollector(sources: [self])
      diagnostics.add(error, source: 0)
      throw diagnostics.finish()
    }
  }
}

extension Document {
  /// An input value as written in a document (section 2.10).
  public struct Value: Sendable, Equatable {
    /// The value.
    public var kind: Kind
    /// The whole node.
    public var range: SourceRange

    /// Creates a value.
    public init(_ kind: Kind, range: SourceRange = .none) {
      self.kind = kind
      self.range = range
    }

    /// The kinds of value, with their contents.
    public enum Kind: Sendable, Equatable {
      /// A variable's name without the dollar sign; never occurs in a constant value.
      case variable(String)
      /// The digits as written, so that no precision is lost.
      case int(String)
      /// The number as written, so that no precision is lost.
      case float(String)
      /// The value of the text: escapes are resolved, a block string's common indent is removed.
      case string(String)
      case boolean(Bool)
      case null
      case `enum`(String)
      case list([Value])
      /// The fields in the order in which they were written, including duplicates.
      case object([ObjectField])
    }

    /// A variable by its name without the dollar sign.
    public static func variable(_ name: String) -> Value { Value(.variable(name)) }
    /// An integer.
    public static func int(_ value: Int) -> Value { Value(.int(String(value))) }
    /// A string.
    public static func string(_ text: String) -> Value { Value(.string(text)) }
    /// `true` or `false`.
    public static func boolean(_ value: Bool) -> Value { Value(.boolean(value)) }
    /// The literal `null`.
    public static var null: Value { Value(.null) }
    /// An enum value by its name.
    public static func `enum`(_ name: String) -> Value { Value(.enum(name)) }
    /// A list.
    public static func list(_ items: [Value]) -> Value { Value(.list(items)) }
    /// An input object.
    public static func object(_ fields: [ObjectField]) -> Value { Value(.object(fields)) }

    /// Whether it is `null`.
    public var isNull: Bool {
      if case .null = kind { true } else { false }
    }
  }

  /// One field of an input object value: `{ name: "x" }` (section 2.10.8).
  public struct ObjectField: Sendable, Equatable, NamedElement {
    /// The name.
    public var name: String
    /// The value.
    public var value: Value
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates an object field.
    public init(
      name: String, value: Value, nameRange: SourceRange = .none, range: SourceRange = .none
    ) {
      self.name = name
      self.value = value
      self.nameRange = nameRange
      self.range = range
    }
  }
}

extension Document {
  /// A directive applied to a node: `@deprecated(reason: "…")` (section 2.13).
  public struct Directive: Sendable, Equatable, NamedElement {
    /// The name without the at sign.
    public var name: String
    /// The arguments, in the order in which they are written.
    public var arguments: [Argument]
    /// The name with its at sign.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates a directive.
    public init(
      name: String, arguments: [Argument] = [], nameRange: SourceRange = .none,
      range: SourceRange = .none
    ) {
      self.name = name
      self.arguments = arguments
      self.nameRange = nameRange
      self.range = range
    }

    /// The value of an argument; nil if the argument is not written.
    public func argument(_ name: String) -> Value? {
      arguments.first { $0.name == name }?.value
    }
  }

  /// An argument of a field or directive: `first: 10` (section 2.7).
  public struct Argument: Sendable, Equatable, NamedElement {
    /// The name.
    public var name: String
    /// The value.
    public var value: Value
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates an argument.
    public init(
      name: String, value: Value, nameRange: SourceRange = .none, range: SourceRange = .none
    ) {
      self.name = name
      self.value = value
      self.nameRange = nameRange
      self.range = range
    }
  }
}

/// The three kinds of operation (section 2.4).
public enum OperationType: String, Sendable, CaseIterable {
  case query, mutation, subscription
}

/// An operation of an executable document (section 2.4).
public struct OperationDefinition: Sendable, Equatable {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// Whether it is a query, a mutation or a subscription.
  public var operationType: OperationType
  /// The operation's name; nil for an anonymous one.
  public var name: String?
  /// The variables it declares, in the order in which they are written.
  public var variables: [VariableDefinition]
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The selection set.
  public var selectionSet: Document.SelectionSet
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates an operation definition.
  public init(
    description: String? = nil, operationType: OperationType, name: String? = nil,
    variables: [VariableDefinition] = [], directives: [Document.Directive] = [],
    selectionSet: Document.SelectionSet, nameRange: SourceRange = .none, range: SourceRange = .none
  ) {
    self.description = description
    self.operationType = operationType
    self.name = name
    self.variables = variables
    self.directives = directives
    self.selectionSet = selectionSet
    self.nameRange = nameRange
    self.range = range
  }
}

/// A variable that an operation declares (section 2.11): `$first: Int = 10`.
public struct VariableDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name without the dollar sign.
  public var name: String
  /// The type.
  public var type: TypeReference
  /// The default value; nil if there is none.
  public var defaultValue: Document.Value?
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The variable with its dollar sign.
  public var nameRange: SourceRange
  /// The position of the type.
  public var typeRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a variable definition.
  public init(
    description: String? = nil, name: String, type: TypeReference,
    defaultValue: Document.Value? = nil,
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    typeRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.type = type
    self.defaultValue = defaultValue
    self.directives = directives
    self.nameRange = nameRange
    self.typeRange = typeRange
    self.range = range
  }
}

/// A named fragment (section 2.9).
public struct FragmentDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name.
  public var name: String
  /// The type it applies to.
  public var typeCondition: TypeName
  /// The applied directives, in the order in which they are written.
  public var directives: [Document.Directive]
  /// The selection set.
  public var selectionSet: Document.SelectionSet
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a fragment definition.
  public init(
    description: String? = nil, name: String, typeCondition: TypeName,
    directives: [Document.Directive] = [], selectionSet: Document.SelectionSet,
    nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.typeCondition = typeCondition
    self.directives = directives
    self.selectionSet = selectionSet
    self.nameRange = nameRange
    self.range = range
  }
}

extension Document {
  /// The selection set of an object (section 2.5).
  public struct SelectionSet: Sendable, Equatable {
    /// The selections, in the order in which they are written.
    public var selections: [Selection]
    /// The braces and all text between them.
    public var range: SourceRange

    /// Creates a selection set.
    public init(_ selections: [Selection], range: SourceRange = .none) {
      self.selections = selections
      self.range = range
    }
  }

  /// One element of a selection set (section 2.5).
  ///
  /// Indirect, since every rule visits the selections: a copy counts one reference instead of seven.
  public indirect enum Selection: Sendable, Equatable {
    case field(Field)
    case fragmentSpread(FragmentSpread)
    case inlineFragment(InlineFragment)

    /// The whole node.
    public var range: SourceRange {
      switch self {
      case .field(let field): field.range
      case .fragmentSpread(let spread): spread.range
      case .inlineFragment(let fragment): fragment.range
      }
    }

    /// The applied directives, in the order in which they are written.
    public var directives: [Directive] {
      switch self {
      case .field(let field): field.directives
      case .fragmentSpread(let spread): spread.directives
      case .inlineFragment(let fragment): fragment.directives
      }
    }
  }

  /// A selected field (section 2.6).
  public struct Field: Sendable, Equatable, NamedElement {
    /// The alias (section 2.8); nil if there is none.
    public var alias: String?
    /// The name.
    public var name: String
    /// The arguments, in the order in which they are written.
    public var arguments: [Argument]
    /// The applied directives, in the order in which they are written.
    public var directives: [Directive]
    /// The selection set.
    public var selectionSet: SelectionSet?
    /// Directives that were removed from the document since they are for a generator. They are never printed.
    package var clientDirectives: [Directive] = []
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates a field.
    public init(
      alias: String? = nil, name: String, arguments: [Argument] = [], directives: [Directive] = [],
      selectionSet: SelectionSet? = nil, nameRange: SourceRange = .none, range: SourceRange = .none
    ) {
      self.alias = alias
      self.name = name
      self.arguments = arguments
      self.directives = directives
      self.selectionSet = selectionSet
      self.nameRange = nameRange
      self.range = range
    }

    /// The key under which the field's value arrives (section 2.8): its alias or else its name.
    public var responseName: String { alias ?? name }
  }

  /// The use of a named fragment: `...ProductFields` (section 2.9).
  public struct FragmentSpread: Sendable, Equatable, NamedElement {
    /// The fragment's name.
    public var name: String
    /// The applied directives, in the order in which they are written.
    public var directives: [Directive]
    /// The position of the name.
    public var nameRange: SourceRange
    /// The whole node.
    public var range: SourceRange

    /// Creates a fragment spread.
    public init(
      name: String, directives: [Directive] = [], nameRange: SourceRange = .none,
      range: SourceRange = .none
    ) {
      self.name = name
      self.directives = directives
      self.nameRange = nameRange
      self.range = range
    }
  }

  /// An inline fragment: `... on Product { title }` (section 2.9.2).
  public struct InlineFragment: Sendable, Equatable {
    /// The type it applies to; nil if it applies to the enclosing type.
    public var typeCondition: TypeName?
    /// The applied directives, in the order in which they are written.
    public var directives: [Directive]
    /// The selection set.
    public var selectionSet: SelectionSet
    /// The whole node.
    public var range: SourceRange

    /// Creates an inline fragment.
    public init(
      typeCondition: TypeName? = nil, directives: [Directive] = [], selectionSet: SelectionSet,
      range: SourceRange = .none
    ) {
      self.typeCondition = typeCondition
      self.directives = directives
      self.selectionSet = selectionSet
      self.range = range
    }
  }
}

/// The type of a field, argument or variable: a name wrapped in lists and non-nulls (section 2.12).
public indirect enum TypeReference: Sendable, Hashable {
  case named(String)
  case list(TypeReference)
  /// The wrapped type is never itself non-null.
  case nonNull(TypeReference)

  /// The name under all wrappers: `Product` of `[Product!]!`.
  public var namedType: String {
    var type = self
    while true {
      switch type {
      case .named(let name): return name
      case .list(let item): type = item
      case .nonNull(let inner): type = inner
      }
    }
  }

  /// Whether the outermost wrapper is a non-null.
  public var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }

  /// The type without its outermost non-null: `[ID!]` of `[ID!]!`.
  public var nullable: TypeReference {
    if case .nonNull(let inner) = self { inner } else { self }
  }

  /// Whether the value is a list, nullable or not.
  public var isList: Bool { itemType != nil }

  /// The type of the items if the value is a list, nullable or not: `ID!` of `[ID!]!`.
  public var itemType: TypeReference? {
    if case .list(let item) = nullable { item } else { nil }
  }
}

extension TypeReference: CustomStringConvertible {
  /// The reference in a document's syntax: `[ID!]!`.
  public var description: String {
    switch self {
    case .named(let name): name
    case .list(let item): "[" + item.description + "]"
    case .nonNull(let inner): inner.description + "!"
    }
  }
}

/// A reference to a type by its name: an interface, a union's member, the type of a root operation,
/// a type condition.
public struct TypeName: Sendable, Equatable, NamedElement, ExpressibleByStringLiteral {
  /// The name.
  public var name: String
  /// The whole node.
  public var range: SourceRange

  /// Creates a type name.
  public init(_ name: String, range: SourceRange = .none) {
    self.name = name
    self.range = range
  }

  public init(stringLiteral name: String) { self.init(name) }

  /// The position of the name.
  public var nameRange: SourceRange { range }
}
