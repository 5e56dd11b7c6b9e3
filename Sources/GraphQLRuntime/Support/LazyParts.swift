import CTreeswiftAtomics

/// An object with up to two parts that are created when they are first needed, by any thread and without
/// a lock: creating a lock takes a large part of the time in which such an object is created.
// Safe: `first` and `second` are accessed only by atomic operations, see `firstProperty(of:as:)`. A part is
// Sendable, stored once, and retained until this object ends.
@safe package class LazyParts: @unchecked Sendable {
  private final var first: UInt = 0
  private final var second: UInt = 0

  /// The place of a part.
  package struct Part<Value: AnyObject & Sendable> {
    fileprivate let index: Int

    static var first: Self { Self(index: 0) }
    static var second: Self { Self(index: 1) }
  }

  deinit {
    for index in 0..<2 {
      let word = unsafe treeswift_load_address(address(index))
      if let part = unsafe UnsafeRawPointer(bitPattern: word) {
        unsafe Unmanaged<AnyObject>.fromOpaque(part).release()
      }
    }
  }

  @inline(__always)
  private final func address(_ index: Int) -> UnsafeMutablePointer<UInt> {
    unsafe firstProperty(of: self, as: UInt.self) + index
  }

  /// The part, if it exists.
  @inline(__always)
  final func existing<Value>(_ part: Part<Value>) -> Value? {
    unsafe unmanaged(part)?.takeUnretainedValue()
  }

  /// The part, without retaining a reference.
  @inline(__always)
  final func unmanaged<Value>(_ part: Part<Value>) -> Unmanaged<Value>? {
    let word = unsafe treeswift_load_address(address(part.index))
    return unsafe UnsafeRawPointer(bitPattern: word).map { unsafe Unmanaged.fromOpaque($0) }
  }

  /// Stores the part if there is none.
  ///
  /// - Returns: the part that is stored: `new`, or that of another thread.
  @discardableResult
  final func keep<Value>(_ new: Value, as part: Part<Value>) -> Value {
    let mine = unsafe Unmanaged.passRetained(new)
    let word = UInt(bitPattern: unsafe mine.toOpaque())
    let known = unsafe treeswift_store_first_address(address(part.index), word)
    guard let other = unsafe UnsafeRawPointer(bitPattern: known) else { return new }
    unsafe mine.release()
    return unsafe Unmanaged.fromOpaque(other).takeUnretainedValue()
  }
}
