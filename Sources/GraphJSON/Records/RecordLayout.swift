/// The expected members of an object, and the slots of their values: for ``RecordParser``, which reads it
/// from plain memory. The owner of the memory keeps it alive while it is used.
// Safe: the owner of the layout frees its memory after the last parser that uses it.
@unsafe package struct RecordLayout {
  /// A part of a record, with a header of its own.
  package struct Part: BitwiseCopyable {
    let offset: Int32
    let slotCount: Int32

    package init(offset: Int, slotCount: Int) {
      self.offset = Int32(offset)
      self.slotCount = Int32(slotCount)
    }
  }

  /// A slot that leads to a part of the same record.
  package struct Link: BitwiseCopyable {
    let slot: Int32
    let part: Int32

    package init(slot: Int, part: Int) {
      self.slot = Int32(slot)
      self.part = Int32(part)
    }
  }

  /// A slot of a member, and where the part begins that is read there in the records below.
  package struct Target: BitwiseCopyable {
    let slot: Int32
    let offset: Int32

    package init(slot: Int, offset: Int) {
      self.slot = Int32(slot)
      self.offset = Int32(offset)
    }
  }

  /// The kind of values of a member.
  package enum Leaf: UInt8 {
    case string, int, float, boolean, id, object
    /// A value that ``RecordParser/Result/unchecked`` lists.
    case scalar
    /// Any value but an array or an object.
    case anything
  }

  /// A member, in the order of the selection.
  @unsafe package struct Step {
    /// The key with its quotes and the colon.
    let key: JSONKey
    let keyLength: Int32
    let leaf: Leaf
    let isList: Bool
    /// Whether the elements of the list are lists. Only null is parsed then.
    let isNested: Bool
    let isNonNull: Bool
    let isElementNonNull: Bool
    /// A number of the caller for a scalar.
    let scalar: Int32
    let targets: UnsafeBufferPointer<Target>
    let below: UnsafePointer<RecordChoice>?

    /// - Parameters:
    ///   - key: the response name, ASCII.
    ///   - targets: at least one.
    ///   - below: the layouts of the objects.
    package init(
      key: [UInt8], leaf: Leaf, isList: Bool, isNested: Bool, isNonNull: Bool,
      isElementNonNull: Bool, scalar: Int,
      targets: UnsafeBufferPointer<Target>, below: UnsafePointer<RecordChoice>?
    ) {
      let quoted = [Byte.quote] + key + [Byte.quote, Byte.colon]
      unsafe self.key = JSONKey(quoted)
      unsafe keyLength = Int32(quoted.count)
      unsafe self.leaf = leaf
      unsafe self.isList = isList
      unsafe self.isNested = isNested
      unsafe self.isNonNull = isNonNull
      unsafe self.isElementNonNull = isElementNonNull
      unsafe self.scalar = Int32(scalar)
      unsafe self.targets = unsafe targets
      unsafe self.below = unsafe below
    }

    package func deallocate() {
      unsafe key.deallocate()
      unsafe targets.deallocate()
    }
  }

  let steps: UnsafeBufferPointer<Step>
  let parts: UnsafeBufferPointer<Part>
  let links: UnsafeBufferPointer<Link>
  let size: Int

  package init(
    steps: UnsafeBufferPointer<Step>, parts: UnsafeBufferPointer<Part>,
    links: UnsafeBufferPointer<Link>, size: Int
  ) {
    unsafe self.steps = unsafe steps
    unsafe self.parts = unsafe parts
    unsafe self.links = unsafe links
    unsafe self.size = size
  }

  package func deallocate() {
    for position in unsafe steps.indices { unsafe steps[position].deallocate() }
    unsafe steps.deallocate()
    unsafe parts.deallocate()
    unsafe links.deallocate()
  }
}

/// The layouts of the objects at one place.
// Safe: the owner of the place frees its memory, and the layouts live as long as the place.
@unsafe package struct RecordChoice {
  /// The layout of all of them; nil if it depends on their types, or is not known.
  package var only: UnsafePointer<RecordLayout>?
  /// The layouts by `__typename`, as the members begin: `"__typename":"Product"`.
  package var types:
    UnsafeMutableBufferPointer<(member: JSONKey, length: Int, layout: UnsafePointer<RecordLayout>)>

  package init() {
    unsafe only = nil
    unsafe types = .init(start: nil, count: 0)
  }

  /// Adds the layout for a type.
  package mutating func add(_ typeName: [UInt8], _ layout: UnsafePointer<RecordLayout>) {
    let member = Array("\"__typename\":\"".utf8) + typeName + [Byte.quote]
    let larger = unsafe UnsafeMutableBufferPointer<
      (member: JSONKey, length: Int, layout: UnsafePointer<RecordLayout>)
    >.allocate(capacity: types.count + 1)
    for position in unsafe types.indices {
      unsafe larger.initializeElement(at: position, to: types[position])
    }
    unsafe larger.initializeElement(
      at: types.count, to: (JSONKey(member), member.count, layout))
    unsafe types.deallocate()
    unsafe types = unsafe larger
  }

  package func deallocate() {
    for position in unsafe types.indices { unsafe types[position].member.deallocate() }
    unsafe types.deallocate()
  }
}
