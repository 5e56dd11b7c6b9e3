extension GraphQL {
  /// Finds names by their bytes: the fields of a type, the values of an enum.
  ///
  /// A dictionary of strings makes a string of the bytes and hashes it against attacks, which takes
  /// ten times as long; here the names are the schema's, and a stranger's name only searches.
  struct NameIndex: Sendable {
    /// All names, one after the other.
    private let bytes: [UInt8]
    /// Where each name begins, and where the last one ends.
    private let starts: [Int]
    /// Positions of names by hash, -1 where there is none; at most half of the slots are taken.
    private let slots: [Int32]

    /// - Parameter names: of several equal ones the first is found.
    init(_ names: some Collection<String>) {
      var bytes: [UInt8] = []
      var starts = [0]
      starts.reserveCapacity(names.count + 1)
      for name in names {
        bytes.append(contentsOf: name.utf8)
        starts.append(bytes.count)
      }
      var slotCount = 4
      while slotCount < names.count * 2 { slotCount *= 2 }
      var slots = [Int32](repeating: -1, count: slotCount)
      bytes.withUnsafeBufferPointer { bytes in
        for position in 0..<names.count {
          let name = UnsafeBufferPointer(rebasing: bytes[starts[position]..<starts[position + 1]])
          var slot = Self.hash(name) & (slotCount - 1)
          while slots[slot] >= 0 { slot = (slot + 1) & (slotCount - 1) }
          slots[slot] = Int32(position)
        }
      }
      self.bytes = bytes
      self.starts = starts
      self.slots = slots
    }

    /// The position of a name, nil when it is none of the names.
    func position(of name: UnsafeBufferPointer<UInt8>) -> Int? {
      var slot = Self.hash(name) & (slots.count &- 1)
      while slots[slot] >= 0 {
        let position = Int(slots[slot])
        if isName(name, at: position) { return position }
        slot = (slot &+ 1) & (slots.count &- 1)
      }
      return nil
    }

    /// The position of a name, nil when it is none of the names.
    @inline(__always)
    func position(of name: String) -> Int? {
      name.withBytes(position)
    }

    @inline(__always)
    private func isName(_ name: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
      let start = starts[position]
      guard starts[position &+ 1] &- start == name.count else { return false }
      return bytes.withUnsafeBufferPointer { bytes in
        var index = 0
        while index < name.count {
          if bytes[start &+ index] != name[index] { return false }
          index &+= 1
        }
        return true
      }
    }

    /// Of the length and at most sixteen bytes: the first eight and the last eight.
    @inline(__always)
    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
      var hash = UInt64(truncatingIfNeeded: name.count)
      if let start = UnsafeRawPointer(name.baseAddress), name.count >= 8 {
        hash ^= start.loadUnaligned(as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15
        hash ^= start.loadUnaligned(fromByteOffset: name.count &- 8, as: UInt64.self)
      } else {
        for byte in name { hash = hash &<< 8 ^ UInt64(byte) ^ hash &>> 56 }
      }
      hash = hash &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: hash &>> 33)
    }
  }
}

extension String {
  /// Calls `body` with the text's UTF-8.
  @inline(__always)
  func withBytes<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
