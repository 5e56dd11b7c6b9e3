import Foundation
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

extension GraphQL {
  /// Checks an object that was created from fields, without an operation. Every key has to name a
  /// field of the type, directly or with an alias, and every value has to have its type.
  ///
  /// Objects are queued in a list, so that depth needs no stack.
  package struct FieldsChecker {
    private let json: JSONDocument
    private let schema: SchemaTable

    /// Objects that were found and are not checked yet.
    private var waiting: [(object: Int, type: TypeInfo)] = []

    package init(_ json: JSONDocument, schema: SchemaTable) {
      self.json = json
      self.schema = schema
    }

    package mutating func check(_ object: Int, type: TypeInfo) throws(SchemaViolation) {
      waiting.append((object, type))
      while let next = waiting.popLast() { try checkMembers(of: next.object, type: next.type) }
    }

    private mutating func checkMembers(
      of object: Int, type: TypeInfo
    ) throws(SchemaViolation) {
      var key = json.firstChild(of: object)
      let end = json.end(of: object)
      while key < end {
        let value = json.next(after: key)
        let name = json.string(at: key)
        if name != "__typename", !name.hasPrefix("__typename__") {
          guard let field = type.field(named: name) else {
            throw violation(value, type, name, "the schema has no such field")
          }
          try check(value, field, field.type.wrapping, in: type)
        } else if json.kind(at: value) != .string {
          throw violation(value, type, name, "expected a type's name")
        }
        key = json.next(after: value)
      }
    }

    private mutating func check(
      _ value: Int, _ field: FieldInfo, _ wrapping: Wrapping, in type: TypeInfo
    ) throws(SchemaViolation) {
      var wrapping = wrapping
      let isNonNull = wrapping.outermost == .nonNull
      if isNonNull { wrapping = wrapping.inner }
      let kind = json.kind(at: value)
      if kind == .null {
        guard isNonNull else { return }
        throw violation(value, type, field.name, "null where the schema has \(field.type.text)")
      }
      if wrapping.outermost == .list {
        guard kind == .array else {
          throw violation(value, type, field.name, "expected a list, found \(kind.noun)")
        }
        var element = json.firstChild(of: value)
        let end = json.end(of: value)
        while element < end {
          try check(element, field, wrapping.inner, in: type)
          element = json.next(after: element)
        }
      } else if case .composite(let position) = field.named {
        try checkObject(value, field, of: schema.type(at: position), in: type)
      } else if let problem = LeafCheck(json).problem(value, field.named) {
        throw violation(value, type, field.name, problem)
      }
    }

    private mutating func checkObject(
      _ value: Int, _ field: FieldInfo, of type: TypeInfo, in parent: TypeInfo
    ) throws(SchemaViolation) {
      guard json.kind(at: value) == .object else {
        throw violation(
          value, parent, field.name, "expected an object, found \(json.kind(at: value).noun)")
      }
      if type.isAbstract, json.member("__typename", of: value) == nil {
        throw violation(
          value, parent, field.name, "`__typename` is needed: \(type.name) is abstract")
      }
      waiting.append((value, schema.concreteType(of: type, at: value, in: json) ?? type))
    }

    private func violation(
      _ index: Int, _ type: TypeInfo, _ field: String, _ message: String
    ) -> SchemaViolation {
      SchemaViolation(
        typeName: type.name, fieldName: field,
        path: json.path(to: index, from: JSONDocument.rootIndex), message: message)
    }
  }
}

extension GraphQL.TypeInfo {
  /// The field for a response name: the field of that name, or of the part before the last `__`,
  /// since an alias contains no `__` and does not begin with `_`.
  func field(named responseName: String) -> GraphQL.FieldInfo? {
    if let field = field(responseName) { return field }
    let name = responseName.utf8
    var after = name.endIndex
    var wasUnderscore = false
    while after > name.startIndex {
      let index = name.index(before: after)
      let isUnderscore = name[index] == UInt8(ascii: "_")
      if isUnderscore, wasUnderscore { return field(String(responseName[..<index])) }
      wasUnderscore = isUnderscore
      after = index
    }
    return nil
  }
}

extension GraphQL {
  /// Serialises the dictionary from which an object is created; there is no second representation.
  struct FieldsWriter {
    /// The limit of the recursion.
    private static let maximumDepth = 128

    let typeName: String
    private var path: [ResponsePathElement] = []
    private var writer = JSONWriter()

    init(typeName: String) {
      self.typeName = typeName
    }

    mutating func bytes(_ fields: [String: Any]) throws(SchemaViolation) -> [UInt8] {
      try write(fields)
      return writer.finish()
    }

    mutating func bytes(of value: Any) throws(SchemaViolation) -> [UInt8] {
      try write(value)
      return writer.finish()
    }

    func violation(_ message: String) -> SchemaViolation {
      SchemaViolation(typeName: typeName, fieldName: "", path: path, message: message)
    }

    private mutating func write(_ fields: [String: Any]) throws(SchemaViolation) {
      guard path.count < Self.maximumDepth else {
        throw violation("more than \(Self.maximumDepth) levels")
      }
      writer.beginObject()
      // Sorted, so that equal dictionaries give equal bytes.
      for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
        path.append(.key(key))
        writer.key(key)
        try write(value)
        path.removeLast()
      }
      writer.endObject()
    }

