/// A directive that may be applied in documents (section 3.13).
public struct DirectiveDefinition: Sendable, Equatable, NamedElement {
  /// The description in Markdown (section 2.2); nil if there is none.
  public var description: String?
  /// The name without the at sign.
  public var name: String
  /// The arguments, in the order in which they are written.
  public var arguments: NamedList<InputValueDefinition>
  /// Whether it may be applied more than once at one location.
  public var isRepeatable: Bool
  /// The locations where it may be applied.
  public var locations: [DirectiveLocation]
  /// Directives that are applied to the definition itself (a proposal for the specification).
  public var directives: [Document.Directive]
  /// The position of the name.
  public var nameRange: SourceRange
  /// The whole node, description included.
  public var range: SourceRange

  /// Creates a directive definition.
  public init(
    description: String? = nil, name: String, arguments: NamedList<InputValueDefinition> = [],
    isRepeatable: Bool = false, locations: [DirectiveLocation],
    directives: [Document.Directive] = [], nameRange: SourceRange = .none,
    range: SourceRange = .none
  ) {
    self.description = description
    self.name = name
    self.arguments = arguments
    self.isRepeatable = isRepeatable
    self.locations = locations
    self.directives = directives
    self.nameRange = nameRange
    self.range = range
  }
}

/// A location where a directive may be applied (section 3.13).
public enum DirectiveLocation: String, Sendable, CaseIterable {
  case query = "QUERY"
  case mutation = "MUTATION"
  case subscription = "SUBSCRIPTION"
  case field = "FIELD"
  case fragmentDefinition = "FRAGMENT_DEFINITION"
  case fragmentSpread = "FRAGMENT_SPREAD"
  case inlineFragment = "INLINE_FRAGMENT"
  case variableDefinition = "VARIABLE_DEFINITION"
  /// A proposal for the specification (arguments of fragments), which schemas may name already. Documents
  /// cannot contain one.
  case fragmentVariableDefinition = "FRAGMENT_VARIABLE_DEFINITION"
  case schema = "SCHEMA"
  case scalar = "SCALAR"
  case object = "OBJECT"
  case fieldDefinition = "FIELD_DEFINITION"
  case argumentDefinition = "ARGUMENT_DEFINITION"
  case interface = "INTERFACE"
  case union = "UNION"
  case `enum` = "ENUM"
  case enumValue = "ENUM_VALUE"
  case inputObject = "INPUT_OBJECT"
  case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
  /// A proposal for the specification.
  case directiveDefinition = "DIRECTIVE_DEFINITION"

  /// Whether the directive is applied in documents rather than in schemas (section 3.13).
  package var isExecutable: Bool {
    switch self {
    case .query, .mutation, .subscription, .field, .fragmentDefinition, .fragmentSpread,
      .inlineFragment, .variableDefinition, .fragmentVariableDefinition:
      true
    default: false
    }
  }
}

/// The default reason of `@deprecated` (section 3.13.3).
public let defaultDeprecationReason = "No longer supported"

extension [Document.Directive] {
  /// The first application of a directive.
  public subscript(name: String) -> Document.Directive? {
    isEmpty ? nil : first { $0.name == name }
  }

  /// The reason of `@deprecated`; nil if it is not applied (section 3.13.3).
  var deprecationReason: String? {
    guard let directive = self["deprecated"] else { return nil }
    if case .string(let reason)? = directive.argument("reason")?.kind { return reason }
    return defaultDeprecationReason
  }
}

extension NamedType {
  /// The levels of a field's type that are null only with an error, as `@semanticNonNull` at the field
  /// or `@semanticNonNullField` at the type states (a proposal for the specification): 0 is the value,
  /// 1 an item of its list.
  package func semanticNonNullLevels(of field: FieldDefinition) -> Set<Int> {
    if field.directives.isEmpty, directives.isEmpty { return [] }
    let ofType = directives.filter {
      $0.name == "semanticNonNullField" && $0.argument("name")?.kind == .string(field.name)
    }
    let applied = field.directives.filter { $0.name == "semanticNonNull" } + ofType
    return Set(applied.flatMap(\.levels))
  }
}

extension Document.Directive {
  /// The argument `levels`, whose default value is `[0]`.
  fileprivate var levels: [Int] {
    guard let argument = argument("levels") else { return [0] }
    guard case .list(let items) = argument.kind else { return [argument].compactMap(\.integer) }
    return items.compactMap(\.integer)
  }
}

extension Document.Value {
  fileprivate var integer: Int? { if case .int(let digits) = kind { Int(digits) } else { nil } }
}
