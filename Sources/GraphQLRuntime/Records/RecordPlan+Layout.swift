import GraphJSON

// Safe: the plan owns the layout, whose steps reference the places below, which the plan owns as well.
extension GraphQL.RecordPlan {
  /// The plan in plain memory; nil if not every part of it has a form there.
  static func layout(
    _ steps: [Step], _ parts: [Part], _ links: [Link], _ size: Int, of type: GraphQL.TypeInfo,
    _ scalars: GraphQL.ScalarNumbers
  ) -> GraphQL.OwnedLayout? {
    guard links.allSatisfy({ $0.deferred == nil }), steps.allSatisfy(isUsual) else { return nil }
    return unsafe GraphQL.OwnedLayout(
      RecordLayout(
        steps: steps.enumerated().map { position, step in
          unsafe RecordStep(
            step.field, isFirst: position == 0, of: type, scalars,
            targets: step.targets.map { RecordLayout.Target(slot: $0.slot, part: $0.offset) },
            below: step.below?.choice.pointer)
        },
        parts: parts.map { RecordLayout.Part(offset: $0.offset, slotCount: $0.slotCount) },
        links: links.map { RecordLayout.Target(slot: $0.slot, part: $0.part) }, size: size))
  }

  private static func isUsual(_ step: Step) -> Bool {
    step.field.isRequired && !step.targets.isEmpty
  }
}
