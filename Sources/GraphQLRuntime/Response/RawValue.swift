import Foundation
import GraphJSON

extension GraphQL {
  /// Reads values for the raw accessor, by the table where there is one.
  struct RawValue {
    let schema: SchemaTable?

    func value(_ reader: ValueReader, _ field: FieldInfo?) -> Any {
      switch reader.json.kind(at: reader.index) {
      case .null: return NSNull()
      case .array: return elements(reader, field)
      default: break
      }
      guard let field else { return untyped(reader) }
      switch field.named {
      case .composite(let position):
        return AbstractNesting.object(reader, type: schema?.type(at: position))
      case .int: return Int32._read(reader) ?? untyped(reader)
      case .float: return Double._read(reader) ?? untyped(reader)
      case .id: return ID._read(reader) ?? untyped(reader)
      case .scalar(let type?): return scalar(type, reader)
      case .scalar(nil): return reader.json.json(at: reader.index)
      case .string, .boolean, .enumeration, .input: return untyped(reader)
      }
    }

    private func scalar<Value: Scalar>(_ type: Value.Type, _ reader: ValueReader) -> Any {
      Value._read(reader) ?? untyped(reader)
    }

    private func number(_ reader: ValueReader) -> Any {
      if let integer = Int32._read(reader) { return integer }
      if let double = Double._read(reader) { return double }
      return reader.json.numberText(at: reader.index)
    }

    private func elements(_ reader: ValueReader, _ field: FieldInfo?) -> Any {
      // A custom scalar's value may be a list itself.
      if case .scalar(nil)? = field?.named { return reader.json.json(at: reader.index) }
      var elements: [Any] = []
      var position = reader.json.firstChild(of: reader.index)
      let end = reader.json.end(of: reader.index)
      while position < end {
        elements.append(value(reader.at(position), field))
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
      case .array: elements(reader, nil)
      case .null: NSNull()
      }
    }
  }
}
