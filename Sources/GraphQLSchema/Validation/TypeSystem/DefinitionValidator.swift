/// The rules of chapter 3 about combinations of definitions and extensions, which cannot be checked
/// after they are merged into a schema.
struct DefinitionValidator {
  let definitions: [Document.Definition]
  /// The first type of each name.
  let types: [String: NamedType]
  var diagnostics: DiagnosticCollector

  init(documents: [Document], diagnostics: DiagnosticCollector) {
    definitions = documents.flatMap(\.definitions)
    var types: [String: NamedType] = [:]
    for case .type(let type) in definitions where types[type.name] == nil {
      types[type.name] = type
    }
    self.types = types
    self.diagnostics = diagnostics
  }

  mutating func validate() {
    onlyTypeSystemDefinitions()
    loneSchemaDefinition()
    uniqueTypeNames()
    builtInTypeNames()
    uniqueDirectiveNames()
    extensionTargets()
    directiveExtensionTargets()
    oneOfNotInExtensions()
  }
}

extension DefinitionValidator {
  /// A type-system document has no operations and fragments (section 3).
  mutating func onlyTypeSystemDefinitions() {
    for definition in definitions {
      let (what, range): (String, SourceRange)
      switch definition {
      case .operation(let operation): (what, range) = ("operation", operation.nameRange)
      case .fragment(let fragment): (what, range) = ("fragment", fragment.nameRange)
      default: continue
      }
      diagnostics.add(
        "OnlyTypeSystemDefinitions", "A schema cannot contain this \(what).", at: range)
    }
  }

  /// There is at most one schema definition (section 3.3.1).
  mutating func loneSchemaDefinition() {
    var first: SourceRange?
    for case .schema(let schema) in definitions {
      if let first {
        diagnostics.add(
          "LoneSchemaDefinition", "There can be only one schema definition.", at: schema.range,
          suggestion: "Use \"extend schema\" to add to the first one.",
          notes: [("The first one is here.", first)])
      } else {
        first = schema.range
      }
    }
  }

  /// No two types have the same name (section 3.3).
  mutating func uniqueTypeNames() {
    for case .type(let type) in definitions {
      guard let first = types[type.name], first.nameRange.place != type.nameRange.place else {
        continue
      }
      diagnostics.add(
        "UniqueTypeNames", "There is more than one type \(quoted(type.name)).", at: type.nameRange,
        notes: [("The first one is here.", first.nameRange)])
    }
  }

  /// No type has the name of a built-in scalar (section 3.3), except that the scalar itself may be
  /// defined; it must then not have `@specifiedBy` (section 3.5).
  mutating func builtInTypeNames() {
    for case .type(let type) in definitions where BuiltIn.isScalar(type.name) {
      guard case .scalar(let scalar) = type else {
        diagnostics.add(
          "BuiltInTypeNames", "\(quoted(type.name)) is the name of a built-in scalar.",
          at: type.nameRange)
        continue
      }
      if let directive = scalar.directives["specifiedBy"] {
        diagnostics.add(
          "BuiltInTypeNames",
          "\"@specifiedBy\" cannot be applied to the built-in scalar \(quoted(type.name)).",
          at: directive.range)
      }
    }
  }

  /// No two directives have the same name (section 3.3).
  mutating func uniqueDirectiveNames() {
    var firsts: [String: SourceRange] = [:]
    for case .directive(let directive) in definitions {
      guard let first = firsts[directive.name] else {
        firsts[directive.name] = directive.nameRange
        continue
      }
      diagnostics.add(
        "UniqueDirectiveNames", "There is more than one directive \(quoted("@" + directive.name)).",
        at: directive.nameRange, notes: [("The first one is here.", first)])
    }
  }

  /// The target of an extension is defined and has the same kind (section 3.4.3).
  mutating func extensionTargets() {
    for case .typeExtension(let added) in definitions {
      guard let type = types[added.name] else {
        let candidates = types.values.filter { $0.kind == added.kind }.map(\.name)
        diagnostics.add(
          "ExtensionTargets", "Cannot extend type \(quoted(added.name)): it is not defined.",
          at: added.nameRange,
          suggestion: didYouMean(added.name, among: candidates)
            ?? "Add the file that defines it, or use --allow-undefined for a part of a schema.")
        continue
      }
      if type.kind != added.kind {
        diagnostics.add(
          "ExtensionTargets",
          "Cannot extend \(quoted(added.name)) as \(added.kind.phrase): it is \(type.kind.phrase).",
          at: added.nameRange, notes: [("It is defined here.", type.nameRange)])
      }
    }
  }

  /// The target of a directive's extension is defined.
  mutating func directiveExtensionTargets() {
    var names = Set(BuiltIn.directives.elements.map(\.name))
    for case .directive(let directive) in definitions { names.insert(directive.name) }
    for case .directiveExtension(let added) in definitions where !names.contains(added.name) {
      diagnostics.add(
        "ExtensionTargets", "Cannot extend \(quoted("@" + added.name)): it is not defined.",
        at: added.nameRange, suggestion: didYouMean(added.name, among: names))
    }
  }

  /// An extension does not apply `@oneOf` (section 3.10.2).
  mutating func oneOfNotInExtensions() {
    for case .typeExtension(.inputObject(let added)) in definitions {
      guard let directive = added.directives["oneOf"] else { continue }
      diagnostics.add(
        "OneOfNotInExtensions", "\"@oneOf\" cannot be applied in an extension.",
        at: directive.range,
        suggestion: "Apply it where \(quoted(added.name)) is defined.")
    }
  }
}

extension SourceRange {
  /// The range's position as a comparable value.
  var place: SIMD3<UInt32> { SIMD3(source, start, end) }
}

extension TypeKind {
  /// The kind as messages show it.
  var phrase: String {
    switch self {
    case .scalar: "a scalar"
    case .object: "an object type"
    case .interface: "an interface"
    case .union: "a union"
    case .enum: "an enum"
    case .inputObject: "an input object"
    }
  }
}
