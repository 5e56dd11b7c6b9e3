import GraphJSON
import GraphQLRuntime
import GraphStorage

/// A leaf's value in a comparable form: nothing first, then numbers, then text byte by byte.
enum OrderedValue: Sendable, Hashable {
  /// Null, and a field that is not stored.
  case nothing
  case number(Double)
  case text(String)

  /// The value at `index` of a record; nothing if it has another kind.
  init(_ json: JSONDocument, at index: Int, _ kind: GraphQL.LeafKind) {
    self = Self.value(json, index, kind) ?? .nothing
  }

  private static func value(
    _ json: JSONDocument, _ index: Int, _ kind: GraphQL.LeafKind
  ) -> OrderedValue? {
    switch (kind, json.kind(at: index)) {
    case (.text, .string): .text(json.string(at: index))
    // An ID may be sent as a number.
    case (.text, .number): .text(json.numberText(at: index))
    case (.int, .number), (.float, .number): json.double(at: index).map(OrderedValue.number)
    case (.bool, .bool): .number(json.bool(at: index) ? 1 : 0)
    case (.decimal, .string): DecimalOrder.text(json.string(at: index)).map(OrderedValue.text)
    case (.decimal, .number): DecimalOrder.text(json.numberText(at: index)).map(OrderedValue.text)
    case (.dateTime, .string): GraphQL._seconds(json.string(at: index)).map(OrderedValue.number)
    default: nil
    }
  }
}

extension OrderedValue: Comparable {
  static func == (left: OrderedValue, right: OrderedValue) -> Bool {
    switch (left, right) {
    case (.nothing, .nothing): true
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  static func < (left: OrderedValue, right: OrderedValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: left.rank < right.rank
    }
  }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .number: 1
    case .text: 2
    }
  }
}
