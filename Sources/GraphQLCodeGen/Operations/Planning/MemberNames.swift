import GraphQLSchema

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
