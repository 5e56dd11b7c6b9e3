/// A member of an object that ``ResponseParser`` expects, in the order of the selection.
// Safe: its memory is freed with the layout.
@unsafe package struct RecordStep {
  /// The kind of a member's values, or of its elements.
  package enum Leaf: UInt8 {
    case string, id, scalar, text, anything
    case int, float, boolean, object

    /// Whether each string is a valid value.
    var takesAllStrings: Bool { self == .string || self == .id || self == .anything }

    var takesStrings: Bool {
      @inline(__always) get { rawValue <= Leaf.anything.rawValue }
    }
  }

  /// Whether a scalar's text, which is the contents of a string without escapes, is certainly valid.
  package typealias TextCheck = @convention(c) (UnsafePointer<UInt8>, Int) -> Bool

  /// The member as it begins in a text without spaces: the comma before it (except before the first), the key and
  /// the colon.
  let start: TextPattern
  let keyCount: Int
  let leaf: Leaf
  let isList: Bool
  /// Whether the elements of the list are lists. Only null is parsed then.
  let isNested: Bool
  let isNonNull: Bool
  let isElementNonNull: Bool
  /// A number of the caller for a scalar.
  let scalar: Int32
  let textCheck: TextCheck?
  /// The only valid text of a leaf of the kind `text`.
  let text: UnsafeBufferPointer<UInt8>
  let targets: UnsafeBufferPointer<RecordLayout.Target>
  /// The slot of a single string that needs no check and has no other slot; -1 for any other member, and for a tape.
  let plainSlot: Int32
  let below: UnsafePointer<RecordChoice>?

  /// - Parameters:
  ///   - key: the response name, ASCII.
  ///   - isFirst: whether the member is the first one.
  ///   - targets: at least one for records, none for a tape.
  ///   - text: the only valid text of a leaf of the kind `text`.
  ///   - below: the layouts of the objects.
  package init(
    key: [UInt8], isFirst: Bool, leaf: Leaf, isList: Bool, isNested: Bool, isNonNull: Bool,
    isElementNonNull: Bool, scalar: Int, textCheck: TextCheck?, text: [UInt8] = [],
    targets: [RecordLayout.Target], below: UnsafePointer<RecordChoice>?
  ) {
    let comma = isFirst ? [] : [Byte.comma]
    unsafe start = TextPattern(comma + [Byte.quote] + key + [Byte.quote, Byte.colon])
    unsafe keyCount = key.count
    unsafe self.leaf = leaf
    unsafe self.isList = isList
    unsafe self.isNested = isNested
    unsafe self.isNonNull = isNonNull
    unsafe self.isElementNonNull = isElementNonNull
    unsafe self.scalar = Int32(scalar)
    unsafe self.textCheck = unsafe textCheck
    unsafe self.text = .copying(text)
    unsafe self.targets = .copying(targets)
    let isPlain = !isList && targets.count == 1 && leaf.takesAllStrings
    unsafe plainSlot = isPlain ? targets[0].slot : -1
    unsafe self.below = unsafe below
  }

  /// Whether a string without escapes is the only valid text.
  func isText(_ start: TextCursor, _ count: Int) -> Bool {
    unsafe count == text.count && (0..<count).allSatisfy { unsafe (start + $0).byte == text[$0] }
  }

  func deallocate() {
    unsafe start.deallocate()
    unsafe text.deallocate()
    unsafe targets.deallocate()
  }
}
