import GraphQLRuntime

extension GraphQL {
  /// Text under construction. An array checks for sharing and makes a call for each appended piece.
  // Safe: it owns `capacity` bytes; every append grows it first, and `count` never exceeds it.
  @usableFromInline
  @safe package struct ByteBuffer: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline package var count = 0

    package init(capacity: Int) {
      self.capacity = capacity
      unsafe base = .allocate(capacity: capacity)
    }

    deinit { unsafe base.deallocate() }

    /// The bytes, valid until the next change.
    @inlinable
    package var bytes: UnsafeBufferPointer<UInt8> {
      unsafe UnsafeBufferPointer(start: base, count: count)
    }

    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) {
      if count == capacity { grow(1) }
      unsafe base[count] = byte
      count &+= 1
    }

    @inlinable @inline(__always)
    package mutating func append(_ text: String) {
      unsafe text.withBytes { unsafe append($0) }
    }

    @inlinable @inline(__always)
    package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
      guard let start = text.baseAddress else { return }
      if capacity &- count < text.count { grow(text.count) }
      unsafe copy(start, text.count)
      count &+= text.count
    }

    @inlinable @inline(__always)
    package mutating func append(_ bytes: [UInt8]) {
      unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
    }

    /// Names are usually up to 16 bytes long, and overlapping words copy those faster than a call
    /// of `memmove`.
    @inlinable @inline(__always)
    func copy(_ start: UnsafePointer<UInt8>, _ length: Int) {
      let source = unsafe UnsafeRawPointer(start)
      let target = unsafe UnsafeMutableRawPointer(base + count)
      switch length {
      case 8...16: unsafe Self.copyEnds(UInt64.self, source, target, length)
      case 4..<8: unsafe Self.copyEnds(UInt32.self, source, target, length)
      case 2..<4: unsafe Self.copyEnds(UInt16.self, source, target, length)
      default: unsafe target.copyMemory(from: source, byteCount: length)
      }
    }

    @inlinable @inline(__always)
    static func copyEnds<Word: FixedWidthInteger & BitwiseCopyable>(
      _ word: Word.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer,
      _ length: Int
    ) {
      let end = length &- MemoryLayout<Word>.size
      let first = unsafe source.loadUnaligned(as: Word.self)
      let last = unsafe source.loadUnaligned(fromByteOffset: end, as: Word.self)
      unsafe target.storeBytes(of: first, as: Word.self)
      unsafe target.storeBytes(of: last, toByteOffset: end, as: Word.self)
    }

    /// Removes what was appended after `mark`, an earlier ``count``.
    @inlinable
    package mutating func remove(after mark: Int) { count = mark }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) {
      capacity = max(capacity * 2, count + more)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      unsafe larger.update(from: base, count: count)
      unsafe base.deallocate()
      unsafe base = larger
    }
  }
}
