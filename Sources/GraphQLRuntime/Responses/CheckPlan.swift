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

extension GraphQL {
  /// The fields that an operation selects on one object of one type (specification: 6.3.3 Field
  /// Collection), flattened from its selection sets and fragments. Created once per response and
  /// position.
  package final class CollectedFields {
    let type: TypeInfo
    package private(set) var fields: [CollectedField] = []
    private var positions: [String: Int] = [:]
    /// Collected fragments, and whether their type condition is certainly true.
    private var visited: (certain: Set<ObjectIdentifier>, possible: Set<ObjectIdentifier>) = (
      [], []
    )

    /// - Parameters:
    ///   - sets: the selection sets that apply to the object.
    ///   - type: the object's type, or the abstract type of the field where the object's own type is
    ///     unknown.
    package init(_ sets: [SelectionSet], of type: TypeInfo, in schema: SchemaTable) {
      self.type = type
      for set in sets { gather(set, in: schema, isCertain: true) }
    }

    /// - Parameter sets: those of a field, and whether each certainly applies to the field's object.
    fileprivate init(
      _ sets: [(set: SelectionSet, isCertain: Bool)], of type: TypeInfo, in schema: SchemaTable
    ) {
      self.type = type
      // An object that only one set can have brought has everything in it.
      let isOnly = sets.count == 1
      for (set, isCertain) in sets { gather(set, in: schema, isCertain: isCertain || isOnly) }
    }

    /// The position of the field for a response's key.
    func position(of key: Int, in json: JSONDocument) -> Int? {
      // Swift compares strings by Unicode equivalence; here the bytes decide.
      guard let position = positions[json.string(at: key)],
        fields[position].matches(key, in: json)
      else { return nil }
      return position
    }

    /// - Parameter isCertain: false below a type condition that may be true or false.
    private func gather(_ set: SelectionSet, in schema: SchemaTable, isCertain: Bool) {
      for entry in set.entries {
        switch entry {
        case .field(let field) where field.directives.include:
          add(field, in: schema, isCertain: isCertain)
        case .inlineFragment(let condition, let directives, let inner) where directives.include:
          gather(
            inner, on: condition, in: schema, isCertain: isCertain && !directives.mayComeLater)
        case .spread(let fragment, let directives) where directives.include:
          let isCertain = isCertain && !directives.mayComeLater
          guard visit(fragment, isCertain: isCertain) else { continue }
          gather(
            fragment.selectionSet, on: fragment.type?.name ?? type.name, in: schema,
            isCertain: isCertain)
        default: break
        }
      }
    }

    private func gather(
      _ set: SelectionSet, on condition: String, in schema: SchemaTable, isCertain: Bool
    ) {
      if schema.applies(condition, to: type) {
        gather(set, in: schema, isCertain: isCertain)
      } else if type.isAbstract, schema.type(named: condition)?.isAbstract == true {
        // An object of an unknown type: only the server knows whether the condition is true.
        gather(set, in: schema, isCertain: false)
      }
    }

    private func visit(_ fragment: FragmentDefinition, isCertain: Bool) -> Bool {
      let identifier = ObjectIdentifier(fragment)
      if visited.certain.contains(identifier) { return false }
      return isCertain
        ? visited.certain.insert(identifier).inserted
        : visited.possible.insert(identifier).inserted
    }

    private func add(
      _ field: SelectionSet.Field, in schema: SchemaTable, isCertain: Bool
    ) {
      let position = positions[field.responseName] ?? fields.count
      if position == fields.count {
        positions[field.responseName] = position
        fields.append(
          CollectedField(field, info: type.field(field.name) ?? field.info, in: schema))
      }
      if isCertain { fields[position].isRequired = true }
      if let set = field.selectionSet { fields[position].merged.append((set, isCertain)) }
    }
  }

