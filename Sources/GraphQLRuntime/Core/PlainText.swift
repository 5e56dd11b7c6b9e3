import GraphJSON

extension GraphQL {
  /// How the bytes of a scalar show that it is valid. Creating a JSON value, its string and a Foundation
  /// object for each took half of the time of checking a response.
  // Safe: the checks read as many bytes as the caller has at the address.
  @safe public struct PlainText: Sendable, BitwiseCopyable {
    /// Whether the contents of a string without escapes, or a number, are certainly valid.
    let check: RecordStep.TextCheck
    let acceptsNumbers: Bool

    init(_ check: RecordStep.TextCheck, acceptsNumbers: Bool = false) {
      unsafe self.check = unsafe check
      self.acceptsNumbers = acceptsNumbers
    }

    // Safe: the caller passes the index of a value, whose memory is valid during the call.
    @inline(__always)
    func accepts(_ value: Int, in tape: JSONTape) -> Bool {
      let check = unsafe check
      let isValid =
        if acceptsNumbers {
          unsafe tape.withPlainText(at: value) { unsafe check($0.baseAddress!, $0.count) }
        } else {
          unsafe tape.withPlainString(at: value) { unsafe check($0.baseAddress!, $0.count) }
        }
      return isValid ?? false
    }
  }
}
