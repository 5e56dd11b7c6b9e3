/// A resolved type of the generated code.
package indirect enum SwiftType: Equatable, Sendable {
  /// Spelled the same everywhere: `String`, `Swift.String`, `GraphQL.ID`, `MoneyKit.Money`.
  case named(String)
  /// A type of the generated namespace.
  case generated(String)
  /// Any value of a protocol of the generated namespace.
  case existential(String)
  case optional(SwiftType)
  case array(SwiftType)

  /// The spelling, with a prefix before the types of the namespace: empty inside the namespace,
  /// `Storefront.` outside.
  func spelled(prefix: String = "") -> SourceText {
    var text = SourceText(capacity: 64)
    spell(prefix: prefix, into: &text)
    return text
  }

  /// Appends the spelling.
  func spell(prefix: String, into text: inout SourceText) {
    switch self {
    case .named(let name): text.append(name: name)
    case .generated(let name):
      text.append(name: prefix)
      text.append(name: name)
    case .existential(let name):
      text.append("any ")
      SwiftType.generated(name).spell(prefix: prefix, into: &text)
    case .optional(.existential(let name)):
      text.append("(")
      SwiftType.existential(name).spell(prefix: prefix, into: &text)
      text.append(")?")
    case .optional(let wrapped):
      wrapped.spell(prefix: prefix, into: &text)
      text.append("?")
    case .array(let element):
      text.append("[")
      element.spell(prefix: prefix, into: &text)
      text.append("]")
    }
  }
}

/// The types that the declarations of a file name.
///
/// The import of a module with such a type is as visible as the declarations. Targets with the upcoming feature
/// `InternalImportsByDefault` need that, and the compiler warns of other imports that are public.
struct ReferencedTypes {
  /// Those outside of the generated namespace, as they are spelled.
  private(set) var spelled: Set<String> = []
  /// Whether a type of the generated namespace is among them.
  private(set) var hasGenerated = false

  /// Whether a type of the runtime is among them.
  var hasRuntimeType: Bool {
    spelled.contains { $0.hasPrefix(RuntimeSymbols.namespace + ".") }
  }

  mutating func insert(_ type: SwiftType) {
    switch type {
    case .named(let name): spelled.insert(name)
    case .generated, .existential: hasGenerated = true
    case .optional(let type), .array(let type): insert(type)
    }
  }

  mutating func insert(_ arguments: [ArgumentPlan]) {
    for argument in arguments { insert(argument.type) }
  }
}

extension ReferencedTypes {
  /// The types in the declarations of types with that access; none if it is internal, as every import suffices then.
  init(_ types: [TypePlan], access: Configuration.AccessLevel) {
    if access == .internal { return }
    for type in types {
      switch type {
      case .composite(let type):
        if type.isAbstract, type.protocols.isEmpty {
          spelled.insert(RuntimeSymbols.abstractResponse)
        }
        for field in type.fields {
          insert(field.type)
          insert(field.arguments)
        }
      case .enumeration:
        // The compiler does not count the conformance of a declaration with package access.
        if access == .public { spelled.insert(RuntimeSymbols.enumeration) }
      case .inputObject(let type):
        spelled.insert(RuntimeSymbols.inputObject)
        insert(type.fields.map(\.argument))
      case .oneOf(let type):
        spelled.insert(RuntimeSymbols.oneOfInputObject)
        for oneOf in type.cases { insert(oneOf.type) }
      }
    }
  }

  /// The types in the declarations of operations and fragments.
  init(_ definitions: [DefinitionPlan]) {
    for definition in definitions {
      switch definition {
      case .operation(let operation):
        insert(operation.variables)
        insert(operation.data)
      case .fragment(let fragment): insert(fragment.fields)
      }
    }
  }

  private mutating func insert(_ structure: StructPlan) {
    for member in structure.members { insert(member.type) }
    for nested in structure.nested {
      switch nested {
      case .structure(let structure): insert(structure)
      case .alias(_, let path): spelled.insert(path)
      }
    }
  }
}
