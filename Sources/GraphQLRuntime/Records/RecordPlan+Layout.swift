import GraphJSON

// Safe: the plan owns the memory; those of the places below live as long, since its steps reference them.
extension GraphQL.RecordPlan {
  /// The plan in plain memory; nil if not every part of it has a form there.
  static func layout(
    _ steps: [Step], _ parts: [Part], _ links: [Link], _ size: Int,
    _ scalars: GraphQL.ScalarNumbers
  ) -> UnsafePointer<RecordLayout>? {
    guard links.allSatisfy(\.required.isEmpty), steps.allSatisfy(isUsual) else { return nil }
    let layout = UnsafeMutablePointer<RecordLayout>.allocate(capacity: 1)
    unsafe layout.initialize(
      to: RecordLayout(
        steps: memory(steps.map { unsafe step($0, scalars) }),
        parts: memory(parts.map { RecordLayout.Part(offset: $0.offset, slotCount: $0.slotCount) }),
        links: memory(links.map { RecordLayout.Link(slot: $0.slot, part: $0.part) }), size: size))
    return unsafe UnsafePointer(layout)
  }

  private static func isUsual(_ step: Step) -> Bool {
    step.field.isRequired && !step.targets.isEmpty
  }

  private static func step(
    _ step: Step, _ scalars: GraphQL.ScalarNumbers
  ) -> RecordLayout.Step {
    let wrapping = step.field.info?.type.wrapping ?? .nonNull
    var scalar = 0
    var leaf = RecordLayout.Leaf.string
    switch step.field.info?.named {
    case nil, .string?, .enumeration?: break
    case .int?: leaf = .int
    case .float?: leaf = .float
    case .boolean?: leaf = .boolean
    case .id?: leaf = .id
    case .scalar(nil)?: leaf = .anything
    case .scalar(let type?)?:
      leaf = .scalar
      scalar = scalars.number(of: type)
    case .composite?, .input?: leaf = .object
    }
    return unsafe RecordLayout.Step(
      key: step.field.key, leaf: leaf, isList: !wrapping.isSingle,
      isNested: !wrapping.element.isSingle,
      isNonNull: wrapping.outermost == .nonNull,
      isElementNonNull: wrapping.element.outermost == .nonNull, scalar: scalar,
      targets: memory(step.targets.map { RecordLayout.Target(slot: $0.slot, offset: $0.offset) }),
      below: step.below?.choice)
  }

  private static func memory<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = unsafe memory.initialize(from: elements)
    return UnsafeBufferPointer(memory)
  }
}

extension GraphQL.Wrapping {
  /// The wrapping of a list's elements; of a single value, none.
  fileprivate var element: GraphQL.Wrapping {
    let list = outermost == .nonNull ? inner : self
    return list.outermost == .list ? list.inner : list
  }
}
