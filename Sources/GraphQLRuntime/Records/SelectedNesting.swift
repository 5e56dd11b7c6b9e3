import GraphJSON

extension GraphQL {
  /// An optional or a list of objects, or of such values.
  public protocol SelectedNesting {
    /// The value of a slot.
    ///
    /// - Parameter object: the type of the objects.
    static func _nested(_ fields: Fields, _ index: Int, of object: any Any.Type) -> Self
  }
}

extension Optional: GraphQL.SelectedNesting {
  // Safe: the index is that of a slot.
  public static func _nested(
    _ fields: GraphQL.Fields, _ index: Int, of object: any Any.Type
  ) -> Wrapped? {
    unsafe fields.tape.isEmpty(slot: index) ? nil : fields.nested(index, of: object) as Wrapped
  }
}

extension Array: GraphQL.SelectedNesting {
  // Safe: the index is that of a slot with a block, whose elements are slots.
  public static func _nested(
    _ fields: GraphQL.Fields, _ index: Int, of object: any Any.Type
  ) -> [Element] {
    let tape = unsafe fields.tape
    let block = fields.list(ofSlot: index)
    return unsafe (0..<tape.count(at: block)).map {
      fields.nested(block + 2 + $0, of: object) as Element
    }
  }
}

extension GraphQL.Fields {
  /// - Parameter index: that of a slot.
  // Safe: a type that is not a layer is that of the objects, generated structs, whose layout is that of `Fields`.
  fileprivate func nested<Value>(_ index: Int, of object: any Any.Type) -> Value {
    if let layer = Value.self as? any GraphQL.SelectedNesting.Type {
      return layer._nested(self, index, of: object) as! Value
    }
    precondition(Value.self == object, "\(Value.self) is not \(object); generate the code again")
    return unsafe unsafeBitCast(
      GraphQL.Fields(document, record(ofSlot: index)), to: Value.self)
  }
}
