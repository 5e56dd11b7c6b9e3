import GraphJSON

extension GraphQL {
  /// A place of an operation at which objects are read: the views that read them there, and what is
  /// selected for all of them together.
  ///
  /// One thread at a time uses it: plans are created when an object of their type first arrives.
  // Safe: see `SharedResponsePlan`, which gives it to one thread at a time.
  final class RecordPlace: @unchecked Sendable {
    let views: [RecordView]
    /// Where the part of each view begins in a record.
    let offsets: [Int]
    let scalars: ScalarNumbers
    /// The layouts of the plans that were created.
    let choice = LayoutChoice()
    private var plans: [ObjectIdentifier: RecordPlan] = [:]

    init(_ views: [RecordView], _ scalars: ScalarNumbers) {
      self.views = views
      self.scalars = scalars
      var offsets: [Int] = []
      var size = 0
      for view in views {
        offsets.append(size)
        size += view.size
      }
      self.offsets = offsets
    }

    func offset(of view: RecordView) -> Int {
      views.firstIndex { $0 === view }.map { offsets[$0] } ?? 0
    }

    /// - Parameters:
    ///   - fields: what is selected for objects of one type.
    ///   - declared: the type of the field that leads to the place; nil for the root.
    func plan(
      _ fields: CollectedFields, declared: TypeInfo? = nil, in schema: SchemaTable
    ) -> RecordPlan {
      let identifier = ObjectIdentifier(fields.type)
      if let known = plans[identifier] { return known }
      let plan = RecordPlan(self, fields, in: schema)
      plans[identifier] = plan
      if let layout = plan.layout { choice.add(layout, of: fields.type, declared: declared) }
      return plan
    }
  }

  /// The record of an object of one type: the parts of the views that apply to it, one after another.
  // Safe: see `RecordPlace`, whose user is one thread at a time.
  final class RecordPlan: @unchecked Sendable {
    /// The part of a record that one view reads.
    struct Part {
      let offset: Int
      let slotCount: Int
    }

    /// A slot that leads to another part of the same record.
    struct Link {
      let slot: Int
      let part: Int
      /// The fields of the part, if it may arrive later.
      let deferred: CollectedFields?
    }

    /// A slot of a field.
    struct Target {
      let slot: Int
      /// Where the part of the slot's view begins in the records below.
      let offset: Int
    }

    /// One selected field.
    struct Step {
      let field: CollectedField
      let targets: [Target]
      /// The place of the objects below; nil for a field with a value.
      let below: RecordPlace?
    }

    let fields: CollectedFields
    let size: Int
    let parts: [Part]
    let links: [Link]
    /// In the order of the fields.
    let steps: [Step]
    /// For parsing responses as they usually are; nil if objects of this type are read in general.
    let layout: OwnedLayout?

    fileprivate init(_ place: RecordPlace, _ fields: CollectedFields, in schema: SchemaTable) {
      self.fields = fields
      var draft = Draft(type: fields.type, schema: schema)
      draft.add(place.views)
      size = draft.size
      parts = draft.views.map { Part(offset: $0.offset, slotCount: $0.view.entries.count) }
      links = draft.links
      steps = fields.fields.map { field in
        let targets = draft.targets[String(decoding: field.key, as: UTF8.self)] ?? []
        let views = targets.compactMap(\.view)
        guard !views.isEmpty else {
          return Step(
            field: field, targets: targets.map { Target(slot: $0.slot, offset: 0) }, below: nil)
        }
        var distinct: [RecordView] = []
        for view in views where !distinct.contains(where: { $0 === view }) { distinct.append(view) }
        let below = RecordPlace(distinct, place.scalars)
        return Step(
          field: field,
          targets: targets.map { target in
            Target(slot: target.slot, offset: target.view.map(below.offset) ?? 0)
          },
          below: below)
      }
      layout = Self.layout(steps, parts, links, size, of: fields.type, place.scalars)
    }

