/// A piece of one line of Swift, put together from literals and names.
///
/// Its interpolation appends bytes: as a `String`, which looks at each piece's encoding and form,
/// the same lines took a third longer to generate.
struct SourceText: ExpressibleByStringInterpolation {
  fileprivate(set) var bytes: [UInt8]

  var count: Int { bytes.count }

  init(stringLiteral text: String) {
    bytes = Array(text.utf8)
  }

  init(stringInterpolation text: StringInterpolation) {
    bytes = text.bytes
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 24 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) {
      bytes.append(contentsOf: literal.utf8)
    }

    mutating func appendInterpolation(_ text: String) {
      bytes.append(contentsOf: text.utf8)
    }

    mutating func appendInterpolation(_ text: SourceText) {
      bytes.append(contentsOf: text.bytes)
    }
  }
}
