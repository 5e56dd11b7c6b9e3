import Foundation

extension GraphQL {
  /// The non-empty lines of a part of the table.
  // Safe: the bytes are a literal of the program; positions stay below the end of a range of it.
  @safe struct TableLines {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private let end: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
      unsafe self.bytes = bytes
      position = range.lowerBound
      end = range.upperBound
    }

    mutating func next() -> TableLine? {
      guard let base = unsafe bytes.baseAddress else { return nil }
      while position < end {
        let start = position
        // memchr, since most of a large table is skipped and debug builds run this too.
        let newline = unsafe memchr(base + start, 0x0A, end - start)
        let stop =
          unsafe newline.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? end
        position = stop + 1
        if stop > start { return unsafe TableLine(bytes: bytes, position: start, end: stop) }
      }
      return nil
    }
  }

  /// The unread rest of one line.
  // Safe: the bytes are a literal of the program; positions stay below the end of the line.
  @safe struct TableLine {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int
    let end: Int

    var isEmpty: Bool { position >= end }
    var first: UInt8? { unsafe isEmpty ? nil : bytes[position] }

    func dropping(_ count: Int) -> TableLine {
      unsafe TableLine(bytes: bytes, position: min(position + count, end), end: end)
    }

    /// Skips `byte` if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
      guard position < end, unsafe bytes[position] == byte else { return false }
      position += 1
      return true
    }

    /// Takes everything before the first of two bytes, or the end of the line.
    mutating func run(until byte: UInt8, _ other: UInt8) -> String {
      let start = position
      while position < end, unsafe bytes[position] != byte, unsafe bytes[position] != other {
        position += 1
      }
      return text(start..<position)
    }

    /// Takes a word and the space after it.
    mutating func word() -> String {
      defer { _ = take(UInt8(ascii: " ")) }
      return run(until: UInt8(ascii: " "), UInt8(ascii: " "))
    }

    mutating func words() -> [String] {
      var words: [String] = []
      while !isEmpty { words.append(word()) }
      return words
    }

    /// Takes a type reference and the mark of a default after it.
    mutating func type() -> TypeReference {
      let start = position
      while position < end, unsafe bytes[position] != UInt8(ascii: " "),
        unsafe bytes[position] != UInt8(ascii: ")"), unsafe bytes[position] != UInt8(ascii: "=")
      {
        position += 1
      }
      let type = unsafe TypeReference(UnsafeBufferPointer(rebasing: bytes[start..<position]))
      _ = take(UInt8(ascii: "="))
      return type
    }

    private func text(_ range: Range<Int>) -> String {
      unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
  }
}
