/// A position in a text that zero bytes follow.
///
/// Its members are transparent, so they are inlined in debug builds as well: those parse schemas
/// when the generator runs as a plugin.
// Safe: only the parser moves a cursor, and never over a zero byte; a word from there fits into the
// padding.
@safe struct TextCursor {
  let pointer: UnsafePointer<UInt8>

  @_transparent
  init(_ pointer: UnsafePointer<UInt8>) { unsafe self.pointer = pointer }

  /// The byte at this position.
  @_transparent
  var byte: UInt8 { unsafe pointer.pointee }

  /// The eight bytes from this position on, the first one lowest.
  @_transparent
  var word: UInt64 { unsafe WordScan.load(pointer) }

  /// The position that many bytes ahead.
  @_transparent
  static func + (cursor: TextCursor, count: Int) -> TextCursor {
    unsafe TextCursor(cursor.pointer + count)
  }

  @_transparent
  static func += (cursor: inout TextCursor, count: Int) { cursor = cursor + count }

  /// The bytes between two positions.
  @_transparent
  static func - (cursor: TextCursor, earlier: TextCursor) -> Int {
    unsafe cursor.pointer - earlier.pointer
  }

  @_transparent
  static func == (left: TextCursor, right: TextCursor) -> Bool {
    unsafe left.pointer == right.pointer
  }
}
