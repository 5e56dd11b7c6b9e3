/// The layouts of the objects at one place.
// Safe: the owner of the place frees its memory, and the layouts live as long as the place.
@unsafe package struct RecordChoice {
  /// The layout of all of them; nil if it depends on their types, or is not known.
  package var only: UnsafePointer<RecordLayout>?
  /// The layouts by the names of types, each with the quote after it.
  private var types: UnsafeBufferPointer<(name: TextPattern, layout: UnsafePointer<RecordLayout>)>

  package init() {
    unsafe only = nil
    unsafe types = .init(start: nil, count: 0)
  }

  /// Adds the layout for a type.
  package mutating func add(_ typeName: [UInt8], _ layout: UnsafePointer<RecordLayout>) {
    let added = unsafe (name: TextPattern(typeName + [Byte.quote]), layout: layout)
    let larger = unsafe UnsafeBufferPointer.copying(Array(types) + [added])
    unsafe types.deallocate()
    unsafe types = unsafe larger
  }

  package func deallocate() {
    for position in unsafe types.indices { unsafe types[position].name.deallocate() }
    unsafe types.deallocate()
  }

  /// - Parameter name: the first letter of a type's name.
  @inline(__always)
  func layout(at name: TextCursor) -> UnsafePointer<RecordLayout>? {
    for position in unsafe types.indices where unsafe types[position].name.matches(name) {
      return unsafe types[position].layout
    }
    return nil
  }
}
