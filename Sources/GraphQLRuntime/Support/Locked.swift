import CTreeswiftAtomics

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that only one thread at a time can access.
///
/// Synchronization's `Mutex` needs macOS 15 or iOS 18. On Linux, ThreadSanitizer does not see how it
/// synchronises threads (Swift 6.3), so it would report false races in programs of users. A lock of
/// pthreads takes as long: 11 ns with several threads, `Mutex` 10 ns.
// Safe: the value is accessed only under the lock, whose address does not change.
@safe package final class Locked<Value: Sendable>: @unchecked Sendable {
  // It is first, and used only by its address, see `firstProperty(of:as:)`.
  #if canImport(Darwin)
    private typealias Lock = os_unfair_lock
    private var lock = os_unfair_lock()
  #else
    private typealias Lock = pthread_mutex_t
    private var lock = unsafe pthread_mutex_t()
  #endif
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    #if !canImport(Darwin)
      let status = unsafe pthread_mutex_init(address, nil)
      precondition(status == 0, "there is not enough memory for a lock")
    #endif
  }

  #if !canImport(Darwin)
    deinit { unsafe pthread_mutex_destroy(address) }
  #endif

  private var address: UnsafeMutablePointer<Lock> { unsafe firstProperty(of: self, as: Lock.self) }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if canImport(Darwin)
      unsafe os_unfair_lock_lock(address)
      defer { unsafe os_unfair_lock_unlock(address) }
    #else
      unsafe pthread_mutex_lock(address)
      defer { unsafe pthread_mutex_unlock(address) }
    #endif
    return try body(&value)
  }
}

/// A number that several threads can read and change without a lock. All threads see the changes of all
/// such numbers in the same order.
// Safe: `bits` is accessed only by atomic operations, see `firstProperty(of:as:)`.
@safe package final class AtomicNumber<Value: FixedWidthInteger & Sendable>: @unchecked Sendable {
  private var bits: UInt64

  package init(_ value: Value) { bits = UInt64(truncatingIfNeeded: value) }

  private var address: UnsafeMutablePointer<UInt64> {
    unsafe firstProperty(of: self, as: UInt64.self)
  }

  package func load() -> Value { Value(truncatingIfNeeded: unsafe treeswift_load(address)) }

  package func store(_ value: Value) {
    unsafe treeswift_store(address, UInt64(truncatingIfNeeded: value))
  }

  package func add(_ value: Value) { change { $0 &+ value } }

  /// Stores the larger one of the number and `value`.
  ///
  /// - Returns: the number before.
  @discardableResult
  package func raise(to value: Value) -> Value { change { max($0, value) } }

  @discardableResult
  private func change(_ change: (Value) -> Value) -> Value {
    while true {
      let known = unsafe treeswift_load(address)
      let value = Value(truncatingIfNeeded: known)
      let changed = UInt64(truncatingIfNeeded: change(value))
      if unsafe treeswift_replace(address, known, changed) { return value }
    }
  }
}

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

/// The address of an object's first stored property, for operations that need an address that stays the
/// same: those of atomic values and of locks.
///
/// Swift stores the properties of a class without a superclass in the order of their declaration, after
/// the header of the object, which does not move. The standard library and swift-atomics rely on this as
/// well. Only the initializer may use the property itself: any other use would be a conflicting access.
///
/// - Parameter type: the type of the first property in the root class of `object`.
// Safe: the caller keeps the object, and uses the address only for atomic operations or as a lock.
@unsafe @inline(__always)
func firstProperty<Value>(of object: AnyObject, as type: Value.Type) -> UnsafeMutablePointer<Value>
{
  unsafe _getUnsafePointerToStoredProperties(object).assumingMemoryBound(to: type)
}
