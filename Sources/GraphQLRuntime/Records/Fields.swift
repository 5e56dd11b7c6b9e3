import GraphJSON

extension GraphQL {
  /// The fields of an object that a generated struct reads: a response, and the place of the object's record
  /// in it.
  // Safe: the record is one of the document, which owns the memory.
  @safe public struct Fields: Sendable {
    let document: ResponseDocument
    let record: Int

    @inline(__always)
    init(_ document: ResponseDocument, _ record: Int) {
      self.document = document
      self.record = record
    }
  }

  /// An object of a response with exactly the fields that a document selects. Only generated structs adopt it:
  /// they have one stored property, a ``Fields``.
  // A marker, as `Sendable` is: a conformance to a protocol without requirements would still be 150 bytes of each
  // struct.
  @_marker public protocol SelectedObject: Sendable {}
}

extension GraphQL.SelectedObject {
  /// Generated structs have no initialiser that the runtime can call, since a protocol requirement for each
  /// of them is a tenth of the time of compiling them.
  // Safe: a generated struct has one stored property of this type, so both have the same layout.
  @inline(__always)
  init(fields: GraphQL.Fields) {
    assert(MemoryLayout<Self>.size == MemoryLayout<GraphQL.Fields>.size)
    self = unsafe unsafeBitCast(fields, to: Self.self)
  }

  // Safe: a generated struct has no other stored property.
  @inline(__always)
  var fields: GraphQL.Fields {
    assert(MemoryLayout<Self>.size == MemoryLayout<GraphQL.Fields>.size)
    return unsafe unsafeBitCast(self, to: GraphQL.Fields.self)
  }
}

// The functions that generated accessors call. A slot that must have a value has one, since the response was
// checked; the generator numbers slots as `RecordView` does.
// Safe: the record is one of the document, and has the slot.
extension GraphQL.Fields {
  @inline(__always)
  var tape: JSONTape { unsafe document.directTape }

  @inline(__always)
  func reader(_ slot: Int) -> GraphQL.ValueReader {
    GraphQL.ValueReader(
      document: document, index: unsafe tape.value(ofSlot: record &+ 1 &+ slot))
  }

  @inline(__always)
  func isEmpty(_ slot: Int) -> Bool { unsafe tape.isEmpty(slot: record &+ 1 &+ slot) }

  @inline(__always)
  private func at(_ slot: Int) -> Int { record &+ 1 &+ slot }

  /// The record to which the slot at an index leads.
  @inline(__always)
  func record(ofSlot index: Int) -> Int {
    guard unsafe tape.isRecord(slot: index) else { impossible(index &- record &- 1) }
    return unsafe tape.place(ofSlot: index)
  }

  /// The list of records to which the slot at an index leads.
  @inline(__always)
  func list(ofSlot index: Int) -> Int {
    guard unsafe tape.isList(slot: index) else { impossible(index &- record &- 1) }
    return unsafe tape.place(ofSlot: index)
  }

  @inline(never)
  private func impossible(_ slot: Int) -> Never {
    preconditionFailure(
      "a checked value has another form, in slot \(slot); generate the code again")
  }

  /// A string.
  public func string(_ slot: Int) -> String {
    if let value = unsafe tape.string(at: at(slot)) { return value }
    impossible(slot)
  }

  /// A string or nil.
  public func stringOpt(_ slot: Int) -> String? { unsafe tape.string(at: at(slot)) }

  /// An integer.
  public func int(_ slot: Int) -> Int {
    if let value = intOpt(slot) { return value }
    impossible(slot)
  }

  /// An integer or nil.
  public func intOpt(_ slot: Int) -> Int? {
    if let value = unsafe tape.plainInteger(at: at(slot)) { return Int(value) }
    return isEmpty(slot) ? nil : Int._read(reader(slot))
  }

  /// A floating-point number.
  public func double(_ slot: Int) -> Double {
    if let value = doubleOpt(slot) { return value }
    impossible(slot)
  }

  /// A floating-point number or nil.
  public func doubleOpt(_ slot: Int) -> Double? {
    if let value = unsafe tape.plainDouble(at: at(slot)) { return value }
    return isEmpty(slot) ? nil : Double._read(reader(slot))
  }

  /// A Boolean value.
  public func bool(_ slot: Int) -> Bool {
    if let value = boolOpt(slot) { return value }
    impossible(slot)
  }

