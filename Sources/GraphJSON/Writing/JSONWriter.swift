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
