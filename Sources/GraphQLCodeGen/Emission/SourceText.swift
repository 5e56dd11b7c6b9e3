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

    mutating func appendLiteral(_ literal: String) { append(literal) }
    mutating func appendInterpolation(_ text: String) { append(text) }

    // Safe: the string lends its bytes for the call, which copies them.
    private mutating func append(_ text: String) {
      var text = text
      text.withUTF8 { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func appendInterpolation(_ text: SourceText) {
      bytes.append(contentsOf: text.bytes)
    }
  }
}
