import Foundation
import GraphQLRuntime

extension Recorder {
  /// Compares the value of an accessor with the value that JSONSerialization reads at the same
  /// place.
  func equal<Value>(_ name: String, _ value: Value, _ json: Any?) {
    count(name)
    guard let json else { return fail(name, "the response lacks the field") }
    if !Comparison.same(value, json) { fail(name, "read \(value), sent \(json)") }
  }

  /// The same for the raw accessor, which returns nil for null.
  func raw(_ name: String, _ value: Any?, _ json: Any?) {
    equal(name, value ?? NSNull(), json)
  }

  func holds(_ name: String, _ condition: Bool) {
    if !condition { fail(name, "`has` is false for a selected field") }
  }

  /// The objects of a value, in lists of any nesting, with their JSON.
  func pairs<T, Value>(_ value: Value, _ json: Any?, _ type: T.Type) -> [(T, [String: Any])] {
    if let elements = value as? [Any], let jsons = json as? [Any] {
      return zip(elements, jsons).flatMap { pairs($0, $1, type) }
    }
    guard let json = json as? [String: Any], let object = value as? T else { return [] }
    return [(object, json)]
  }

  /// The object, if it has the type.
  func matching<T>(_ object: Any, _ json: [String: Any], _ type: T.Type) -> [(T, [String: Any])] {
    (object as? T).map { [($0, json)] } ?? []
  }
}

/// Compares the runtime's values with those of JSONSerialization.
private enum Comparison {
  static func same(_ value: Any, _ json: Any) -> Bool {
    if let optional = value as? any Unwrapping {
      return optional.unwrapped.map { same($0, json) } ?? (json is NSNull)
    }
    switch value {
    case is NSNull: return json is NSNull
    case let value as GraphQL.JSON: return same(value, json: json)
    case let value as [Any]:
      guard let json = json as? [Any], json.count == value.count else { return false }
      return zip(value, json).allSatisfy(same)
    case let value as any GraphQL.Enum: return value.rawText == json as? String
    case let value as String: return value == json as? String
    case let value as GraphQL.ID: return value.rawValue == json as? String
    case let value as Bool: return value == json as? Bool
    case let value as Int: return NSNumber(value: value) == json as? NSNumber
    case let value as Double: return NSNumber(value: value) == json as? NSNumber
    case let value as Date: return (json as? String).map { isSame($0, value) } ?? false
    case let value as URL: return value.absoluteString == json as? String
    case let value as Decimal: return Decimal(string: "\(json)") == value
    case let value as GraphQL.LocalDate: return value.description == json as? String
    case let value as GraphQL.BigInt: return value.description == "\(json)"
    case let value as GraphQL.AbstractResponse:
      return value.__typename == (json as? [String: Any])?["__typename"] as? String
    default: return false
    }
  }

  private static func same(_ value: GraphQL.JSON, json: Any) -> Bool {
    guard let expected = try? JSONSerialization.data(withJSONObject: [json], options: .sortedKeys),
      let own = "[\(value)]".data(using: .utf8),
      let parsed = try? JSONSerialization.jsonObject(with: own),
      let ours = try? JSONSerialization.data(withJSONObject: parsed, options: .sortedKeys)
    else { return false }
    return expected == ours
  }

  /// The formatter reads milliseconds, but nothing smaller.
  private static func isSame(_ text: String, _ value: Date) -> Bool {
    let formatter = ISO8601DateFormatter()
    if text.contains(".") { formatter.formatOptions.insert(.withFractionalSeconds) }
    return formatter.date(from: text).map { abs($0.timeIntervalSince(value)) < 0.001 } ?? false
  }
}

/// An optional inside `Any`.
private protocol Unwrapping {
  var unwrapped: Any? { get }
}

extension Optional: Unwrapping {
  var unwrapped: Any? { map { $0 as Any } }
}

extension GraphQL.Enum {
  fileprivate var rawText: String { rawValue }
}
