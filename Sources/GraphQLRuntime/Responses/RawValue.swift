import Foundation
import GraphJSON

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
