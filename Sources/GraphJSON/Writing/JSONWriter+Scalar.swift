extension JSONWriter {
  /// Writes `null`.
  public mutating func null() { raw("null") }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

  /// Writes an integer of any size.
  public mutating func int(_ value: some BinaryInteger) { raw(value.description) }

  /// Writes the shortest text that is parsed as `value`. Infinities and NaN have no JSON form: they
  /// throw and write nothing.
  public mutating func double(_ value: Double) throws(JSONError) {
    guard let number = JSON.Number(value) else {
      throw JSONError(
        code: .nonFiniteNumber, offset: 0, position: .start,
        message: "\(value) has no JSON form")
    }
    self.number(number)
  }

  /// Writes `value` with its text unchanged.
  public mutating func number(_ value: JSON.Number) { raw(value.text) }

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

  private mutating func raw(_ text: String) {
    beginValue()
    bytes.append(contentsOf: text.utf8)
    endValue()
  }
}