    private struct Draft {
      let type: TypeInfo
      let schema: SchemaTable
      var size = 0
      var views: [(view: RecordView, offset: Int)] = []
      var links: [Link] = []
      var targets: [String: [(slot: Int, view: RecordView?)]] = [:]

      /// Adds the parts of views, one after another, and then those to which they lead.
      mutating func add(_ first: [RecordView]) {
        for view in first { add(view) }
        var next = 0
        while next < views.count {
          let (view, offset) = views[next]
          addLinks(of: view, at: offset)
          next += 1
        }
      }

      private mutating func add(_ view: RecordView) {
        views.append((view, size))
        for (position, entry) in view.entries.enumerated() {
          // A field that a directive leaves out here may arrive for another view.
          guard case .field(let key) = entry.kind, !entry.isExcluded else { continue }
          targets[key, default: []].append((size + 1 + position, entry.view))
        }
        size += view.size
      }

      private mutating func addLinks(of view: RecordView, at offset: Int) {
        for (position, entry) in view.entries.enumerated() {
          guard let below = entry.view, !entry.isExcluded, applies(entry) else { continue }
          if !views.contains(where: { $0.view === below }) { add(below) }
          guard let part = views.first(where: { $0.view === below })?.offset else { continue }
          links.append(
            Link(
              slot: offset + 1 + position, part: part,
              deferred: entry.deferred.map { CollectedFields([$0], of: type, in: schema) }))
        }
      }

      private func applies(_ entry: RecordView.Entry) -> Bool {
        switch entry.kind {
        case .field: false
        case .typeCase(let name), .deferred(let name): schema.applies(name, to: type)
        case .fragment(let fragment): schema.applies(fragment.type?.name ?? type.name, to: type)
        }
      }
    }
  }
}

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

extension GraphQL {
  /// How the responses to a document are checked and read. A plan grows while a response is checked.
  struct ResponsePlan: Sendable {
    let check: CheckPlan
    /// Where the root of a typed operation is read; nil if the response is read by generated classes.
    let records: RecordPlace?
    let parsing: ParsingState
  }

  /// The state that parsing the responses of a plan in one pass needs.
  // Safe: see `SharedResponsePlan`, which gives a plan to one thread at a time.
  final class ParsingState: @unchecked Sendable {
    let scalars = ScalarNumbers()
    /// The expected size of the result.
    var wordsPerByte = 0.125
  }

  /// The plans of all operations of one document, each used by one response at a time. There are as many as
  /// responses were read concurrently, up to a limit.
  final class SharedResponsePlan: Sendable {
    private static let maximumCount = 8

    private let plans = Locked<[ResponsePlan]>([])
    private let attempts = Locked(ParsingAttempts())

    /// nil if there is none yet, or others use them.
    func take() -> ResponsePlan? { plans.withLock { $0.popLast() } }

    func put(_ plan: ResponsePlan) {
      plans.withLock { if $0.count < Self.maximumCount { $0.append(plan) } }
    }

    /// See ``ParsingAttempts``.
    func shouldTryUsualParsing() -> Bool { attempts.withLock { $0.shouldTry() } }
    func noteUsualParsing(succeeded: Bool) { attempts.withLock { $0.note(succeeded: succeeded) } }
  }

  /// Decides which responses are first parsed as usual ones. After a failure, only some are: a service that has
  /// sent another form usually sends it again.
  struct ParsingAttempts {
    private static let longestPause = 32

    /// The number of responses until the next attempt. The first response shows which types there are.
    private var remaining = 1
    private var pause = 1

    mutating func shouldTry() -> Bool {
      if remaining == 0 { return true }
      remaining -= 1
      return false
    }

    mutating func note(succeeded: Bool) {
      pause = succeeded ? 1 : min(2 * pause, Self.longestPause)
      remaining = succeeded ? 0 : pause
    }
  }
}
