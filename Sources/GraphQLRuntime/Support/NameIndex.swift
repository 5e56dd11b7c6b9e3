import GraphJSON

extension GraphQL {
  /// Finds names by their bytes: the fields of a type, the values of an enum.
  ///
  /// A dictionary of strings creates a string from the bytes and hashes it in an attack-resistant
  /// way, which takes ten times as long. This hash also covers every byte, with a seed of the
  /// process, so that names cannot be chosen to collide.
  ///
  /// Plain memory without references to count.
  // Safe: not written after `init`; the mask keeps slots in bounds, and they contain names’
  // positions.
  @safe struct NameIndex: ~Copyable, @unchecked Sendable {
    /// All names, concatenated.
    private let bytes: UnsafeMutablePointer<UInt8>
    /// The start of each name, and the end of the last one.
    private let starts: UnsafeMutablePointer<Int>
    /// Positions of names by hash, -1 if there is none. At most half of the slots are used, so a search ends.
    private let slots: UnsafeMutablePointer<Int32>
    private let slotMask: Int
    private let seed = NameIndex.processSeed

    /// - Parameters:
    ///   - names: if several are equal, the first is found.
    ///   - slotsPerName: with more slots, fewer names share one.
    init(_ names: [String], slotsPerName: Int = 2) {
      precondition(slotsPerName >= 2, "A search ends at an unused slot.")
      unsafe bytes = .allocate(capacity: names.reduce(0) { $0 + $1.utf8.count })
      unsafe starts = .allocate(capacity: names.count + 1)
      unsafe starts.initialize(to: 0)
      var slotCount = 4
      while slotCount < names.count * slotsPerName { slotCount *= 2 }
      slotMask = slotCount - 1
      unsafe slots = .allocate(capacity: slotCount)
      unsafe slots.initialize(repeating: -1, count: slotCount)
      for (position, name) in names.enumerated() {
        let start = unsafe bytes + starts[position]
        let count = unsafe name.withBytes {
          unsafe UnsafeMutableBufferPointer(start: start, count: $0.count).initialize(
            fromContentsOf: $0)
        }
        unsafe (starts + position + 1).initialize(to: starts[position] + count)
        let name = unsafe UnsafeBufferPointer(start: start, count: count)
        var slot = unsafe Self.hash(name, seed: seed) & slotMask
        while unsafe slots[slot] >= 0 { slot = (slot + 1) & slotMask }
        unsafe slots[slot] = Int32(position)
      }
    }

    deinit {
      unsafe bytes.deallocate()
      unsafe starts.deallocate()
      unsafe slots.deallocate()
    }

    /// The position of a name, nil if it is not in the index.
    @inline(__always)
    func position(of name: UnsafeBufferPointer<UInt8>) -> Int? {
      var slot = unsafe Self.hash(name, seed: seed) & slotMask
      while unsafe slots[slot] >= 0 {
        let position = unsafe Int(slots[slot])
        if unsafe isName(name, at: position) { return position }
        slot = (slot &+ 1) & slotMask
      }
      return nil
    }

    /// The position of a name, nil if it is not in the index.
    @inline(__always)
    func position(of name: String) -> Int? {
      unsafe name.withBytes { unsafe position(of: $0) }
    }

    @inline(__always)
    private func isName(_ name: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
      let start = unsafe starts[position]
      guard unsafe starts[position &+ 1] &- start == name.count else { return false }
      guard let other = name.baseAddress else { return true }
      return unsafe WordScan.isEqual(bytes + start, other, name.count)
    }

    private static let processSeed = UInt64.random(in: .min ... .max)

    /// Covers all bytes, eight at a time; the last eight may overlap those before.
    @inline(__always)
    static func hash(_ name: UnsafeBufferPointer<UInt8>, seed: UInt64) -> Int {
      guard let start = unsafe UnsafeRawPointer(name.baseAddress) else { return 0 }
      let count = name.count
      var hash = seed ^ UInt64(truncatingIfNeeded: count)
      if count >= 8 {
        var offset = 0
        while offset &+ 8 < count {
          hash = unsafe fold(hash ^ start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
          offset &+= 8
        }
        unsafe hash ^= start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      } else if count >= 4 {
        let low = unsafe start.loadUnaligned(as: UInt32.self)
        let high = unsafe start.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
        hash ^= UInt64(low) | UInt64(high) &<< 32
      } else if count > 0 {
        unsafe hash ^=
          UInt64(name[0]) | UInt64(name[count / 2]) &<< 8 | UInt64(name[count &- 1]) &<< 16
      }
      return Int(truncatingIfNeeded: fold(hash) & 0xFFFF_FFFF)
    }

    /// Both halves of the product, so that every bit of the word affects each bit of the result.
    @inline(__always)
    private static func fold(_ word: UInt64) -> UInt64 {
      let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return product.high ^ product.low
    }
  }
}

extension String {
  /// Calls `body` with the text's UTF-8.
  // Safe: the string keeps its bytes valid during the call.
  @inlinable @inline(__always)
  package func withBytes<T>(_ body: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    if let result = unsafe utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}

extension GraphQL {
  /// GraphQL names (specification: 2.1.8 Names).
  enum Name {
    static func isValid(_ name: String) -> Bool {
      guard let first = name.utf8.first, isStart(first) else { return false }
      return name.utf8.dropFirst().allSatisfy(isContinue)
    }

    /// Whether a text can be an enum value (specification: 2.9.6 Enum Value).
    static func isEnumValue(_ text: String) -> Bool {
      isValid(text) && text != "true" && text != "false" && text != "null"
    }

    static func isStart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }

    static func isContinue(_ byte: UInt8) -> Bool { isStart(byte) || isDigit(byte) }

    static func isDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }
}
