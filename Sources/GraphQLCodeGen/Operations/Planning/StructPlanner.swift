import GraphQLSchema

/// Plans the structs of one operation or fragment. Structs that select the same of the same type exist
/// once; at the other places, there is an alias.
final class StructPlanner {
  let program: ProgramPlanner
  /// The scope of names of nested types. The names that no nested type may have are taken in it.
  private let types: NameScope
  /// The planned structs by what they select.
  private var known: [Signature: Int] = [:]
  private var paths: [String] = []

  /// A text that is equal for structs with the same members.
  private struct Signature: Hashable {
    let text: [UInt8]

    // Safe: the array keeps its bytes valid during the call. An array itself would hash them one by one.
    func hash(into hasher: inout Hasher) {
      unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }

  init(_ program: ProgramPlanner, types: NameScope) {
    self.program = program
    self.types = types
  }

  /// Plans the struct of a whole operation or fragment.
  func plan(_ view: View, named name: String, path: String) -> StructPlan {
    structure(view, named: name, path: path).plan
  }

  /// A nested type, and a number that it has in common with those that select the same.
  private func nested(_ view: View, named name: String, path: String) -> (NestedPlan, Int) {
    let (plan, signature) = structure(view, named: name, path: path)
    if let number = known[signature] { return (.alias(name: name, path: paths[number]), number) }
    known[signature] = paths.count
    paths.append(path)
    return (.structure(plan), paths.count - 1)
  }

  private func structure(
    _ view: View, named name: String, path: String
  ) -> (plan: StructPlan, signature: Signature) {
    let names = MemberNames(view, program: program, types: types)
    var plan = StructPlan(
      name: name, documentation: Documentation(description: view.type.description),
      isIdentifiable: false, members: [], cases: nil, nested: [])
    plan.members.reserveCapacity(view.entries.count)
    var signature = SourceText(capacity: 32 * (1 + view.entries.count))
    signature.append(name: view.type.name)
    for (slot, entry) in view.entries.enumerated() {
      signature.append(",")
      // Without an accessor, but with a slot.
      guard let property = names.properties[slot],
        let member = member(
          entry, property: property, slot: slot, type: names.types[slot], path: path)
      else { continue }
      signature.append(name: property)
      signature.append(" ")
      signature.append(name: member.accessor)
      if member.type.isOptional { signature.append("?") }
      if let key = member.caughtKey { signature.append(name: " " + key) }
      signature.append(" ")
      if let child = entry.child {
        if let type = names.types[slot] {
          let (nested, number) = nested(child, named: type, path: path + "." + type)
          plan.nested.append(nested)
          signature.append(name: String(number))
        }
        if case .field(let field) = entry.kind { signature.append(field.type) }
      } else if case .fragment(let name, _) = entry.kind {
        signature.append(name: name)
      } else {
        member.type.spell(prefix: "", into: &signature)
      }
      if member.isIdentifier { plan.isIdentifiable = true }
      plan.members.append(member)
      if let delivery = names.deliveries[slot] {
        let member = self.delivery(of: entry, property: delivery, slot: slot)
        signature.append(name: member.property + member.arguments)
        plan.members.append(member)
      }
    }
    if let name = names.cases {
      plan.cases = cases(of: view, name, names)
      signature.append(" ")
      signature.append(name: name.property)
    }
    return (plan, Signature(text: signature.bytes))
  }

  private func member(
    _ entry: View.Entry, property: String, slot: Int, type: String?, path: String
  ) -> MemberPlan? {
    var documentation = Documentation()
    var deprecation: String?
    var caughtKey: String?
    var arguments = ""
    let swiftType: SwiftType
    let accessor: String
    switch entry.kind {
    case .field(let field):
      if let definition = program.schema.field(named: field.name, on: field.owner) {
        documentation.description = definition.description
        documentation.notes = Documentation.nullabilityNotes(
          field.owner.semanticNonNullLevels(of: definition))
        deprecation = definition.deprecationReason
      }
      (accessor, swiftType) = value(field.type, entry, object: type)
      if let type, accessor == RuntimeSymbols.readNestedObjects { arguments = ", of: \(type).self" }
      // In a narrower type, the field may be never null.
      if field.isCaught, swiftType.isOptional { caughtKey = field.key }
    case .condition(let name):
      documentation.description = "The object as `\(name)`; nil if it is of another type."
      (accessor, swiftType) = object(type ?? name, isOptional: true)
    case .deferred:
      documentation.description = "Deferred fields; nil as long as they have not arrived."
      (accessor, swiftType) = object(type ?? "", isOptional: true)
    case .fragment(let name, let isCertain):
      documentation.description = "The fields of the fragment `\(name)`."
      (accessor, swiftType) = object(
        program.type(
          ofFragment: name, isQualified: StructPlan.isInExtension(at: path)),
        isOptional: !isCertain || !entry.isUnconditional)
    case .unknownField: return nil
    }
    return MemberPlan(
      property: SwiftKeywords.spelled(property), type: swiftType, accessor: accessor, slot: slot,
      arguments: arguments, caughtKey: caughtKey,
      documentation: documentation, deprecation: deprecation)
  }

