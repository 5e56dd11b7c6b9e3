extension Graph {
  /// Splits a server's bytes into frames as they arrive (RFC 6455, section 5.2). It keeps at most a
  /// header and one payload, whose announced length is checked before any of it is kept.
  struct FrameParser {
    private struct Header {
      var isFinal: Bool
      var opcode: Frame.Opcode
      var byteCount: Int
    }

    /// The bytes of an incomplete header, at most ten.
    private var start: [UInt8] = []
    private var header: Header?
    private var payload: [UInt8] = []

    /// The next frame, nil if `bytes` ends before it does. The bytes that were read are removed
    /// from `bytes`, so that a header's limits can depend on earlier frames.
    ///
    /// - Parameter maximumByteCount: the maximum number of bytes of a data frame.
    mutating func next(
      _ bytes: inout ArraySlice<UInt8>, maximumByteCount: Int
    ) throws(FrameError) -> Frame? {
      while header == nil {
        guard let byte = bytes.popFirst() else { return nil }
        start.append(byte)
        try readHeader(maximumByteCount)
      }
      guard let header else { return nil }
      let part = bytes.prefix(header.byteCount - payload.count)
      payload += part
      bytes = bytes.dropFirst(part.count)
      guard payload.count == header.byteCount else { return nil }
      let frame = Frame(isFinal: header.isFinal, opcode: header.opcode, payload: payload)
      self.header = nil
      payload = []
      return frame
    }

    private mutating func readHeader(_ maximumByteCount: Int) throws(FrameError) {
      guard let opcode = try opcode(start[0]), start.count >= 2 else { return }
      guard start[1] & 0x80 == 0 else { throw .masked }
      let isFinal = start[0] & 0x80 != 0
      if opcode.isControl {
        guard isFinal else { throw .fragmentedControl }
        guard start[1] <= Frame.maximumControlByteCount else { throw .longControl }
      }
      guard let count = try byteCount() else { return }
      guard opcode.isControl || count <= maximumByteCount else {
        throw .messageTooLarge(limit: maximumByteCount)
      }
      header = Header(isFinal: isFinal, opcode: opcode, byteCount: count)
      start = []
    }

    private func opcode(_ byte: UInt8) throws(FrameError) -> Frame.Opcode? {
      guard byte & 0x70 == 0 else { throw .reservedBits }
      guard let opcode = Frame.Opcode(rawValue: byte & 0x0F) else {
        throw .unknownOpcode(byte & 0x0F)
      }
      return opcode
    }

    /// nil until the whole length has arrived.
    private func byteCount() throws(FrameError) -> Int? {
      let extended =
        switch start[1] {
        case 126: 2
        case 127: 8
        default: 0
        }
      guard start.count == 2 + extended else { return nil }
      guard extended > 0 else { return Int(start[1]) }
      let count = start[2...].reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
      guard let count = Int(exactly: count), count > (extended == 2 ? 125 : 0xFFFF) else {
        throw .invalidLength
      }
      return count
    }
  }
}
