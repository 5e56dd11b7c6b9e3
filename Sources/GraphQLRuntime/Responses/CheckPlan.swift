import GraphJSON

extension GraphQL {
  /// The fields that ``ResponseChecker`` expects of one object of one type, laid out for a loop
  /// over its members: plain memory without references to count.
  ///
  /// A plan is created when its position in the operation is first reached. It serves all later
  /// responses to the operation, one at a time: see ``FrozenSelection/withPlan(_:)``.
  // Safe: one check at a time uses the plan; its memory, a step for each field, is freed with it.
  @safe final class CheckPlan: @unchecked Sendable {
    /// One field, in the order of the selection.
    @safe struct Step {
      let key: JSONKey
      let wrapping: Wrapping
      let leaf: Leaf
      /// The kinds of values that are valid regardless of their contents.
      let certain: JSONKinds
      /// The plan of the nested objects, once it is created; also nil if it depends on the object.
      var below: UnsafePointer<Layout>?
    }

    /// The parts of a plan that a loop needs. Its memory lives as long as the plan.
    @safe struct Layout {
      let steps: UnsafeMutablePointer<Step>
      let count: Int
      /// Unowned: ``CheckPlan/children`` owns nested plans, and the operation owns the topmost one.
      let plan: Unmanaged<CheckPlan>
    }

    /// How a value is found to be valid without reading it.
    enum Leaf: BitwiseCopyable {
      case string, int, float, boolean, id, anything, object
      /// The `__typename` of an object whose type is known.
      case typeName
      case scalar(PlainText)
      /// A scalar whose bytes show nothing.
      case opaqueScalar
    }

    let collected: CollectedFields
    private let schema: SchemaTable
    private let steps: UnsafeMutableBufferPointer<Step>
    private let memory: UnsafeMutablePointer<Layout>
    /// The plans of the objects below a field, by type names in the server's form.
    private var children: [[(typeName: [UInt8], plan: CheckPlan)]]
    private var usual: UsualLayout?

    init(_ collected: CollectedFields, in schema: SchemaTable) {
      self.collected = collected
      self.schema = schema
      unsafe steps = .allocate(capacity: collected.fields.count)
      let isObject = collected.type.kind == .object
      _ = unsafe steps.initialize(
        from: collected.fields.lazy.map { Self.step($0, ofObjectType: isObject) })
      unsafe memory = .allocate(capacity: 1)
      children = Array(repeating: [], count: collected.fields.count)
      // An empty buffer has no address; this one is never read.
      let first = unsafe steps.baseAddress ?? UnsafeMutablePointer(bitPattern: 8)!
      unsafe memory.initialize(
        to: Layout(steps: first, count: steps.count, plan: Unmanaged.passUnretained(self)))
    }

    deinit {
      unsafe steps.forEach { unsafe $0.key.deallocate() }
      unsafe steps.deallocate()
      unsafe memory.deallocate()
    }

    var layout: UnsafePointer<Layout> { unsafe UnsafePointer(memory) }

    /// The plan for the object at `index`, which the field at `position` leads to.
    func below(_ position: Int, _ index: Int, in document: ResponseDocument) -> UnsafePointer<
      Layout
    > {
      let field = collected.fields[position]
      guard let type = field.type else {
        preconditionFailure("\(field.name) does not lead to an object")
      }
      guard type.isAbstract else {
        let layout = unsafe child(position, type, [])
        unsafe steps[position].below = layout
        return unsafe layout
      }
      let json = document.json
      let name = json.member("__typename", of: index)
      if let name, json.kind(at: name) == .string {
        for child in children[position]
        where json.stringEquals(name, child.typeName) {
          return unsafe child.plan.layout
        }
      }
      guard let concrete = ValueReader(document: document, index: index).concreteType(of: type)
      else { return unsafe child(position, type, []) }
      return unsafe child(position, concrete, Array(concrete.name.utf8))
    }