  /// The property for whether all of an entry has arrived.
  private func delivery(of entry: View.Entry, property: String, slot: Int) -> MemberPlan {
    var documentation = Documentation()
    var arguments = ""
    if case .field(let field) = entry.kind {
      documentation.description = "Whether all items of the list have arrived."
      arguments = ", ofList: \(EscapedText.literal(field.key))"
    } else {
      documentation.description = "Whether the deferred fields have arrived."
    }
    if let label = entry.delivery?.label { arguments += ", \(EscapedText.literal(label))" }
    return MemberPlan(
      property: SwiftKeywords.spelled(property), type: .named(RuntimeSymbols.delivery),
      accessor: RuntimeSymbols.readDelivery, slot: slot, arguments: arguments,
      documentation: documentation, deprecation: nil)
  }

  private func object(_ type: String, isOptional: Bool) -> (String, SwiftType) {
    let accessor = RuntimeSymbols.readObject
    return isOptional
      ? (accessor + RuntimeSymbols.optionalSuffix, .optional(.named(type)))
      : (accessor, .named(type))
  }

  /// The accessor and type of a field.
  private func value(
    _ reference: TypeReference, _ entry: View.Entry, object: String?
  ) -> (String, SwiftType) {
    let isOptional = !reference.isNonNull || !entry.isUnconditional
    let suffix = isOptional ? RuntimeSymbols.optionalSuffix : ""
    var type: SwiftType
    var accessor: String
    if let object {
      type = program.types.swiftType(reference, leaf: .named(object))
      switch reference.nullable {
      case .list(.nonNull(.named)): accessor = RuntimeSymbols.readObjects + suffix
      case .list: accessor = RuntimeSymbols.readNestedObjects
      default: accessor = RuntimeSymbols.readObject + suffix
      }
    } else {
      type = program.types.operationType(reference, isResult: true)
      accessor = reference.isList ? RuntimeSymbols.readValue : leaf(reference.namedType)
      accessor += suffix
    }
    if isOptional { type = type.madeOptional }
    return (accessor, type)
  }

  private func leaf(_ type: String) -> String {
    switch type {
    case "String": RuntimeSymbols.readString
    case "Int": RuntimeSymbols.readInt
    case "Float": RuntimeSymbols.readDouble
    case "Boolean": RuntimeSymbols.readBool
    case "ID": RuntimeSymbols.readKey
    default: RuntimeSymbols.readValue
    }
  }

  private func cases(
    of view: View, _ name: (property: String, type: String), _ names: MemberNames
  ) -> CasesPlan? {
    guard let typenameSlot = view.typenameSlot else { return nil }
    var scope = NameScope(reserved: Self.otherCase)
    let slots = view.entries.indices.filter {
      view.entries[$0].isReadable && view.entries[$0].condition != nil
    }
    let caseNames = scope.claimAll(
      slots.map { slot in
        let type = view.entries[slot].condition ?? ""
        return program.conversion.member(program.wantedNames[.type(type)])
      })
    return CasesPlan(
      property: name.property, name: name.type,
      cases: zip(slots, caseNames).map { slot, name in
        .init(name: SwiftKeywords.spelled(name), type: names.types[slot] ?? "", slot: slot)
      }, typenameSlot: typenameSlot)
  }

  private static let otherCase: WordSet = ["other", "hashValue"]
}

extension MemberPlan {
  /// Whether values of the property identify the object.
  fileprivate var isIdentifier: Bool {
    property == "id" && type == .named(RuntimeSymbols.id)
  }
}

extension View {
  /// The slot of the name of the type, if every response has it.
  var typenameSlot: Int? {
    entries.firstIndex { entry in
      guard case .field(let field) = entry.kind else { return false }
      return field.key == "__typename" && entry.isUnconditional
    }
  }
}

extension View.Entry {
  /// The type condition of a case.
  var condition: String? {
    if case .condition(let type) = kind { type } else { nil }
  }
}
