import GraphJSON

// Safe: the owner of the layout frees the memory of its steps.
extension RecordStep {
  /// The step of a selected field.
  ///
  /// - Parameters:
  ///   - type: that of the object.
  ///   - below: the layouts of the field's objects.
  init(
    _ field: GraphQL.CollectedField, isFirst: Bool, of type: GraphQL.TypeInfo,
    _ scalars: GraphQL.ScalarNumbers, targets: [RecordLayout.Target],
    below: UnsafePointer<RecordChoice>?
  ) {
    let wrapping = field.info?.type.wrapping ?? .nonNull
    var scalar: (any GraphQL.Scalar.Type)?
    var leaf = RecordStep.Leaf.string
    switch field.info?.named {
    case nil: if type.kind == .object { leaf = .text }
    case .string?, .enumeration?: break
    case .int?: leaf = .int
    case .float?: leaf = .float
    case .boolean?: leaf = .boolean
    case .id?: leaf = .id
    case .scalar(nil)?: leaf = .anything
    case .scalar(let type?)?:
      leaf = .scalar
      scalar = type
    case .composite?, .input?: leaf = .object
    }
    unsafe self.init(
      key: field.key, isFirst: isFirst, leaf: leaf, isList: !wrapping.isSingle,
      isNested: !wrapping.element.isSingle,
      isNonNull: wrapping.outermost == .nonNull,
      isElementNonNull: wrapping.element.outermost == .nonNull,
      scalar: scalar.map(scalars.number) ?? 0, textCheck: scalar?._plainText?.check,
      text: leaf == .text ? type.nameText : [], targets: targets, below: below)
  }
}

extension GraphQL.Wrapping {
  /// The wrapping of a list's elements; of a single value, none.
  fileprivate var element: GraphQL.Wrapping {
    let list = outermost == .nonNull ? inner : self
    return list.outermost == .list ? list.inner : list
  }
}
