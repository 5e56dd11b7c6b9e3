import GraphQLCodeGen
import GraphQLSchema

/// Swift expressions of values for arguments and input fields.
struct SampleValues {
  let plan: GenerationPlan
  /// The prefix of a type of the namespace in a call.
  let prefix: String
  private let enums: [String: EnumPlan]
  private let inputs: [String: InputObjectPlan]
  private let oneOfs: [String: OneOfPlan]

  init(_ plan: GenerationPlan) {
    self.plan = plan
    prefix = plan.namespace + "."
    enums = Dictionary(uniqueKeysWithValues: plan.enums.map { ($0.name, $0) })
    inputs = Dictionary(uniqueKeysWithValues: plan.inputs.map { ($0.name, $0) })
    oneOfs = Dictionary(uniqueKeysWithValues: plan.oneOfs.map { ($0.name, $0) })
  }

  /// - Parameter depth: the number of input objects above. Below the second, only required fields
  ///   are set, so that input objects that contain themselves end.
  func expression(of type: SwiftType, depth: Int = 0) -> String {
    switch type {
    case .named(let name): "Sample.\(Self.sample(name))"
    case .generated(let name): generated(name, depth: depth)
    case .existential(let name): preconditionFailure("\(name) is not an input type")
    case .optional(let wrapped): expression(of: wrapped, depth: depth)
    case .array(let element): "[\(expression(of: element, depth: depth))]"
    }
  }

  /// `first: 7, after: …`, with or without the optional arguments.
  func arguments(
    _ arguments: [ArgumentPlan], onlyRequired: Bool, depth: Int = 0
  ) -> [String] {
    arguments.filter { $0.isRequired || !onlyRequired }
      .map { "\($0.label): \(expression(of: $0.type, depth: depth))" }
  }

  private func generated(_ name: String, depth: Int) -> String {
    if let type = enums[name] { return "\(prefix)\(name).\(type.cases[0].name)" }
    if let type = oneOfs[name] {
      // A field that does not lead back to this type.
      let field = type.cases.first { !$0.isNested } ?? type.cases[0]
      return "\(prefix)\(name).\(field.name)(\(expression(of: field.type, depth: depth + 1)))"
    }
    let fields = inputs[name]!.fields.map(\.argument)
    let list = arguments(fields, onlyRequired: depth >= 2, depth: depth + 1)
    return "\(prefix)\(name)(\(list.joined(separator: ", ")))"
  }

  /// The property of `Sample` for a type of the standard library or the runtime.
  private static func sample(_ name: String) -> String {
    switch name.split(separator: ".").last.map(String.init) ?? name {
    case "String": "string"
    case "Int": "int"
    case "Double": "double"
    case "Bool": "bool"
    case "ID": "id"
    case "DateTime": "dateTime"
    case "LocalDate": "localDate"
    case "URL": "url"
    case "Decimal": "decimal"
    case "JSON": "json"
    case "BigInt": "bigInt"
    default: preconditionFailure("no sample for \(name)")
    }
  }
}

extension OneOfCasePlan {
  fileprivate var isNested: Bool {
    if case .named = type { false } else { true }
  }
}
