import GraphJSON

extension GraphQL {
  /// Checks a response against the schema and the operation, before any of it is returned.
  ///
  /// Every selected field must be present and have its type (specification: 6.4.3 Value
  /// Completion); fields that were not selected are skipped. Objects are queued in a list, so that
  /// depth needs no stack.
  ///
  /// One loop over plain memory checks an object whose keys are exactly those of the selection, in
  /// its order, which the specification requires of servers (6.3.3). All others use
  /// ``checkInAnyOrder(_:_:)``. A value that is found to be valid from its tape word or its bytes
  /// is not read; ``LeafCheck`` decides about every other value.
  // Safe: indexes come from the tape; `next` and `position` are below `count`; plans belong to
  // `WaitingObjects`.
  @safe struct ResponseChecker: ~Copyable {
    private let document: ResponseDocument
    private let json: JSONDocument
    private let tape: JSONTape
    private var waiting = WaitingObjects()
    /// Whether every object had exactly the keys of its selection, in order, so that no key
    /// occurred twice.
    private(set) var isInOrder = true

    init(_ document: ResponseDocument) {
      self.document = document
      json = document.json
      unsafe tape = document.tape
    }

    mutating func check(_ object: Int, _ plan: CheckPlan) throws(SchemaViolation) {
      unsafe waiting.push(object, plan.layout)
      while let next = unsafe waiting.pop() { try unsafe check(next.object, next.plan) }
    }

    private mutating func check(
      _ object: Int, _ plan: UnsafePointer<CheckPlan.Layout>
    ) throws(SchemaViolation) {
      let steps = unsafe plan.pointee.steps
      let count = unsafe plan.pointee.count
      let end = unsafe tape.end(of: object)
      let alreadyWaiting = waiting.count
      var next = 0
      var key = object &+ 2
      while key < end, next < count, unsafe tape.matches(steps[next].key, at: key) {
        let value = key &+ 1
        // This handles two thirds of the values of a typical response, in a third of the time.
        if unsafe tape.isKind(at: value, of: steps[next].certain) {
          key = value &+ 1
        } else {
          try unsafe check(value, steps[next].wrapping, next, plan)
          key = unsafe tape.next(after: value)
        }
        next &+= 1
      }
      if key >= end, next == count { return }
      waiting.remove(after: alreadyWaiting)
      isInOrder = false
      try unsafe checkInAnyOrder(object, plan)
    }

    /// The members of an object that lacks fields, has additional ones, or has them in another
    /// order.
    private mutating func checkInAnyOrder(
      _ object: Int, _ plan: UnsafePointer<CheckPlan.Layout>
    ) throws(SchemaViolation) {
      let fields = unsafe plan.pointee.plan.takeUnretainedValue().collected
      var seen = Array(repeating: false, count: fields.fields.count)
      let end = unsafe tape.end(of: object)
      var key = object &+ 2
      while key < end {
        let value = key &+ 1
        if let position = fields.position(of: key, in: json) {
          try unsafe check(value, plan.pointee.steps[position].wrapping, position, plan)
          seen[position] = true
        }
        key = unsafe tape.next(after: value)
      }
      for (position, field) in fields.fields.enumerated()
      where field.isRequired && !seen[position] {
        throw violation(
          object, fields.type, field.name,
          "the response lacks `\(String(decoding: field.key, as: UTF8.self))`")
      }
    }

    /// Checks a value, or an element of it, of the field at `position` of `plan`.
    @inline(__always)
    private mutating func check(
      _ value: Int, _ wrapping: Wrapping, _ position: Int,
      _ plan: UnsafePointer<CheckPlan.Layout>
    ) throws(SchemaViolation) {
      let isNonNull = wrapping.outermost == .nonNull
      let nullable = isNonNull ? wrapping.inner : wrapping
      if unsafe tape.kind(at: value) == .null, !isNonNull { return }
      if nullable.outermost == .list {
        try unsafe checkList(value, nullable.inner, position, plan)
      } else {
        try unsafe checkNamed(value, position, plan)
      }
    }

    private mutating func checkList(
      _ list: Int, _ wrapping: Wrapping, _ position: Int,
      _ plan: UnsafePointer<CheckPlan.Layout>
    ) throws(SchemaViolation) {
      guard unsafe tape.kind(at: list) == .array else {
        try unsafe checkNull(list, position, plan)
        throw unsafe mismatch(list, position, plan, "expected a list, found \(found(list))")
      }
      let end = unsafe tape.end(of: list)
      var element = list &+ 2
      while element < end {
        try unsafe check(element, wrapping, position, plan)
        element = unsafe tape.next(after: element)
      }
    }

    @inline(__always)
    private mutating func checkNamed(
      _ value: Int, _ position: Int, _ plan: UnsafePointer<CheckPlan.Layout>
    ) throws(SchemaViolation) {
      let kind = unsafe tape.kind(at: value)
      let isRight =
        switch unsafe plan.pointee.steps[position].leaf {
        case .string: kind == .string
        case .boolean: kind == .bool
        case .int: unsafe kind == .number && tape.isPlainInteger(at: value, upTo: 9)
        case .id:
          unsafe kind == .string || kind == .number && tape.isPlainInteger(at: value, upTo: 18)
        case .float: unsafe kind == .number && tape.isPlainDecimal(at: value)
        case .anything: kind != .null
        case .scalar(let text): unsafe text.accepts(value, in: tape)
        case .opaqueScalar: false
        case .typeName: unsafe kind == .string && isTypeName(value, plan)
        case .object:
          unsafe kind == .object && wait(value, position, plan)
        }
      if !isRight { try unsafe checkClosely(value, position, plan) }
    }

