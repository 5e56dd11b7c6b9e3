import Foundation
import GraphJSON

extension GraphQL.AbstractResponse {
  /// The value under a response name, without checks by the compiler; nil for null and for a field
  /// that the response does not have.
  ///
  /// A string, an `Int`, `Double` or `Bool`, a ``GraphQL/ID``, the text of an enum, the Swift
  /// type of a custom scalar, an ``GraphQL/AbstractResponse`` of the generated class, or an array
  /// of such values with `NSNull` for null. Without a schema, the type follows from the JSON.
  public final func field(_ responseName: String) -> Any? {
    guard let index = document.json.member(responseName, of: index),
      !document.json.isNull(at: index)
    else { return nil }
    return GraphQL.RawValue(schema: document.schema)
      .value(reader(index), typeInfo?.field(named: responseName))
  }

  /// Creates an object from fields: for previews, tests and values from other sources.
  ///
  /// - Parameter fields: response names and values: results of ``field(_:)`` and
  ///   `JSONSerialization`, and all values that can be sent as arguments; at most 128 levels deep.
  /// - Throws: ``GraphQL/SchemaViolation`` for a field that the type does not have, for a value of
  ///   another type, and for a value that is not JSON.
  public convenience init(fields: [String: Any]) throws(GraphQL.SchemaViolation) {
    var writer = GraphQL.FieldsWriter(
      typeName: Self.schema?.type(of: Self.self)?.name ?? "\(Self.self)")
    self.init(
      _handle: try GraphQL.ResponseHandle(checking: try writer.bytes(fields), as: Self.self))
  }
}

extension GraphQL {
  /// Reads values for the raw accessor, using the table if there is one.
  struct RawValue {
    let schema: SchemaTable?

    func value(_ reader: ValueReader, _ field: FieldInfo?) -> Any {
      guard let field else { return untyped(reader) }
      return value(reader, field, field.type.wrapping)
    }

    private func value(_ reader: ValueReader, _ field: FieldInfo, _ wrapping: Wrapping) -> Any {
      if reader.isNull { return NSNull() }
      let nullable = wrapping.outermost == .nonNull ? wrapping.inner : wrapping
      if nullable.outermost == .list, reader.json.kind(at: reader.index) == .array {
        return elements(reader) { value($0, field, nullable.inner) }
      }
      switch field.named {
      case .composite(let position) where reader.json.kind(at: reader.index) == .object:
        return AbstractNesting.object(reader, type: schema?.type(at: position))
      case .int: return Int._read(reader) ?? untyped(reader)
      case .float: return Double._read(reader) ?? untyped(reader)
      case .id: return ID._read(reader) ?? untyped(reader)
      case .scalar(let type?): return scalar(type, reader)
      case .scalar(nil): return reader.json.json(at: reader.index)
      case .string, .boolean, .enumeration, .input, .composite: return untyped(reader)
      }
    }

    private func scalar<Value: Scalar>(_ type: Value.Type, _ reader: ValueReader) -> Any {
      Value._read(reader) ?? untyped(reader)
    }

    private func number(_ reader: ValueReader) -> Any {
      if let integer = Int._read(reader) { return integer }
      if let double = Double._read(reader) { return double }
      return reader.json.numberText(at: reader.index)
    }

    private func elements(_ reader: ValueReader, _ value: (ValueReader) -> Any) -> [Any] {
      var elements: [Any] = []
      var position = reader.json.firstChild(of: reader.index)
      let end = reader.json.end(of: reader.index)
      while position < end {
        elements.append(value(reader.at(position)))
        position = reader.json.next(after: position)
      }
      return elements
    }

    private func untyped(_ reader: ValueReader) -> Any {
      switch reader.json.kind(at: reader.index) {
      case .string: reader.json.string(at: reader.index)
      case .bool: reader.json.bool(at: reader.index)
      case .number: number(reader)
      case .object: AbstractNesting.object(reader, type: nil)
      case .array: elements(reader, untyped)
      case .null: NSNull()
      }
    }
  }
}
