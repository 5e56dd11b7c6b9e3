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

extension GraphQL {
  /// Lays out the records of a response that was checked.
  struct RecordFiller {
    private let json: JSONDocument
    private let schema: SchemaTable
    private var words: RecordWords

    /// - Parameters:
    ///   - json: the response's text.
    ///   - object: the object that is laid out.
    private init(_ json: JSONDocument, _ object: Int, schema: SchemaTable) {
      self.json = json
      self.schema = schema
      words = RecordWords(capacity: json.source(at: object).count / 12)
    }

    /// The records of the object at `object`, the first of which has the index zero.
    static func fill(
      _ json: JSONDocument, _ object: Int, _ place: RecordPlace, _ fields: CollectedFields,
      in schema: SchemaTable
    ) -> JSONDocument {
      var filler = RecordFiller(json, object, schema: schema)
      _ = filler.record(object, place, fields, nil)
      return filler.words.finish(json)
    }

    /// Adds the record of the object at `object`, and returns its index. The recursion is as deep as the
    /// selection.
    private mutating func record(
      _ object: Int, _ place: RecordPlace, _ fields: CollectedFields, _ declared: TypeInfo?
    ) -> Int {
      let plan = place.plan(fields, declared: declared, in: schema)
      let record = words.reserve(plan.size)
      for part in plan.parts {
        words.setHeader(record + part.offset, slotCount: part.slotCount, of: object, in: json)
      }
      let end = json.end(of: object)
      var key = json.firstChild(of: object)
      var next = 0
      while key < end {
        let value = key + 1
        if let position = position(of: key, next, fields) {
          set(value, record, plan.steps[position])
          next = position + 1
        }
        key = json.next(after: value)
      }
      for link in plan.links {
        if let deferred = link.deferred, !hasArrived(deferred, at: object) {
          words.setMissing(record + link.slot)
        } else {
          words.link(record + link.slot, toRecord: record + link.part)
        }
      }
      return record
    }

    /// Whether the object at `object` has all that a deferred fragment selects. Some of it may be there because it
    /// is selected elsewhere.
    private func hasArrived(_ fields: CollectedFields, at object: Int) -> Bool {
      fields.fields.allSatisfy { field in
        guard field.isRequired else { return true }
        guard let value = json.member(field.key, of: object) else { return false }
        return field.type.map { hasArrived(field, $0, in: value) } ?? true
      }
    }

    private func hasArrived(_ field: CollectedField, _ type: TypeInfo, in value: Int) -> Bool {
      switch json.kind(at: value) {
      case .object:
        let concrete = schema.concreteType(of: type, at: value, in: json) ?? type
        return hasArrived(field.fields(of: concrete, in: schema), at: value)
      case .array:
        var element = json.firstChild(of: value)
        for _ in 0..<json.count(at: value) {
          guard hasArrived(field, type, in: element) else { return false }
          element = json.next(after: element)
        }
        return true
      case .null, .bool, .number, .string: return true
      }
    }

    /// - Parameter expected: the position after that of the last key.
    private func position(of key: Int, _ expected: Int, _ fields: CollectedFields) -> Int? {
      if expected < fields.fields.count, fields.fields[expected].matches(key, in: json) {
        return expected
      }
      return fields.position(of: key, in: json)
    }

    private mutating func set(_ value: Int, _ record: Int, _ step: RecordPlan.Step) {
      guard let first = step.targets.first else { return }
      guard let below = step.below else {
        words.copy(value, of: json, to: record + first.slot)
        for target in step.targets.dropFirst() {
          words.copySlot(record + first.slot, to: record + target.slot)
        }
        return
      }
      set(value, step.targets.map { record + $0.slot }, step, below)
    }

    /// Sets a slot for each of the step's targets to the objects at `value`.
    private mutating func set(
      _ value: Int, _ slots: [Int], _ step: RecordPlan.Step, _ below: RecordPlace
    ) {
      switch json.kind(at: value) {
      case .object:
        guard let type = step.field.type else { return }
        let concrete = schema.concreteType(of: type, at: value, in: json) ?? type
        let record = record(
          value, below, step.field.fields(of: concrete, in: schema), type)
        for (slot, target) in zip(slots, step.targets) {
          words.link(slot, toRecord: record + target.offset)
        }
      case .array:
        let blocks = slots.map { words.addBlock($0, for: value, in: json) }
        var element = json.firstChild(of: value)
        for position in 0..<json.count(at: value) {
          set(element, blocks.map { $0 + position }, step, below)
          element = json.next(after: element)
        }
      case .null, .bool, .number, .string:
        for slot in slots { words.copy(value, of: json, to: slot) }
      }
    }
  }
}

extension GraphQL {
  /// The records of a response to a typed operation, or of an object that is read as a fragment.
  struct RecordsSource: ResponseSource {
    /// The records.
    let json: JSONDocument
    private let original: RecordedText

    init(_ records: JSONDocument, of text: RecordedText) {
      json = records
      original = text
    }

    var recorded: RecordedText? { original }

    func path(to index: Int) -> [ResponsePathElement] { [] }
  }
}

extension GraphQL.ResponseHandle {
  /// The first record of the object, which was checked.
  init(
    recordsOf text: GraphQL.ResponseHandle, _ place: GraphQL.RecordPlace,
    _ fields: GraphQL.CollectedFields, _ context: GraphQL.ResponseContext
  ) {
    guard let schema = text.document.schema else {
      preconditionFailure("a typed operation has a schema")
    }
    let records = GraphQL.RecordFiller.fill(
      text.document.json, text.index, place, fields, in: schema)
    let recorded = GraphQL.RecordedText(text, context)
    self.init(
      document: GraphQL.ResponseDocument(
        GraphQL.RecordsSource(records, of: recorded), schema: schema),
      index: JSONDocument.rootIndex)
  }
}
