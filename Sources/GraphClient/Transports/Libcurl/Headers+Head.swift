#if !canImport(Darwin)
  extension Graph.Headers {
    /// The fields of a response's head, from its status line to its empty line (RFC 9112, section 5).
    ///
    /// A line that begins with white space continues the previous one (section 5.2). Lines that are
    /// not fields are skipped.
    init(head: [UInt8]) {
      var fields: [Field] = []
      let lines = head.split(separator: UInt8(ascii: "\n")).dropFirst()
      fields.reserveCapacity(lines.count)
      for line in lines {
        if line.first == 0x20 || line.first == 0x09 {
          guard let last = fields.popLast() else { continue }
          fields.append(Field(name: last.name, value: "\(last.value) \(Self.text(line))"))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
          let name = Self.text(line[..<colon])
          fields.append(Field(name: name, value: Self.text(line[(colon + 1)...])))
        }
      }
      self.init(fields)
    }

    /// White space and the remainder of a line's end.
    private static func isSpace(_ byte: UInt8) -> Bool {
      byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    /// The bytes without surrounding white space; a carriage return inside counts as a space (RFC
    /// 9110, section 5.5).
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
      var bytes = bytes
      while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
      while let last = bytes.last, isSpace(last) { bytes.removeLast() }
      guard bytes.contains(0x0D) else { return String(decoding: bytes, as: UTF8.self) }
      return String(decoding: bytes.map { $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }
  }
#endif
