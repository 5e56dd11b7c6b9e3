// Safe: blocks end before the count, and the rest of the text is the last one.
extension TapeBuilder {
  /// An upper bound of the words that `source` can need, valid JSON or not.
  ///
  /// Every word but the root's is written right after a byte of its own: a value after `,`, `:` or
  /// `[`, a key after `{` or `,`, and the second word of an array or object after its bracket. So
  /// the root's word, one per comma and colon and two per opening bracket are enough. Such bytes
  /// inside strings only increase the bound; memory that is never touched costs nothing.
  static func wordBound(_ source: UnsafeBufferPointer<UInt8>) -> Int {
    var bound = 1
    var index = 0
    while index &+ blockLength <= source.count {
      unsafe bound &+= blockBound(source.baseAddress! + index, blockLength)
      index &+= blockLength
    }
    return unsafe bound &+ blockBound(source.baseAddress! + index, source.count &- index)
  }

  /// A multiple of the vector's 16 bytes, small enough for the largest total to fit eight bits.
  private static var blockLength: Int { 112 }

  /// Counts in eight bits, so that the compiler turns the loop into vector instructions.
  @inline(__always)
  private static func blockBound(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    var words: UInt8 = 0
    var index = 0
    while index < count {
      let byte = unsafe bytes[index]
      // `[` and `{` differ in one bit.
      words &+= byte | 0x20 == Byte.openBrace ? 2 : 0
      words &+= byte == Byte.comma ? 1 : 0
      words &+= byte == Byte.colon ? 1 : 0
      index &+= 1
    }
    return Int(words)
  }
}