    private func child(
      _ position: Int, _ type: TypeInfo, _ typeName: [UInt8]
    ) -> UnsafePointer<Layout> {
      if let known = children[position].first(where: { $0.plan.collected.type === type }) {
        return unsafe known.plan.layout
      }
      let plan = CheckPlan(collected.fields[position].fields(of: type, in: schema), in: schema)
      children[position].append((typeName, plan))
      usual?.add(plan, at: position)
      return unsafe plan.layout
    }

    /// For parsing responses as they usually are: it is created for the second response, when the plans below are
    /// known. Nil if objects of this type are not as usual.
    func usualLayout(_ scalars: ScalarNumbers) -> OwnedLayout? {
      if let usual { return usual.layout }
      let new = UsualLayout(collected, scalars)
      usual = new
      for (position, plans) in children.enumerated() {
        for child in plans { new.add(child.plan, at: position) }
      }
      return new.layout
    }

    private static func step(_ field: CollectedField, ofObjectType isObject: Bool) -> Step {
      let wrapping = field.info?.type.wrapping ?? .nonNull
      let leaf = field.info.map { Self.leaf($0.named) } ?? (isObject ? .typeName : .string)
      return unsafe Step(
        key: JSONKey(field.key), wrapping: wrapping, leaf: leaf,
        certain: certainKinds(leaf, wrapping), below: nil)
    }

    private static func certainKinds(_ leaf: Leaf, _ wrapping: Wrapping) -> JSONKinds {
      var kinds = JSONKinds()
      if wrapping.outermost != .nonNull { kinds.insert(.null) }
      guard wrapping.isSingle else { return kinds }
      switch leaf {
      case .string, .id: kinds.insert(.string)
      case .boolean: kinds.insert(.bool)
      case .int, .float, .anything, .object, .typeName, .scalar, .opaqueScalar: break
      }
      return kinds
    }

    private static func leaf(_ named: NamedType) -> Leaf {
      switch named {
      case .string, .enumeration: .string
      case .int: .int
      case .float: .float
      case .boolean: .boolean
      case .id: .id
      case .scalar(nil): .anything
      case .scalar(let type?): type._plainText.map(Leaf.scalar) ?? .opaqueScalar
      case .composite, .input: .object
      }
    }
  }
}

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

extension GraphQL {
  /// The fields of a ``CheckPlan`` for parsing an object that has all of them in order.
  // Safe: as `CheckPlan`, which owns it. Its layout references its choices.
  final class UsualLayout: @unchecked Sendable {
    /// nil if an object may lack a field.
    let layout: OwnedLayout?
    private let collected: CollectedFields
    private let scalars: ScalarNumbers
    /// The layouts of the objects below each field.
    private let choices: [LayoutChoice?]

    init(_ collected: CollectedFields, _ scalars: ScalarNumbers) {
      self.collected = collected
      self.scalars = scalars
      let fields = collected.fields
      guard fields.allSatisfy(\.isRequired) else {
        (layout, choices) = (nil, [])
        return
      }
      let choices = fields.map { $0.type == nil ? nil : LayoutChoice() }
      self.choices = choices
      layout = unsafe OwnedLayout(
        RecordLayout(
          steps: fields.enumerated().map { position, field in
            unsafe RecordStep(
              field, isFirst: position == 0, of: collected.type, scalars, targets: [],
              below: choices[position]?.pointer)
          }, parts: [], links: [], size: 0))
    }

    /// Adds the plan of objects below the field at `position`.
    func add(_ plan: CheckPlan, at position: Int) {
      guard layout != nil, let choice = choices[position],
        let below = plan.usualLayout(scalars)
      else { return }
      choice.add(below, of: plan.collected.type, declared: collected.fields[position].type)
    }
  }
}

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

extension GraphQL {
  /// Numbers for the Swift types of custom scalars.
  // Safe: the parts of one plan share it, and one thread at a time uses a plan.
  final class ScalarNumbers: @unchecked Sendable {
    private(set) var types: [any Scalar.Type] = []

    func number(of type: any Scalar.Type) -> Int {
      let identifier = ObjectIdentifier(type)
      if let known = types.firstIndex(where: { ObjectIdentifier($0) == identifier }) {
        return known
      }
      types.append(type)
      return types.count - 1
    }
  }
}
