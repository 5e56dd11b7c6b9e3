import GraphJSON

extension GraphQL {
  /// The fields of a ``CheckPlan`` for parsing an object that has all of them in order.
  // Safe: as `CheckPlan`, which owns it. Its layout references its choices.
  final class UsualLayout: @unchecked Sendable {
    /// nil if an object may lack a field.
    let layout: OwnedLayout?
    private let collected: CollectedFields
    private let scalars: ScalarNumbers
    /// The layouts of the objects below each field.
    private let choices: [LayoutChoice?]

    init(_ collected: CollectedFields, _ scalars: ScalarNumbers) {
      self.collected = collected
      self.scalars = scalars
      let fields = collected.fields
      guard fields.allSatisfy(\.isRequired) else {
        (layout, choices) = (nil, [])
        return
      }
      let choices = fields.map { $0.type == nil ? nil : LayoutChoice() }
      self.choices = choices
      layout = unsafe OwnedLayout(
        RecordLayout(
          steps: fields.enumerated().map { position, field in
            unsafe RecordStep(
              field, isFirst: position == 0, of: collected.type, scalars, targets: [],
              below: choices[position]?.pointer)
          }, parts: [], links: [], size: 0))
    }

    /// Adds the plan of objects below the field at `position`.
    func add(_ plan: CheckPlan, at position: Int) {
      guard layout != nil, let choice = choices[position],
        let below = plan.usualLayout(scalars)
      else { return }
      choice.add(below, of: plan.collected.type, declared: collected.fields[position].type)
    }
  }
}
