extension GraphQL {
  /// Objects that were found and are not checked yet, the last one first. Plain memory: an array
  /// checks on each access whether it is shared, which was a tenth of the time of checking.
  ///
  /// The plans are alive: the checker owns the topmost, which owns the nested ones.
  // Safe: it owns `capacity` entries, of which the first `count` are initialised.
  @safe struct WaitingObjects: ~Copyable {
    typealias Entry = (object: Int, plan: UnsafePointer<CheckPlan.Layout>)

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 32
    private(set) var count = 0

    init() { unsafe entries = .allocate(capacity: capacity) }

    deinit { unsafe entries.deallocate() }

    @inline(__always)
    mutating func push(_ object: Int, _ plan: UnsafePointer<CheckPlan.Layout>) {
      if count == capacity { grow() }
      unsafe (entries + count).initialize(to: (object, plan))
      count &+= 1
    }

    @inline(__always)
    mutating func pop() -> Entry? {
      guard count > 0 else { return nil }
      count &-= 1
      return unsafe entries[count]
    }

    /// Removes all objects but the first `count`.
    mutating func remove(after count: Int) { self.count = count }

    @inline(never)
    private mutating func grow() {
      let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
      unsafe larger.update(from: entries, count: count)
      unsafe entries.deallocate()
      unsafe entries = larger
      capacity *= 2
    }
  }
}