    /// Whether the string is the name of the object's type (specification: 4.1 Type Name Introspection).
    private func isTypeName(_ value: Int, _ plan: UnsafePointer<CheckPlan.Layout>) -> Bool {
      let type = unsafe plan.pointee.plan.takeUnretainedValue().collected.type
      return json.stringEquals(value, type.nameText)
    }

    @inline(__always)
    private mutating func wait(
      _ object: Int, _ position: Int, _ plan: UnsafePointer<CheckPlan.Layout>
    ) -> Bool {
      let below =
        unsafe plan.pointee.steps[position].below
        ?? plan.pointee.plan.takeUnretainedValue().below(position, object, in: document)
      unsafe waiting.push(object, below)
      return true
    }

    @inline(never)
    private func checkClosely(
      _ value: Int, _ position: Int, _ plan: UnsafePointer<CheckPlan.Layout>
    ) throws(SchemaViolation) {
      let field = unsafe plan.pointee.plan.takeUnretainedValue().collected.fields[position]
      guard let info = field.info else {
        let fields = unsafe plan.pointee.plan.takeUnretainedValue().collected
        let found =
          json.kind(at: value) == .string ? "`\(json.string(at: value))`" : found(value)
        let expected = fields.type.kind == .object ? "`\(fields.type.name)`" : "a type's name"
        throw unsafe mismatch(value, position, plan, "expected \(expected), found \(found)")
      }
      try unsafe checkNull(value, position, plan)
      if let problem = LeafCheck(json).problem(value, info.named) {
        throw unsafe mismatch(value, position, plan, problem)
      }
    }

    /// Throws for a null if the schema does not allow it.
    private func checkNull(
      _ value: Int, _ position: Int, _ plan: UnsafePointer<CheckPlan.Layout>
    ) throws(SchemaViolation) {
      guard unsafe tape.kind(at: value) == .null else { return }
      let field = unsafe plan.pointee.plan.takeUnretainedValue().collected.fields[position]
      throw unsafe mismatch(
        value, position, plan, "null where the schema has \(field.info?.type.text ?? "String!")")
    }

    private func mismatch(
      _ value: Int, _ position: Int, _ plan: UnsafePointer<CheckPlan.Layout>, _ message: String
    ) -> SchemaViolation {
      let fields = unsafe plan.pointee.plan.takeUnretainedValue().collected
      return violation(value, fields.type, fields.fields[position].name, message)
    }

    private func violation(
      _ index: Int, _ type: TypeInfo, _ field: String, _ message: String
    ) -> SchemaViolation {
      SchemaViolation(
        typeName: type.name, fieldName: field, path: document.path(to: index), message: message)
    }

    private func found(_ index: Int) -> String { json.kind(at: index).noun }
  }
}

extension GraphQL {
  /// Objects that were found and are not checked yet, the last one first. Plain memory: an array
  /// checks on each access whether it is shared, which was a tenth of the time of checking.
  ///
  /// The plans are alive: the checker owns the topmost, which owns the nested ones.
  // Safe: it owns `capacity` entries, of which the first `count` are initialised.
  @safe struct WaitingObjects: ~Copyable {
    typealias Entry = (object: Int, plan: UnsafePointer<CheckPlan.Layout>)

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 32
    private(set) var count = 0

    init() { unsafe entries = .allocate(capacity: capacity) }

    deinit { unsafe entries.deallocate() }

    @inline(__always)
    mutating func push(_ object: Int, _ plan: UnsafePointer<CheckPlan.Layout>) {
      if count == capacity { grow() }
      unsafe (entries + count).initialize(to: (object, plan))
      count &+= 1
    }

    @inline(__always)
    mutating func pop() -> Entry? {
      guard count > 0 else { return nil }
      count &-= 1
      return unsafe entries[count]
    }

    /// Removes all objects but the first `count`.
    mutating func remove(after count: Int) { self.count = count }

    @inline(never)
    private mutating func grow() {
      let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
      unsafe larger.update(from: entries, count: count)
      unsafe entries.deallocate()
      unsafe entries = larger
      capacity *= 2
    }
  }
}

extension GraphQL {
  /// A response that does not match the schema's types or the operation.
  public struct SchemaViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type with the affected field.
    public let typeName: String
    /// The field's name in the schema; empty if the whole object is affected.
    public let fieldName: String
    /// The path in `data`.
    public let path: [ResponsePathElement]
    /// The expected and the actual form, without the value itself.
    public let message: String

    public var description: String {
      let place = path.isEmpty ? "data" : path.text
      let coordinate = fieldName.isEmpty ? typeName : "\(typeName).\(fieldName)"
      return "\(place): \(coordinate): \(message)"
    }
  }
}
