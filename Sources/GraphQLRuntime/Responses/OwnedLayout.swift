import GraphJSON

extension GraphQL {
  /// A layout and its memory.
  // Safe: the memory is constant, and freed with this object. Plans own it, which one thread at a time uses.
  @safe final class OwnedLayout: @unchecked Sendable {
    let pointer: UnsafePointer<RecordLayout>

    init(_ layout: RecordLayout) {
      let memory = UnsafeMutablePointer<RecordLayout>.allocate(capacity: 1)
      unsafe memory.initialize(to: layout)
      unsafe pointer = UnsafePointer(memory)
    }

    deinit {
      unsafe pointer.pointee.deallocate()
      unsafe pointer.deallocate()
    }
  }

  /// The layouts of the objects at one place, and their memory.
  // Safe: the memory is freed with this object. Plans own it, which one thread at a time uses.
  @safe final class LayoutChoice: @unchecked Sendable {
    private let memory: UnsafeMutablePointer<RecordChoice>

    init() {
      unsafe memory = .allocate(capacity: 1)
      unsafe memory.initialize(to: RecordChoice())
    }

    deinit {
      unsafe memory.pointee.deallocate()
      unsafe memory.deallocate()
    }

    var pointer: UnsafePointer<RecordChoice> { unsafe UnsafePointer(memory) }

    /// Adds the layout of objects of the type `type`.
    ///
    /// - Parameter declared: the type of the field that leads to the place; nil for the root.
    func add(_ layout: OwnedLayout, of type: TypeInfo, declared: TypeInfo?) {
      if declared?.isAbstract != true {
        unsafe memory.pointee.only = unsafe layout.pointer
      } else if !type.isAbstract {
        unsafe memory.pointee.add(Array(type.name.utf8), layout.pointer)
      }
    }
  }
}