  /// A Boolean value or nil.
  public func boolOpt(_ slot: Int) -> Bool? { unsafe tape.bool(at: at(slot)) }

  /// An ID.
  public func id(_ slot: Int) -> GraphQL.ID {
    if let value = idOpt(slot) { return value }
    impossible(slot)
  }

  /// An ID or nil.
  public func idOpt(_ slot: Int) -> GraphQL.ID? { GraphQL.ID._read(reader(slot)) }

  /// Enums, custom scalars, and lists of values.
  public func value<Value: GraphQL.OutputValue>(_ slot: Int) -> Value {
    do throws(GraphQL.WrongForm) {
      return try Value._require(reader(slot))
    } catch { impossible(slot) }
  }

  /// An enum, a custom scalar or a list of values, or nil.
  public func valueOpt<Value: GraphQL.OutputValue>(_ slot: Int) -> Value? {
    isEmpty(slot) ? nil : value(slot) as Value
  }

  /// An object, or the same object as a fragment or as one of another type.
  public func one<Object: GraphQL.SelectedObject>(_ slot: Int) -> Object {
    Object(fields: GraphQL.Fields(document, record(ofSlot: at(slot))))
  }

  /// An object or nil.
  public func oneOpt<Object: GraphQL.SelectedObject>(_ slot: Int) -> Object? {
    isEmpty(slot) ? nil : one(slot) as Object
  }

  /// Objects.
  // Safe: a generated struct is its fields, and nothing else. An array of them by their own type would request the
  // metadata of the array's storage for each list, which takes longer than to fill it.
  public func list<Object: GraphQL.SelectedObject>(_ slot: Int) -> [Object] {
    assert(MemoryLayout<Object>.size == MemoryLayout<GraphQL.Fields>.size)
    return unsafe unsafeBitCast(objects(slot), to: [Object].self)
  }

  private func objects(_ slot: Int) -> [GraphQL.Fields] {
    let tape = unsafe tape
    let block = list(ofSlot: at(slot))
    let count = unsafe tape.count(at: block)
    // `init(unsafeUninitializedCapacity:)` is not specialised in Swift 6.3, and also requests that metadata for each
    // list.
    var objects: [GraphQL.Fields] = []
    objects.reserveCapacity(count)
    for position in 0..<count {
      objects.append(GraphQL.Fields(document, record(ofSlot: block &+ 2 &+ position)))
    }
    return objects
  }

  /// Objects or nil.
  public func listOpt<Object: GraphQL.SelectedObject>(_ slot: Int) -> [Object]? {
    isEmpty(slot) ? nil : list(slot) as [Object]
  }

  /// Objects in any other nesting of lists and optionals.
  public func lists<Value: GraphQL.SelectedNesting, Object: GraphQL.SelectedObject>(
    _ slot: Int, of object: Object.Type
  ) -> Value {
    Value._nested(self, at(slot), of: object)
  }
}

// Safe: the record is one of the document.
extension GraphQL.Fields: CustomDebugStringConvertible, CustomReflectable {
  /// The JSON of the object as it arrived, with the fields of all selections on it.
  public var debugDescription: String { unsafe tape.text(ofRecord: record) }

  /// No children: the object is shown by its JSON.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// Safe: the record is one of the document, and has the slot.
extension GraphQL.Fields {
  /// Whether a deferred fragment has arrived. The label is that of `@defer`.
  public func delivery(_ slot: Int, _ label: String? = nil) -> GraphQL.Delivery {
    let slot = record + 1 + slot
    if unsafe !tape.isEmpty(slot: slot) { return .complete }
    guard unsafe tape.isMissing(slot: slot) else { return .excluded }
    guard let recorded = document.recorded else { return .failed([]) }
    let path = path(in: recorded)
    let (context, part) = (recorded.context, GraphQL.ResponseContext.Part(path, label))
    if context.hasNext, !context.failed.has(part) { return .pending }
    return .failed(recorded.errors(below: path))
  }

