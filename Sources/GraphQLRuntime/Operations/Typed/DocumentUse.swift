import GraphJSON

extension GraphQL {
  /// A fragment or an operation with the values of its variables. Many objects are read as one fragment.
  final class DocumentUse: Sendable {
    /// With the values of the arguments.
    let selectionSet: SelectionSet
    /// nil for an operation.
    let fragment: FragmentDefinition?
    private let variant: DocumentVariant
    private let plans = Locked<[ObjectIdentifier: SharedResponsePlan]>([:])

    init(_ document: LoadedDocument, _ variables: JSON) {
      var conditions: [String: Bool] = [:]
      if case .object(let object) = variables {
        for member in object.members {
          if case .bool(let value) = member.value { conditions[member.key] = value }
        }
      }
      variant = document.variant(conditions)
      let isFragment = document.template.kind == nil
      let check = VariableCheck(schema: document.schema) { variables[$0] }
      let frozen = document.template.frozen(
        in: document.schema, problem: isFragment ? check.problem : nil
      ) { variables[$0] }
      fragment = isFragment ? frozen.fragments.first?.with(frozen.problems) : nil
      guard let selectionSet = frozen.selectionSet ?? fragment?.selectionSet else {
        preconditionFailure("the text of \(document.name) is empty; generate it again")
      }
      self.selectionSet = selectionSet
    }

    /// The plans for objects of a type to which the fragment applies, or of the root type.
    func plans(for type: TypeInfo) -> SharedResponsePlan {
      plans.withLock { plans in
        let identifier = ObjectIdentifier(type)
        if let known = plans[identifier] { return known }
        let new = SharedResponsePlan()
        plans[identifier] = new
        return new
      }
    }

    func makePlan(for type: TypeInfo, in schema: SchemaTable) -> ResponsePlan {
      variant.makePlan(selectionSet, of: type, in: schema)
    }
  }
}
