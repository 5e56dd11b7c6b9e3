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
