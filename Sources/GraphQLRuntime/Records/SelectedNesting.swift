import GraphJSON

extension GraphQL {
  /// An optional or a list of objects, or of such values.
  public protocol SelectedNesting {
    /// The value of a slot.
    static func _nested(_ fields: Fields, _ index: Int) -> Self
  }
}

extension Optional: GraphQL.SelectedNesting {
  // Safe: the index is that of a slot.
  public static func _nested(_ fields: GraphQL.Fields, _ index: Int) -> Wrapped? {
    unsafe fields.tape.isEmpty(slot: index) ? nil : fields.nested(index) as Wrapped
  }
}

extension Array: GraphQL.SelectedNesting {
  // Safe: the index is that of a slot with a block, whose elements are slots.
  public static func _nested(_ fields: GraphQL.Fields, _ index: Int) -> [Element] {
    let tape = unsafe fields.tape
    let block = fields.list(ofSlot: index)
    return unsafe (0..<tape.count(at: block)).map { fields.nested(block + 2 + $0) as Element }
  }
}

extension GraphQL.Fields {
  /// - Parameter index: that of a slot.
  // Safe: a type that is not a layer is that of the objects, generated structs, whose layout is that of `Fields`.
  fileprivate func nested<Value>(_ index: Int) -> Value {
    if let layer = Value.self as? any GraphQL.SelectedNesting.Type {
      return layer._nested(self, index) as! Value
    }
    precondition(
      MemoryLayout<Value>.size == MemoryLayout<GraphQL.Fields>.size,
      "\(Value.self) is not a generated struct")
    return unsafe unsafeBitCast(
      GraphQL.Fields(document, record(ofSlot: index)), to: Value.self)
  }
}
