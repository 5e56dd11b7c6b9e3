import Foundation
import GraphJSON

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
