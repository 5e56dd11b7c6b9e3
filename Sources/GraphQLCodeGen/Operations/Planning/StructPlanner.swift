#if !ONE_MODULE
  import GraphQLSchema
#endif

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

/// The Swift names in one struct: its properties, and the types that are nested in it.
///
/// Fields have the first right to their names, since they are those of the document; then come named
/// fragments, type conditions and deferred fragments.
struct MemberNames {
  /// For each slot; nil for fields that are not in the document, and for what no object can have.
  private(set) var properties: [String?]
  /// For each slot whose field or fragment may arrive later.
  private(set) var deliveries: [String?]
  /// For each slot that leads to an object with a type of its own.
  private(set) var types: [String?]
  /// The property and type for a `switch`; nil if the struct has none.
  private(set) var cases: (property: String, type: String)?

  /// - Parameter types: The names of types that the code of the struct mentions are taken in it.
  init(_ view: View, program: ProgramPlanner, types typeScope: NameScope) {
    let entries = view.entries
    properties = Array(repeating: nil, count: entries.count)
    types = properties
    deliveries = properties
    var scope = NameScope(reserved: program.propertyNames)
    let slots = Slots(view)
    let wanted = slots.fields.map { Self.wanted(entries[$0], program) }
    for (slot, name) in zip(slots.fields, scope.claimAll(wanted)) { properties[slot] = name }
    var unlabeledCount = 0
    for slot in slots.fragments + slots.conditions + slots.deferred {
      var wanted = Self.wanted(entries[slot], program)
      if wanted == Self.deferred {
        unlabeledCount += 1
        if unlabeledCount > 1 { wanted += "\(unlabeledCount)" }
      }
      properties[slot] = scope.claim(wanted)
    }
    var typeScope = typeScope
    for case let property? in properties where !Self.isLowercased(property) {
      _ = typeScope.claimLabel(property)
    }
    for slot in entries.indices where entries[slot].child != nil {
      guard let property = properties[slot] else { continue }
      types[slot] = typeScope.claim(Self.wantedType(entries[slot], property, program))
    }
    if Self.hasCases(view, slots, program.schema) {
      let isTaken = properties.contains("kind")
      cases = (
        scope.claim(isTaken ? "typeKind" : "kind"),
        typeScope.claim(isTaken ? "TypeKind" : "Kind")
      )
    }
    for slot in entries.indices where entries[slot].delivery != nil {
      deliveries[slot] = properties[slot].map { scope.claim($0 + "Delivery") }
    }
  }

  /// The slots that get a property, by their kind.
  private struct Slots {
    var fields: [Int] = []
    var fragments: [Int] = []
    var conditions: [Int] = []
    var deferred: [Int] = []

    init(_ view: View) {
      fields.reserveCapacity(view.entries.count)
      for (slot, entry) in view.entries.enumerated() where entry.isReadable {
        switch entry.kind {
        case .field: fields.append(slot)
        case .unknownField: continue
        case .fragment: fragments.append(slot)
        case .condition: conditions.append(slot)
        case .deferred: deferred.append(slot)
        }
      }
    }
  }

  private static let deferred = "deferred"

  private static func wanted(_ entry: View.Entry, _ program: ProgramPlanner) -> String {
    switch entry.kind {
    case .field(let field):
      // An alias is a name that its author chose.
      if field.key != field.name { return field.key }
      return program.wantedNames[.member(type: field.owner.name, name: field.key)]
    case .condition(let type): return "as" + program.typeName(type)
    case .deferred(let deferral):
      // A label is any text.
      let words = (deferral.label ?? "").split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
      return deferred + words.map { CaseConversion.capitalized(String($0)) }.joined()
    case .fragment(let name, isCertain: _): return program.conversion.member(name)
    case .unknownField(let key): return key
    }
  }

  private static func wantedType(
    _ entry: View.Entry, _ property: String, _ program: ProgramPlanner
  ) -> String {
    switch entry.kind {
    case .field(let field):
      let name = wanted(entry, program)
      return CaseConversion.capitalized(
        field.type.isList ? Singular.of(name) : name)
    case .condition(let type): return "As" + program.typeName(type)
    case .deferred, .fragment, .unknownField: return CaseConversion.capitalized(property)
    }
  }

  /// Whether all type conditions are object types, so that at most one applies.
  private static func hasCases(_ view: View, _ slots: Slots, _ schema: ServiceSchema) -> Bool {
    guard !slots.conditions.isEmpty, view.typenameSlot != nil else { return false }
    return slots.conditions.allSatisfy { slot in
      view.entries[slot].condition.map { schema.types[$0]?.kind == .object } ?? false
    }
  }

  private static func isLowercased(_ name: String) -> Bool {
    name.utf8.first.map { $0 >= 0x61 && $0 <= 0x7A } ?? true
  }
}

extension ProgramPlanner {
  /// A type of the schema as a part of a name.
  fileprivate func typeName(_ type: String) -> String {
    CaseConversion.capitalized(wantedNames[.type(type)])
  }
}

/// The singular of English plurals, for the type of a list's elements: `nodes` is `node`.
enum Singular {
  static func of(_ name: String) -> String {
    // Most plurals end in `s`. Bytes are compared: names are ASCII, and `hasSuffix` compares characters.
    let bytes = Array(name.utf8)
    guard let last = bytes.last, ends.contains(last) else { return name }
    for (plural, singular) in endings where bytes.count >= plural.utf8.count {
      let start = bytes.count - plural.utf8.count
      guard bytes[start...].elementsEqual(plural.utf8) else { continue }
      return String(decoding: bytes[..<start], as: UTF8.self) + singular
    }
    return name
  }

  /// The last bytes of all endings.
  private static let ends = Set(endings.compactMap(\.plural.utf8.last))

  /// The first one that fits is used.
  private static let endings: [(plural: String, singular: String)] = [
    ("people", "person"), ("People", "Person"), ("children", "child"), ("Children", "Child"),
    ("series", "series"), ("Series", "Series"), ("movies", "movie"), ("Movies", "Movie"),
    ("cookies", "cookie"), ("Cookies", "Cookie"), ("ies", "y"), ("sses", "ss"), ("shes", "sh"),
    ("ches", "ch"), ("xes", "x"), ("statuses", "status"), ("Statuses", "Status"), ("ss", "ss"),
    ("us", "us"), ("is", "is"), ("s", ""),
  ]
}
