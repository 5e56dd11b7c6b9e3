/// All declarations of the module, with every decision made: the boundary between planning and
/// emission.
///
/// Types are sorted by name. Every Swift name is valid, escaped and free of collisions, every type
/// is resolved to its spelling, every schema name is a checked GraphQL name. Free text
/// (descriptions, default values, reasons) is still raw; emitters escape it as they write it.
package struct GenerationPlan: Sendable {
  package var namespace: String
  package var access: Configuration.AccessLevel
  package var classes: Configuration.ClassKind
  /// Whether there are builders, and classes for responses. Without them, composites are only in the table.
  package var hasBuilders: Bool
  package var layout: Configuration.Layout
  /// The modules of the user's own types for scalars, by the types' names.
  package var importedTypes: [String: String]
  package var documentation: Documentation
  package var roots: [RootPlan]
  /// Objects, interfaces and unions, in the order of their lines in the table.
  package var composites: [CompositePlan]
  package var enums: [EnumPlan]
  package var inputs: [InputObjectPlan]
  package var oneOfs: [OneOfPlan]
  package var directives: [DirectivePlan]
  /// Whether a directive may be applied to a field or fragment.
  package var hasFieldDirectives: Bool
  package var scalars: [ScalarPlan]
  /// The lines of the schema table.
  package var table: [String]
  /// Standard types that need their module's name, because a generated type has the same name.
  package var hiddenStandardTypes: Set<String>
}

/// The text of a documentation comment, not yet escaped.
package struct Documentation: Sendable {
  package var description: String?
  /// Sentences after the description, without line breaks of their own.
  package var notes: [Note] = []
  package var parameters: [ParameterNote] = []

  package struct ParameterNote: Sendable {
    package var name: String
    package var description: String?
    package var notes: [Note]
  }

  package enum Note: Sendable {
    /// The default value, as GraphQL text.
    case defaultValue(String)
    case deprecated(String)
    /// The value, the items of its list, or both are null only with an error.
    case nullOnlyWithError(value: Bool, items: Bool)
  }

  var isEmpty: Bool { description == nil && notes.isEmpty && parameters.isEmpty }
}

/// A root operation type: the classes of `buildQuery`, `buildMutation` or `buildSubscription`.
package struct RootPlan: Sendable {
  package enum Operation: String, CaseIterable, Sendable {
    case query, mutation, subscription
  }

  package var operation: Operation
  package var queryClass: String
  package var responseClass: String
}

/// A custom scalar that is mapped to a Swift type.
package struct ScalarPlan: Sendable {
  package var schemaName: String
  package var type: SwiftType
}

/// An object, interface or union: a class that selects its fields and one that reads them.
package struct CompositePlan: Sendable {
  package enum Kind: Sendable {
    case object, interface, union
  }

  package var kind: Kind
  package var schemaName: String
  package var documentation: Documentation
  /// The class that selects fields: `ProductQuery`.
  package var queryClass: String
  /// The type that accessors return: the class of an object, the protocol of an abstract type.
  package var responseType: String
  /// The class that is instantiated: `Product`, `UnknownNode`.
  package var responseClass: String
  /// Protocols of the interfaces and unions it belongs to, sorted.
  package var protocols: [String]
  package var fields: [FieldPlan]
  /// Type conditions, on abstract types only.
  package var conditions: [ConditionPlan]

  /// Whether the property `id` identifies objects of the type.
  package var isIdentifiable = false

  package var isAbstract: Bool { kind != .object }
}

/// An argument of a field or directive, or of the initialiser of an input object.
package struct ArgumentPlan: Equatable, Sendable {
  package var schemaName: String
  /// The label as the caller writes it.
  package var label: String
  /// The name in the body; differs from the label if the label is a keyword or hides a helper.
  package var variable: String
  package var type: SwiftType
  /// The default value is nil.
  package var isRequired: Bool
}

/// `onOrder { … }`
package struct ConditionPlan: Sendable {
  package var method: String
  package var schemaName: String
  package var queryClass: String
}

/// A field: a builder method and an accessor, and a reader of aliases if it takes arguments.
///
/// A class, since the closures that write its members capture it: a copy counts one reference
/// instead of a dozen.
package final class FieldPlan: Sendable {
  package let schemaName: String
  package let method: String
  package let property: String
  /// The accessor with an alias, for fields with arguments.
  package let aliasedReader: String?
  package let arguments: [ArgumentPlan]
  /// The query class of the subfields; nil for leaves.
  package let subfields: String?
  /// The helper of the runtime that reads the value.
  package let accessor: String
  package let type: SwiftType
  package let documentation: Documentation
  package let deprecation: String?

  init(
    schemaName: String, method: String, property: String, aliasedReader: String?,
    arguments: [ArgumentPlan], subfields: String?, accessor: String, type: SwiftType,
    documentation: Documentation, deprecation: String?
  ) {
    self.schemaName = schemaName
    self.method = method
    self.property = property
    self.aliasedReader = aliasedReader
    self.arguments = arguments
    self.subfields = subfields
    self.accessor = accessor
    self.type = type
    self.documentation = documentation
    self.deprecation = deprecation
  }

  /// The field with fewer arguments.
  func keeping(_ arguments: [ArgumentPlan], _ documentation: Documentation) -> FieldPlan {
    FieldPlan(
      schemaName: schemaName, method: method, property: property, aliasedReader: aliasedReader,
      arguments: arguments, subfields: subfields, accessor: accessor, type: type,
      documentation: documentation, deprecation: deprecation)
  }
}

/// An enum, emitted as cases and one string of their names.
package struct EnumPlan: Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  package var cases: [EnumCasePlan]

  var hasDeprecatedCases: Bool { cases.contains { $0.deprecation != nil } }
}

package struct EnumCasePlan: Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  package var deprecation: String?
}

/// An input object, emitted as a struct with an optional property for every field that may be left out.
package struct InputObjectPlan: Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  /// The initialiser's text for quick help.
  package var initializer: Documentation
  package var fields: [InputFieldPlan]
}

package struct InputFieldPlan: Sendable {
  package var argument: ArgumentPlan
  package var property: String
  package var documentation: Documentation
  package var deprecation: String?
}

/// A `@oneOf` input object, emitted as an enum with a case per field.
package struct OneOfPlan: Sendable {
  package var schemaName: String
  package var name: String
  package var documentation: Documentation
  package var cases: [OneOfCasePlan]
  /// Whether a case may contain a value of a `@oneOf` type, possibly itself.
  package var isIndirect: Bool
}

package struct OneOfCasePlan: Sendable {
  package var schemaName: String
  package var name: String
  package var type: SwiftType
  package var documentation: Documentation
  package var deprecation: String?
}

/// A directive for executable documents, emitted as a static function of `GraphQL.Directive`.
package struct DirectivePlan: Sendable {
  package var schemaName: String
  package var function: String
  package var arguments: [ArgumentPlan]
  package var documentation: Documentation
}

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

  /// Whether the value may be nil.
  package var isOptional: Bool {
    if case .optional = self { true } else { false }
  }

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
