import GraphJSON

// Safe: the plan owns the memory; those of the places below live as long, since its steps reference them.
extension GraphQL.RecordPlan {
  /// The plan in plain memory; nil if not every part of it has a form there.
  static func layout(
    _ steps: [Step], _ parts: [Part], _ links: [Link], _ size: Int, of type: GraphQL.TypeInfo,
    _ scalars: GraphQL.ScalarNumbers
  ) -> UnsafePointer<RecordLayout>? {
    guard links.allSatisfy({ $0.deferred == nil }), steps.allSatisfy(isUsual) else { return nil }
    let layout = UnsafeMutablePointer<RecordLayout>.allocate(capacity: 1)
    unsafe layout.initialize(
      to: RecordLayout(
        steps: steps.enumerated().map { unsafe step($1, isFirst: $0 == 0, of: type, scalars) },
        parts: parts.map { RecordLayout.Part(offset: $0.offset, slotCount: $0.slotCount) },
        links: links.map { RecordLayout.Target(slot: $0.slot, part: $0.part) }, size: size))
    return unsafe UnsafePointer(layout)
  }

  private static func isUsual(_ step: Step) -> Bool {
    step.field.isRequired && !step.targets.isEmpty
  }

  private static func step(
    _ step: Step, isFirst: Bool, of type: GraphQL.TypeInfo, _ scalars: GraphQL.ScalarNumbers
  ) -> RecordStep {
    let wrapping = step.field.info?.type.wrapping ?? .nonNull
    var scalar: (any GraphQL.Scalar.Type)?
    var leaf = RecordStep.Leaf.string
    switch step.field.info?.named {
    case nil: if type.kind == .object { leaf = .text }
    case .string?, .enumeration?: break
    case .int?: leaf = .int
    case .float?: leaf = .float
    case .boolean?: leaf = .boolean
    case .id?: leaf = .id
    case .scalar(nil)?: leaf = .anything
    case .scalar(let type?)?:
      leaf = .scalar
      scalar = type
    case .composite?, .input?: leaf = .object
    }
    return unsafe RecordStep(
      key: step.field.key, isFirst: isFirst, leaf: leaf, isList: !wrapping.isSingle,
      isNested: !wrapping.element.isSingle,
      isNonNull: wrapping.outermost == .nonNull,
      isElementNonNull: wrapping.element.outermost == .nonNull,
      scalar: scalar.map(scalars.number) ?? 0, textCheck: scalar?._plainText?.check,
      text: leaf == .text ? type.nameText : [],
      targets: step.targets.map { RecordLayout.Target(slot: $0.slot, part: $0.offset) },
      below: step.below?.choice)
  }
}

extension GraphQL.Wrapping {
  /// The wrapping of a list's elements; of a single value, none.
  fileprivate var element: GraphQL.Wrapping {
    let list = outermost == .nonNull ? inner : self
    return list.outermost == .list ? list.inner : list
  }
}
