import GraphJSON

extension JSON {
  var integer: Int? {
    if case .number(let number) = self { number.int64.flatMap { Int(exactly: $0) } } else { nil }
  }

  /// A text, compared by its bytes, as servers compare cursors.
  var exact: ExactKey? { if case .string(let text) = self { ExactKey(text) } else { nil } }
  var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}
