/// The result of pruning: kept and dropped elements.
public struct PruningReport: Sendable, Equatable {
  /// Fields of objects and interfaces by schema coordinate (`Product.title`), sorted by type.
  public let keptFields: [String]
  /// Fields that were left out, likewise.
  public let droppedFields: [String]
  /// Objects, interfaces, unions, enums and input objects by schema name.
  public let keptTypes: [String]
  /// Types that were left out, likewise.
  public let droppedTypes: [String]

  init(from plan: GenerationPlan, to pruned: GenerationPlan) {
    let kept = Set(pruned.fieldCoordinates)
    (keptFields, droppedFields) = plan.fieldCoordinates.parted { kept.contains($0) }
    let types = Set(pruned.typeNames)
    (keptTypes, droppedTypes) = plan.typeNames.parted { types.contains($0) }
  }

  /// `40 of 4,123 fields and 12 of 424 types are kept.`
  public var summary: String {
    "\(keptFields.count) of \(keptFields.count + droppedFields.count) fields and "
      + "\(keptTypes.count) of \(keptTypes.count + droppedTypes.count) types are kept."
  }
}

extension GenerationPlan {
  fileprivate var fieldCoordinates: [String] {
    composites.flatMap { type in type.fields.map { "\(type.schemaName).\($0.schemaName)" } }
  }

  fileprivate var typeNames: [String] {
    composites.map(\.schemaName) + enums.map(\.schemaName) + inputs.map(\.schemaName)
      + oneOfs.map(\.schemaName)
  }
}

extension [String] {
  fileprivate func parted(by condition: (String) -> Bool) -> (yes: [String], no: [String]) {
    (filter(condition), filter { !condition($0) })
  }
}