  /// One response name of an object.
  package final class CollectedField {
    /// The response name's UTF-8.
    package let key: [UInt8]
    package let name: String
    package let arguments: [Argument]
    package let rawArguments: String?
    package let directives: [AppliedDirective]
    /// nil for `__typename`.
    package let info: FieldInfo?
    /// The type of the nested objects; nil for a field with a value.
    let type: TypeInfo?
    package fileprivate(set) var isRequired = false
    /// The selection sets on the nested objects. A set is not certain in a fragment that may not apply, or may
    /// come later.
    fileprivate var merged: [(set: SelectionSet, isCertain: Bool)] = []
    /// The selections on the nested objects, by their types. A list of one or a few.
    private var collected: [CollectedFields] = []

    init(_ field: SelectionSet.Field, info: FieldInfo?, in schema: SchemaTable) {
      key = Array(field.responseName.utf8)
      name = field.name
      arguments = field.arguments
      rawArguments = field.rawArguments
      directives = field.directives
      self.info = info
      type = info.flatMap { schema.type(of: $0) }
    }

    package var sets: [SelectionSet] { merged.map(\.set) }

    @inline(__always)
    func matches(_ index: Int, in json: JSONDocument) -> Bool {
      json.stringEquals(index, key)
    }

    func fields(of type: TypeInfo, in schema: SchemaTable) -> CollectedFields {
      if let known = collected.first(where: { $0.type === type }) { return known }
      let fields = CollectedFields(merged, of: type, in: schema)
      collected.append(fields)
      return fields
    }
  }
}

extension GraphQL {
  /// The key under which a field is stored: its name, then its arguments in canonical JSON, then the
  /// directives that may give it another value.
  package enum StorageKey {
    package static func text(
      _ name: String, _ arguments: [Argument], raw: String?, _ directives: [AppliedDirective]
    ) -> String {
      directives.filter { !passive.contains($0.name) }.reduce(text(name, arguments, raw: raw)) {
        "\($0)@\(text($1.name, $1.arguments, raw: nil))"
      }
    }

    /// Directives that control whether and when a field arrives, not its value.
    private static let passive: Set<String> = ["include", "skip", "defer", "stream"]

    private static func text(_ name: String, _ arguments: [Argument], raw: String?) -> String {
      // Raw arguments are text that was not parsed, so they are a key of their own.
      if let raw { return name + raw }
      guard !arguments.isEmpty else { return name }
      var object = JSON.Object()
      for argument in arguments { object[argument.name] = json(argument.value) }
      return text(name, .object(object))
    }

    /// The key of a field with arguments as a JSON object.
    package static func text(_ name: String, _ arguments: JSON) -> String {
      "\(name)(\(canonical(arguments)))"
    }

    /// The name of the field in a storage key.
    package static func fieldName(_ key: String) -> String {
      key.firstIndex { $0 == "(" || $0 == "@" }.map { String(key[..<$0]) } ?? key
    }

    /// The arguments in a storage key; nil for raw arguments and for a key with directives.
    package static func arguments(_ key: String) -> JSON? {
      let name = fieldName(key)
      let rest = key.dropFirst(name.count)
      if rest.isEmpty { return [:] }
      guard rest.first == "(", rest.last == ")" else { return nil }
      return try? JSON(parsing: Array(rest.dropFirst().dropLast().utf8))
    }

    /// Whether two arguments are equal, whatever the order of their members.
    package static func isSame(_ left: JSON, _ right: JSON) -> Bool {
      canonical(left) == canonical(right)
    }

    package static func json(_ value: any InputValue) -> JSON {
      var writer = ValueWriter(.json)
      value._write(to: &writer)
      // An operation whose arguments cannot be written is never created.
      return (try? JSON(parsing: writer.bytes)) ?? .null
    }

    /// Names sorted at every level. An argument is as deep as the query's author wrote it.
    private static func canonical(_ json: JSON) -> JSON {
      switch json {
      case .object(let object):
        .object(
          JSON.Object(
            object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
              .map { JSON.Object.Member(key: $0.key, value: canonical($0.value)) }))
      case .array(let elements): .array(elements.map(canonical))
      case .null, .bool, .number, .string: json
      }
    }
  }
}
