import GraphJSON

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