    private mutating func write(_ elements: [Any]) throws(SchemaViolation) {
      guard path.count < Self.maximumDepth else {
        throw violation("more than \(Self.maximumDepth) levels")
      }
      writer.beginArray()
      for (position, element) in elements.enumerated() {
        path.append(.index(position))
        try write(element)
        path.removeLast()
      }
      writer.endArray()
    }

    private mutating func write(_ value: Any) throws(SchemaViolation) {
      switch value {
      case is NSNull: writer.null()
      case let value as any OptionalValue where value.isAbsent: writer.null()
      case let value as AbstractResponse: write(value)
      // Only a real NSNumber: with Foundation's bridging, 1 is also a Bool and true a number.
      case let number as NSNumber where type(of: value) is NSNumber.Type: try write(number: number)
      case let value as any BinaryInteger: writer.int(value)
      case let value as Float: try write(input: Double("\(value)") ?? .nan)
      case let value as String: writer.string(value)
      case let value as any InputValue: try write(input: value)
      case let value as [String: Any]: try write(value)
      case let value as [Any]: try write(value)
      default: throw violation("a \(type(of: value)) has no JSON form")
      }
    }

    private mutating func write(input value: any InputValue) throws(SchemaViolation) {
      var values = ValueWriter(.json)
      value._write(to: &values)
      if let problem = values.problems.first { throw violation(problem) }
      writer.fragment(values.bytes)
    }

    /// An object with the name of its type, which a field of an abstract type requires.
    private mutating func write(_ object: AbstractResponse) {
      let json = object.document.json
      guard json.member("__typename", of: object.index) == nil, object.typeInfo?.kind == .object
      else { return writer.fragment(of: json, at: object.index) }
      writer.beginObject()
      writer.key("__typename")
      writer.string(object.__typename)
      var key = json.firstChild(of: object.index)
      let end = json.end(of: object.index)
      while key < end {
        let value = json.next(after: key)
        writer.key(json.string(at: key))
        writer.fragment(of: json, at: value)
        key = json.next(after: value)
      }
      writer.endObject()
    }

    // Safe: a number’s type is a text of at least one letter.
    private mutating func write(number: NSNumber) throws(SchemaViolation) {
      // A boolean has its own class; by its type code it is also a small integer.
      if type(of: number) == type(of: NSNumber(value: true)) {
        return writer.bool(number.boolValue)
      }
      if let decimal = number as? NSDecimalNumber {
        guard let exact = JSON.Number(text: decimal.decimalValue.description) else {
          throw violation("\(decimal) has no JSON form")
        }
        return writer.number(exact)
      }
      switch unsafe UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "d"), UInt8(ascii: "f"): try write(input: number.doubleValue)
      case UInt8(ascii: "Q"): writer.int(number.uint64Value)
      default: writer.int(number.int64Value)
      }
    }
  }
}

extension GraphQL {
  /// Checks a value that is not null and not a list against a scalar or enum
  /// (specification: 3.5 Scalars, Result Coercion).
  package struct LeafCheck {
    private let json: JSONDocument

    package init(_ json: JSONDocument) { self.json = json }

    /// The problem with the value, or nil if there is none.
    func problem(_ value: Int, _ named: NamedType) -> String? {
      let kind = json.kind(at: value)
      switch named {
      case .string, .enumeration:
        return kind == .string ? nil : "expected a string, found \(kind.noun)"
      case .int:
        guard kind == .number else { return "expected an integer, found \(kind.noun)" }
        return json.int32(at: value) == nil ? "expected a 32-bit integer" : nil
      case .float:
        guard kind == .number else { return "expected a number, found \(kind.noun)" }
        return json.double(at: value) == nil ? "the number is too large for a Double" : nil
      case .boolean:
        return kind == .bool ? nil : "expected true or false, found \(kind.noun)"
      case .id:
        if kind == .string { return nil }
        guard kind == .number else { return "expected an ID, found \(kind.noun)" }
        return json.int64(at: value) == nil
          ? "expected an ID, found a number that is not a 64-bit integer" : nil
      case .scalar(nil):
        return nil
      case .scalar(let type?):
        return problem(value, type)
      case .composite, .input:
        return "expected an object, found \(kind.noun)"
      }
    }

    /// Whether a value has the form of its field's type, without checking the contents of objects.
    /// For fields that were not selected, which nothing else has checked.
    package func accepts(_ value: Int, _ field: FieldInfo) -> Bool {
      accepts(value, field, field.type.wrapping)
    }

    private func accepts(_ value: Int, _ field: FieldInfo, _ wrapping: Wrapping) -> Bool {
      let nullable = wrapping.outermost == .nonNull ? wrapping.inner : wrapping
      if json.isNull(at: value) { return wrapping.outermost != .nonNull }
      guard nullable.outermost == .list else {
        if case .composite = field.named { return json.kind(at: value) == .object }
        return problem(value, field.named) == nil
      }
      guard json.kind(at: value) == .array else { return false }
      let end = json.end(of: value)
      var element = json.firstChild(of: value)
      while element < end {
        guard accepts(element, field, nullable.inner) else { return false }
        element = json.next(after: element)
      }
      return true
    }

    private func problem(_ value: Int, _ type: any Scalar.Type) -> String? {
      do {
        _ = try type.init(scalar: json.json(at: value))
        return nil
      } catch {
        return "\(error)"
      }
    }
  }
}

extension JSONKind {
  /// For messages: `expected a string, found an object`.
  var noun: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
