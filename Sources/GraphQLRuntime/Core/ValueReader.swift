import GraphJSON

extension GraphQL {
  /// A position in a response.
  // Safe: the index is that of a value in this document, whose memory it keeps alive.
  public struct ValueReader: Sendable {
    let document: ResponseDocument
    let index: Int

    var json: JSONDocument { document.json }
    @inline(__always) var tape: JSONTape { unsafe document.tape }
    @inline(__always) var isNull: Bool { unsafe tape.kind(at: index) == .null }

    func at(_ index: Int) -> ValueReader { ValueReader(document: document, index: index) }

    var string: String? { unsafe tape.string(at: index) }

    /// The position of the enum value here; nil if there is no string that the table has.
    @inline(__always)
    func enumPosition(in table: UnsafePointer<EnumTable>) -> Int? {
      unsafe plainString { unsafe table.pointee.position(of: $0) }
        ?? string?.withBytes { unsafe table.pointee.position(of: $0) }
    }
  }
}
