/// Writes JSON text as UTF-8 bytes, compact or indented.
///
/// The calls follow the order of the text:
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("id")
/// writer.string("gid://shopify/Product/1")
/// writer.endObject()
/// let bytes = writer.finish()   // {"id":"gid://shopify/Product/1"}
/// ```
///
/// Calls out of order (a value without a key in an object, a second root, an end that does not fit)
/// are programming errors and stop the program. Keys are not checked for duplicates.
public struct JSONWriter: Sendable {
  /// The layout of the text.
  public enum Style: Hashable, Sendable {
    /// No whitespace at all.
    case compact
    /// One line per element and member, indented by that many spaces per level.
    case indented(by: Int)
  }

  /// The last written element, which determines what is allowed next and which separator is needed.
  private enum Place {
    case start, afterBegin, afterKey, afterValue, finished
  }

  private let style: Style
  private var place = Place.start
  /// For each open array or object whether it is an object.
  private var open: [Bool] = []
  var bytes: [UInt8] = []

  /// A writer without text.
  public init(style: Style = .compact) { self.style = style }

  /// The text. Stops the program unless exactly one value has been written.
  public consuming func finish() -> [UInt8] {
    precondition(place == .finished, "finish() was called before the value was complete")
    return bytes
  }

  /// Opens an object; its members follow, each a ``key(_:)`` and a value.
  public mutating func beginObject() { begin(Byte.openBrace, isObject: true) }
  /// Closes the innermost open value, which must be an object.
  public mutating func endObject() { end(Byte.closeBrace, isObject: true) }
  /// Opens an array; its elements follow.
  public mutating func beginArray() { begin(Byte.openBracket, isObject: false) }
  /// Closes the innermost open value, which must be an array.
  public mutating func endArray() { end(Byte.closeBracket, isObject: false) }

  /// Writes the key of an object's next member; its value must follow.
  public mutating func key(_ key: String) {
    precondition(
      open.last == true && place != .afterKey, "key(_:) was called where no key is allowed")
    separate()
    appendString(key)
    bytes.append(Byte.colon)
    if style != .compact { bytes.append(Byte.space) }
    place = .afterKey
  }

  /// Starts a value: writes the separator or indentation before it.
  mutating func beginValue() {
    switch place {
    case .start, .afterKey: break
    case .afterBegin, .afterValue:
      precondition(open.last == false, "a value in an object needs a key")
      separate()
    case .finished: preconditionFailure("a JSON text has only one root value")
    }
  }

  /// Records that a value is complete.
  mutating func endValue() { place = open.isEmpty ? .finished : .afterValue }

  private mutating func begin(_ bracket: UInt8, isObject: Bool) {
    beginValue()
    bytes.append(bracket)
    open.append(isObject)
    place = .afterBegin
  }

  private mutating func end(_ bracket: UInt8, isObject: Bool) {
    precondition(
      open.last == isObject && place != .afterKey, "the end does not match the open array or object"
    )
    open.removeLast()
    if place == .afterValue { breakLine() }
    bytes.append(bracket)
    endValue()
  }

  private mutating func separate() {
    if place == .afterValue { bytes.append(Byte.comma) }
    breakLine()
  }

  private mutating func breakLine() {
    guard case .indented(let width) = style else { return }
    bytes.append(Byte.newline)
    bytes.append(contentsOf: repeatElement(Byte.space, count: width * open.count))
  }
}

extension JSONWriter {
  /// Writes `null`.
  public mutating func null() { raw("null") }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// Writes an integer of any size.
  public mutating func int(_ value: some BinaryInteger) { raw(value.description) }

  /// Writes `value` in quotes. Escapes only what RFC 8259, section 7 requires.
  public mutating func string(_ value: String) {
    beginValue()
    appendString(value)
    endValue()
  }

  /// Writes the value at `index` of `document` with its text unchanged.
  public mutating func fragment(of document: JSONDocument, at index: Int) {
    beginValue()
    // Safe: the document keeps the bytes valid during the call, which copies them.
    unsafe document.withSource(at: index) { unsafe bytes.append(contentsOf: $0) }
    endValue()
  }

  /// Writes bytes unchanged that the caller knows to be exactly one JSON value. Debug builds check
  /// them.
  public mutating func fragment(_ fragment: some Collection<UInt8>) {
    assert(
      (try? JSONDocument(
        parsing: Array(fragment), maximumDepth: JSONDocument.largestMaximumDepth)) != nil,
      "the fragment is not JSON")
    beginValue()
    bytes.append(contentsOf: fragment)
    endValue()
  }

  mutating func raw(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
    endValue()
  }
}

extension JSONWriter {
  /// Appends `value` in quotes. Escapes only what RFC 8259, section 7 requires: quotes, backslashes
  /// and control characters below U+0020, in their short form if there is one.
  mutating func appendString(_ value: String) { JSONWriter.appendString(value, to: &bytes) }

  /// Appends `value` like ``appendString(_:)`` to text that is written by other means.
  // Safe: the string keeps its bytes valid during the call, and runs end at or before their count.
  package static func appendString(_ value: String, to bytes: inout [UInt8]) {
    var value = value
    bytes.append(Byte.quote)
    value.withUTF8 { utf8 in
      var start = 0
      while start < utf8.count {
        let end = unsafe JSONWriter.endOfPlainRun(utf8, from: start)
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
        if end < utf8.count { unsafe appendEscape(utf8[end], to: &bytes) }
        start = end + 1
      }
    }
    bytes.append(Byte.quote)
  }

  /// The index of the first byte from `start` on that must be escaped, or the end.
  // Safe: a word is loaded only if eight bytes are left, and a byte only below the count.
  private static func endOfPlainRun(
    _ utf8: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    var index = start
    while index + 8 <= utf8.count {
      let hits = unsafe WordScan.escapeHits(WordScan.load(utf8.baseAddress! + index))
      if hits != 0 { return index + WordScan.firstByte(hits) }
      index += 8
    }
    while index < utf8.count, unsafe utf8[index] >= Byte.space, unsafe utf8[index] != Byte.quote,
      unsafe utf8[index] != Byte.backslash
    {
      index += 1
    }
    return index
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(Byte.backslash)
    switch byte {
    case Byte.quote, Byte.backslash: bytes.append(byte)
    case Byte.backspace: bytes.append(Byte.b)
    case Byte.formFeed: bytes.append(Byte.f)
    case Byte.newline: bytes.append(Byte.n)
    case Byte.carriageReturn: bytes.append(Byte.r)
    case Byte.tab: bytes.append(Byte.t)
    default:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
      bytes.append(contentsOf: digits.utf8)
    }
  }
}
