import GraphJSON

extension GraphQL {
  /// A fragment of a document with the values of its variables. Many objects are read as one.
  final class FragmentUse: Sendable {
    /// With the values of the arguments.
    let definition: FragmentDefinition
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
      let frozen = document.template.frozen(in: document.schema) { variables[$0] }
      guard let definition = frozen.fragments.first else {
        preconditionFailure("the text of \(document.name) is not a fragment; generate it again")
      }
      self.definition = definition
    }

    /// The plans for objects of a type to which the fragment applies.
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
      variant.makePlan(definition.selectionSet, of: type, in: schema)
    }
  }
}
