import Foundation
import GraphJSON

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
