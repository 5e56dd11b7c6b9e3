/// A type of any kind, for the distribution over files. Indirect, as types are moved and large.
indirect enum TypePlan {
  case composite(CompositePlan)
  case enumeration(EnumPlan)
  case inputObject(InputObjectPlan)
  case oneOf(OneOfPlan)

  /// Types that share files.
  enum Group: CaseIterable {
    case object, interface, enumeration, input
  }

  var schemaName: String {
    switch self {
    case .composite(let type): type.schemaName
    case .enumeration(let type): type.schemaName
    case .inputObject(let type): type.schemaName
    case .oneOf(let type): type.schemaName
    }
  }

  /// The approximate time to compile it, which mainly depends on the number of functions.
  var weight: Int {
    guard case .composite(let type) = self else { return 1 }
    return type.fields.reduce(4) { $0 + ($1.aliasedReader == nil ? 2 : 3) + $1.arguments.count }
  }
}

extension GenerationPlan {
  /// The types of a group, sorted by name.
  func types(of group: TypePlan.Group) -> [TypePlan] {
    switch group {
    case .object: types { $0 == .object }
    case .interface: types { $0 != .object }
    case .enumeration: enums.map(TypePlan.enumeration)
    case .input:
      (inputs.map(TypePlan.inputObject) + oneOfs.map(TypePlan.oneOf))
        .sorted { $0.schemaName < $1.schemaName }
    }
  }

  private func types(where isIncluded: (CompositePlan.Kind) -> Bool) -> [TypePlan] {
    guard hasBuilders else { return [] }
    return composites.indices.compactMap { position in
      isIncluded(composites[position].kind) ? .composite(composites[position]) : nil
    }
  }
}
