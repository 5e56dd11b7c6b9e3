import Foundation
import GraphJSON
import GraphQLExecution
import GraphQLSchema

/// Derives every value from its response path, its type and the field's arguments. differential.py
/// describes and follows the same rule.
struct PathResolver: Resolver {
  func resolve(_ context: FieldContext) throws -> Resolved {
    var arguments = ""
    canonical(.object(context.arguments), &arguments)
    let path = context.path.description
    let hash = fnv("\(path)|\(context.parentType.name).\(context.name)|\(arguments)")
    if hash % 41 == 1 { throw ExecutionError("boom") }
    return value(path, hash, context.definition.type, context)
  }

  func subscribe(_ context: FieldContext) async throws -> any ResolvedEvents {
    let hash = fnv("subscribe|\(context.path)")
    if hash % 7 == 0 { throw ExecutionError("no events") }
    return AsyncThrowingStream { continuation in
      continuation.yield(.json([:]))
      continuation.finish()
    }
  }

  private func value(
    _ path: String, _ hash: UInt64, _ type: TypeReference, _ context: FieldContext
  ) -> Resolved {
    if hash % 41 == 2 { return .null }
    let isWrong = hash % 41 == 3
    if let itemType = type.itemType {
      if isWrong { return .json("text") }
      return .list(
        (0..<hash / 41 % 4).map { index in
          let path = "\(path)[\(index)]"
          let hash = fnv(path)
          if hash % 41 == 1 { return .failure(ExecutionError("boom")) }
          return value(path, hash, itemType, context)
        })
    }
    switch context.schema.namedType(of: type) {
    case .enum(let type):
      return .json(
        .string(
          isWrong ? "NOT_A_VALUE" : type.values[Int(hash / 41 % UInt64(type.values.count))].name))
    case .scalar(let type):
      return .json(isWrong ? ["wrong": true] : scalar(type.name, path, hash / 41))
    case .object(let type): return .json(["__typename": .string(type.name)])
    case .interface(let type):
      return object(isWrong, context.schema.possibleTypes(of: .interface(type)), hash)
    case .union(let type):
      return object(isWrong, context.schema.possibleTypes(of: .union(type)), hash)
    case .inputObject, nil: return .null
    }
  }

  private func object(_ isWrong: Bool, _ possible: [ObjectType], _ hash: UInt64) -> Resolved {
    let names = possible.map(\.name).sorted()
    let name = isWrong ? "Money" : names[Int(hash / 41 % UInt64(names.count))]
    return .json(["__typename": .string(name)])
  }

  private func scalar(_ name: String, _ path: String, _ hash: UInt64) -> JSON {
    switch name {
    case "Int": hash % 13 == 0 ? 2_147_483_648 : JSON(Int64(hash % 4_294_967_296) - 2_147_483_648)
    case "Float": .number(JSON.Number(Double(hash % 1_000_000) / 64)!)
    case "Boolean": .bool(hash % 2 == 0)
    case "ID": hash % 3 == 0 ? JSON(hash % 1_000) : .string("id-\(hash)")
    case "String": .string(path)
    default: hash % 2 == 0 ? ["at": .string(path), "list": [1, nil, true]] : .string(String(hash))
    }
  }
}

/// FNV-1a with 64 bits, folded so that the low bits depend on all bits.
func fnv(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return (hash ^ (hash >> 32)) & 0xFFFF_FFFF_FFFF
}

/// JSON with sorted keys, and with numbers in a form that both sides can write.
func canonical(_ json: JSON, _ text: inout String) {
  switch json {
  case .number(let number):
    text += number.int64.map(String.init) ?? String(format: "%.3f", number.double ?? 0)
  case .array(let items):
    text += "["
    for item in items {
      canonical(item, &text)
      text += ","
    }
    text += "]"
  case .object(let object):
    text += "{"
    for member in object.sorted(by: { $0.key < $1.key }) {
      text += member.key + ":"
      canonical(member.value, &text)
      text += ","
    }
    text += "}"
  case .string(let string): text += "'\(string)'"
  case .bool(let bool): text += bool ? "true" : "false"
  case .null: text += "null"
  }
}
