extension GraphQL {
  /// The selections of a builder and of all builders that it created, in one block of memory.
  ///
  /// A field is 32 bytes that are written once. With an array of selections in each builder, a set
  /// of fields needed up to four allocations, and each field retained a reference: three quarters
  /// of the time of building.
  ///
  /// Builders share the tree by its address, and the last one frees it. They are counted without
  /// atomic operations, since a builder is not Sendable: it and the builders that it creates belong
  /// to one task.
  // Safe: there is space for `capacity` nodes; positions are those that `append` has returned.
  @safe struct SelectionTree: ~Copyable {
    /// In the order in which they were selected, across all builders.
    private(set) var nodes: UnsafeMutablePointer<SelectionNode>
    private(set) var count = 0
    private var capacity = 64
    /// The first selection of the builder that created the tree.
    private(set) var first = SelectionNode.none
    private var users = 1
    /// The arguments of all fields; those of one field are contiguous.
    private(set) var arguments: [Argument] = []
    private(set) var details: [SelectionDetails] = []
    /// The modifiers for the next selection of a builder, by the builder's owner.
    var pending: [Int32: Modifiers] = [:]
    /// The builders that were passed to
    /// ``AbstractQuery/addField(field:aliasSuffix:args:subfields:)``, by their field.
    private(set) var attached: [Int32: AbstractQuery] = [:]
    /// Names that are not literals of the program.
    private(set) var ownedNames: [UnsafeMutableBufferPointer<UInt8>] = unsafe []
    var header: OperationHeader?

    private init() {
      unsafe nodes = .allocate(capacity: capacity)
    }

    deinit {
      unsafe nodes.deallocate()
      unsafe ownedNames.forEach { unsafe $0.deallocate() }
    }

    /// A tree with one user.
    static func make() -> UnsafeMutablePointer<SelectionTree> {
      let tree = UnsafeMutablePointer<SelectionTree>.allocate(capacity: 1)
      unsafe tree.initialize(to: SelectionTree())
      return unsafe tree
    }

    /// Whether every modifier applies to a selection, and all names are literals.
    var isPlain: Bool {
      unsafe pending.isEmpty && ownedNames.isEmpty && count <= SelectionMerger.maximumCount
    }

    /// Counts one more user.
    @inline(__always)
    mutating func retain() { users &+= 1 }

    /// Whether the removed user was the last one.
    @inline(__always)
    mutating func release() -> Bool {
      users &-= 1
      return users == 0
    }

    /// Adds a selection after `last` of the builder whose owner is `owner`, and returns its
    /// position.
    @inline(__always)
    mutating func append(
      _ name: UnsafeBufferPointer<UInt8>, after last: Int32, of owner: Int32
    ) -> Int32 {
      if count == capacity { grow() }
      let place = Int32(truncatingIfNeeded: count)
      unsafe (nodes + count).initialize(to: SelectionNode(name))
      count &+= 1
      if last >= 0 {
        unsafe nodes[Int(last)].next = place
      } else if owner >= 0 {
        unsafe nodes[Int(owner)].child = place
      } else {
        first = place
      }
      return place
    }

    /// Keeps a name alive as long as the tree.
    mutating func own(_ name: String) -> UnsafeBufferPointer<UInt8> {
      unsafe name.withBytes { bytes in
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe copy.initialize(fromContentsOf: bytes)
        unsafe ownedNames.append(copy)
        return UnsafeBufferPointer(copy)
      }
    }

    mutating func append(_ argument: consuming Argument, to place: Int32) {
      if arguments.isEmpty { arguments.reserveCapacity(8) }
      let node = unsafe nodes + Int(place)
      let end = unsafe Int(node.pointee.firstArgument &+ node.pointee.argumentCount)
      if unsafe node.pointee.argumentCount == 0 {
        unsafe node.pointee.firstArgument = Int32(arguments.count)
      } else if end != arguments.count {
        // Another field got arguments in between.
        let first = Int32(arguments.count)
        unsafe arguments += arguments[Int(node.pointee.firstArgument)..<end]
        unsafe node.pointee.firstArgument = first
      }
      arguments.append(argument)
      unsafe node.pointee.argumentCount &+= 1
    }

    mutating func set(_ details: SelectionDetails, of place: Int32) {
      let node = unsafe nodes + Int(place)
      if unsafe node.pointee.details >= 0 {
        unsafe self.details[Int(node.pointee.details)] = details
      } else {
        unsafe node.pointee.details = Int32(self.details.count)
        self.details.append(details)
      }
    }

    /// Opens a selection set below a selection, replacing any existing one.
    @inline(__always)
    mutating func openChild(of place: Int32) {
      unsafe nodes[Int(place)].child = SelectionNode.empty
    }

    mutating func attach(_ builder: AbstractQuery, to place: Int32) {
      unsafe nodes[Int(place)].child = SelectionNode.attached
      attached[place] = builder
    }

    @inline(never)
    private mutating func grow() {
      let larger = UnsafeMutablePointer<SelectionNode>.allocate(capacity: capacity * 2)
      unsafe larger.update(from: nodes, count: count)
      unsafe nodes.deallocate()
      unsafe nodes = larger
      capacity *= 2
    }
  }

  /// One selection (specification: 2.4 Selection Sets): plain memory without references to count.
  // Safe: the name is a literal of the program or one that the tree owns; `bytes` is valid only
  // during a call.
  @safe struct SelectionNode: BitwiseCopyable {
    /// No selection.
    static let none: Int32 = -1
    /// For ``child``: a selection set without selections yet.
    static let empty: Int32 = -2
    /// For ``child``: selections of another tree.
    static let attached: Int32 = -3

    /// The name of a field, or the type condition of an inline fragment; empty for a spread.
    let name: UnsafePointer<UInt8>?
    let nameCount: Int32
    /// The next selection of the same builder.
    var next = none
    /// The first selection below.
    var child = none
    /// The position in ``SelectionTree/details``; none for a field without details.
    var details = none
    /// The position in ``SelectionTree/arguments``, if there are any.
    var firstArgument: Int32 = 0
    var argumentCount: Int32 = 0

    @inline(__always)
    init(_ name: UnsafeBufferPointer<UInt8>) {
      unsafe self.name = name.baseAddress
      nameCount = Int32(truncatingIfNeeded: name.count)
    }

    @inline(__always)
    var bytes: UnsafeBufferPointer<UInt8> {
      unsafe UnsafeBufferPointer(start: name, count: Int(nameCount))
    }

    /// The positions of its arguments.
    var argumentRange: Range<Int> {
      Int(firstArgument)..<Int(firstArgument) + Int(argumentCount)
    }
  }
}
