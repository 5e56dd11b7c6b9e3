import GraphJSON

// Records are composed of parts of other texts, which are JSON already and are copied unchanged. Inlined
// and not copyable, the builders cost no more than the same appends by hand.

/// Builds the text of an object from texts of its members.
struct ObjectBuilder: ~Copyable {
  private var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.count == 1 }

  /// - Parameter capacity: the expected size of the text, in bytes.
  init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
    bytes.append(UInt8(ascii: "{"))
  }

  /// - Parameter key: with its quotation marks.
  @inline(__always)
  mutating func append(key: some Collection<UInt8>, value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: key)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: value)
  }

  /// - Parameter keyWithColon: with its quotation marks.
  @inline(__always)
  mutating func append(keyWithColon: some Collection<UInt8>, value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: keyWithColon)
    bytes.append(contentsOf: value)
  }

  @inline(__always)
  mutating func append(name: String, value: some Collection<UInt8>) {
    separate()
    JSONWriter.appendString(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: value)
  }

  private mutating func separate() {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
  }

  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}

/// Builds the text of a list from texts of its elements.
struct ListBuilder: ~Copyable {
  private var bytes: [UInt8] = [UInt8(ascii: "[")]

  @inline(__always)
  mutating func append(_ element: some Collection<UInt8>) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(contentsOf: element)
  }

  consuming func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }
}