  /// Whether all items of a streamed list have arrived. The key is its response name, and the label that of
  /// `@stream`.
  public func delivery(
    _ slot: Int, ofList key: StaticString, _ label: String? = nil
  ) -> GraphQL.Delivery {
    let isEmpty = unsafe tape.isEmpty(slot: record + 1 + slot)
    guard let recorded = document.recorded else { return isEmpty ? .excluded : .complete }
    let context = recorded.context
    if isEmpty {
      guard hasMember("\(key)", in: recorded) else { return .excluded }
      let errors = recorded.errors(below: path(in: recorded) + [.key("\(key)")])
      return errors.isEmpty ? .complete : .failed(errors)
    }
    guard context.hasNext || !context.failed.isEmpty else { return .complete }
    let path = path(in: recorded) + [.key("\(key)")]
    let part = GraphQL.ResponseContext.Part(path, label)
    if context.failed.has(part) { return .failed(recorded.errors(below: path)) }
    return context.hasNext && context.announced?.has(part) != false ? .pending : .complete
  }

  /// The value of a field, which has the response name `key`. It throws the error because of which it is null.
  public func orError<Value>(
    _ slot: Int, _ key: StaticString, _ value: Value?
  ) throws(GraphQL.ResponseError) -> Value? {
    guard unsafe tape.isEmpty(slot: record + 1 + slot), let recorded = document.recorded,
      !recorded.context.errors.isEmpty
    else { return value }
    if let error = recorded.errors(below: path(in: recorded) + [.key("\(key)")]).first {
      throw error
    }
    return value
  }

  /// Whether two objects with equal values have equal deliveries and errors.
  func hasEqualDeliveries(_ other: GraphQL.Fields) -> Bool {
    let (left, right) = (document.recorded, other.document.recorded)
    if left?.context.isPlain != false, right?.context.isPlain != false { return true }
    return deliveries(in: left) == other.deliveries(in: right)
  }

  private func deliveries(in recorded: GraphQL.RecordedText?) -> GraphQL.ResponseContext {
    guard let recorded else { return .complete }
    var context = recorded.context.below(path(in: recorded))
    // The store does not keep positions in the text that was sent.
    context.errors = context.errors.map { error in
      GraphQL.ResponseError(message: error.message, path: error.path, extensions: error.extensions)
    }
    return context
  }

  /// Whether the object has a member, which may be null.
  private func hasMember(_ key: String, in recorded: GraphQL.RecordedText) -> Bool {
    let (json, root) = (recorded.handle.document.json, recorded.handle.index)
    let offset = unsafe tape.offset(ofRecord: record)
    guard let object = json.object(atOffset: offset, in: root) else { return false }
    return json.member(key, of: object) != nil
  }

  private func path(in recorded: GraphQL.RecordedText) -> [GraphQL.ResponsePathElement] {
    recorded.path(toObjectAt: unsafe tape.offset(ofRecord: record))
  }
}

extension Set<GraphQL.ResponseContext.Part> {
  /// Some services do not repeat the labels of the document.
  fileprivate func has(_ part: Element) -> Bool {
    contains(part) || part.label != nil && contains(Element(part.path, nil))
  }
}

extension GraphQL.ResponseContext {
  /// Whether it is that of a whole response without errors.
  var isPlain: Bool { !hasNext && failed.isEmpty && errors.isEmpty }

  /// The facts about the object with that path, and about all in it. Their paths begin at the object.
  func below(_ path: [GraphQL.ResponsePathElement]) -> Self {
    func isBelow(_ other: [GraphQL.ResponsePathElement]) -> Bool { other.starts(with: path) }
    func parts(_ parts: Set<Part>) -> Set<Part> {
      Set(
        parts.filter { isBelow($0.path) }
          .map { Part(Array($0.path.dropFirst(path.count)), $0.label) })
    }
    var context = Self()
    context.failed = parts(failed)
    context.announced = announced.map { parts($0).subtracting(context.failed) }
    context.hasNext = hasNext && context.announced?.isEmpty != true
    // An object of which all has arrived is the same, however it arrived.
    if !context.hasNext { context.announced = nil }
    context.errors = errors.filter { isBelow($0.path) }.map { error in
      GraphQL.ResponseError(
        message: error.message, locations: error.locations,
        path: Array(error.path.dropFirst(path.count)), extensions: error.extensions)
    }
    return context
  }
}

extension GraphQL.RecordedText {
  /// The errors of the value with that path, and of all in it.
  fileprivate func errors(below path: [GraphQL.ResponsePathElement]) -> [GraphQL.ResponseError] {
    context.errors.filter { $0.path.starts(with: path) }
  }
}

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
