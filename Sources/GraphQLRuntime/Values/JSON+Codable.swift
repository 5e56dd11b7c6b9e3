import Foundation
import GraphJSON

/// Coded as the JSON value itself. A number is coded as an integer if it is one of 64 bits, and as a `Double` if that
/// has the same decimal value. Others are coded as a `Decimal`, which keeps 38 digits and which property lists do not
/// have, or as the nearest `Double` if they are too large or too small for that.
extension JSON: Codable {
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let object):
      // As a dictionary, so that a strategy of the encoder does not rename the fields.
      let members = Dictionary(
        object.map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
      guard members.count == object.members.count else {
        throw EncodingError.invalidValue(
          self,
          EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription: "two names of members differ only in their Unicode normal form"))
      }
      var container = encoder.singleValueContainer()
      try container.encode(members)
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .number(let number): try number.encode(to: &container)
      case .string(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }

  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.singleValueContainer().decode([String: JSON].self) {
      self = .object(JSON.Object(members.map { JSON.Object.Member(key: $0, value: $1) }))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
      self = .array(elements)
    } else {
      self = try JSON(scalarIn: decoder.singleValueContainer())
    }
  }

  private init(scalarIn container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else {
      self = .number(try JSON.Number(in: container))
    }
  }
}

extension JSON.Number {
  fileprivate func encode(to container: inout any SingleValueEncodingContainer) throws {
    if let value = int64 {
      try container.encode(value)
    } else if let value = UInt64(text) {
      try container.encode(value)
    } else if let decimal = Decimal(string: text, locale: nil), !decimal.isNaN,
      JSON.Number(text: decimal.description)?.double == double
    {
      if let double, Decimal(string: double.description, locale: nil) == decimal {
        try container.encode(double)
      } else {
        try container.encode(decimal)
      }
    } else if let value = double {
      try container.encode(value)
    } else {
      throw EncodingError.invalidValue(
        text,
        EncodingError.Context(
          codingPath: container.codingPath, debugDescription: "the number is too large"))
    }
  }

  fileprivate init(in container: any SingleValueDecodingContainer) throws {
    if let value = try? container.decode(Int64.self) {
      self.init(value)
    } else if let value = try? container.decode(UInt64.self) {
      self.init(value)
    } else if let value = try? container.decode(Decimal.self),
      let number = JSON.Number(text: value.description)
    {
      self = number
    } else if let number = JSON.Number(try container.decode(Double.self)) {
      self = number
    } else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the value is not JSON")
    }
  }
}

extension DecodingError {
  /// JSON that was decoded does not have the expected form.
  static func dataCorrupted(_ error: some Error, in decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: decoder.codingPath, debugDescription: "\(error)", underlyingError: error))
  }
}

extension JSON: GraphQL.InputValue {
  public func _write(to writer: inout GraphQL.ValueWriter) {
    switch (writer.form, self) {
    case (_, .null): writer.null()
    case (.json, _): writer.json(self)
    case (.literal, _): writeLiteral(to: &writer)
    }
  }

  private func writeLiteral(to writer: inout GraphQL.ValueWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let number): writer.number(number.text)
    case .string(let value): writer.string(value)
    case .array where writer.isTooDeep, .object where writer.isTooDeep: writer.keepAsVariable()
    case .array(let elements):
      writer.list(elements) { $0.writeLiteral(to: &$1) }
    case .object(let object):
      writer.object { writer in
        for member in object { writer.member(member.key) { member.value.writeLiteral(to: &$0) } }
      }
    }
  }
}
