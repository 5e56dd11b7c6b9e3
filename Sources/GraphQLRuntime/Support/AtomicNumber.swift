import CTreeswiftAtomics

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
