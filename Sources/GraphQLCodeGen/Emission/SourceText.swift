/// A piece of one line of Swift, built from literals and names.
///
/// Its interpolation appends bytes. With `String`, which checks each piece's encoding and form, the
/// same lines took a third longer to generate.
struct SourceText: ExpressibleByStringInterpolation {
  fileprivate(set) var bytes: [UInt8]

  var count: Int { bytes.count }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ literal: StaticString) { bytes.append(literal) }

  mutating func append(name: String) { bytes.append(utf8Of: name) }

  /// Exchanges the text with another one, without a copy of either.
  mutating func exchange(_ bytes: inout [UInt8]) { swap(&self.bytes, &bytes) }

  /// An empty text with space for that many bytes.
  init(capacity: Int) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  // Safe: the bytes are a literal of the program.
  init(stringLiteral text: StaticString) {
    bytes = text.withUTF8Buffer { unsafe Array($0) }
  }

  init(stringInterpolation text: StringInterpolation) {
    bytes = text.bytes
  }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + 24 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: StaticString) {
      bytes.append(literal)
    }

    mutating func appendInterpolation(_ text: String) { bytes.append(utf8Of: text) }

    mutating func appendInterpolation(_ text: SourceText) {
      bytes.append(contentsOf: text.bytes)
    }
  }
}

// Safe: a literal or a string keeps its bytes valid during the call, which copies them.
extension [UInt8] {
  mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  /// Appends text from its storage, without retaining it.
  mutating func append(utf8Of text: String) {
    let isStored: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe append(contentsOf: $0)
    }
    if isStored == nil { append(contentsOf: text.utf8) }
  }
}
