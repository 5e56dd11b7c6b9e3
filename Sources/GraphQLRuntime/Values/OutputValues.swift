import GraphJSON

// The built-in scalars are read inline. The functions that read a field then differ, so the
// compiler does not merge them into one that calls the reading through a pointer.
extension String: GraphQL.OutputValue {
  @inline(__always)
  public static func _read(_ reader: GraphQL.ValueReader) -> String? { reader.string }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> String {
    context.pick("\u{1}treeswift probe", "\u{2}treeswift probe")
  }
}

// Safe: the reader’s index is that of a value in its document.
extension Int: GraphQL.OutputValue {
  /// GraphQL's Int has 32 bits (specification: 3.5.1 Int).
  @inline(__always)
  public static func _read(_ reader: GraphQL.ValueReader) -> Int? {
    if let value = unsafe reader.tape.plainInteger(at: reader.index) { return Int(value) }
    return unsafe reader.tape.kind(at: reader.index) == .number
      ? reader.json.int32(at: reader.index).map(Int.init) : nil
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Int {
    context.pick(-1_911_022_733, 1_733_900_417)
  }
}

// Safe: the reader’s index is that of a value in its document.
extension Double: GraphQL.OutputValue {
  @inline(__always)
  public static func _read(_ reader: GraphQL.ValueReader) -> Double? {
    if let value = unsafe reader.tape.plainDouble(at: reader.index) { return value }
    return unsafe reader.tape.kind(at: reader.index) == .number
      ? reader.json.double(at: reader.index) : nil
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Double {
    context.pick(-7.300910466e+91, 3.117200983e-77)
  }
}

// Safe: the reader’s index is that of a value in its document.
extension Bool: GraphQL.OutputValue {
  @inline(__always)
  public static func _read(_ reader: GraphQL.ValueReader) -> Bool? {
    unsafe reader.tape.bool(at: reader.index)
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Bool {
    context.pick(true, false)
  }
}

extension GraphQL.ID: GraphQL.OutputValue {
  /// An ID may be serialised as a string or an integer (specification: 3.5.5 ID).
  public static func _read(_ reader: GraphQL.ValueReader) -> GraphQL.ID? {
    if let text = reader.string { return GraphQL.ID(rawValue: text) }
    return switch reader.json.kind(at: reader.index) {
    case .number: reader.json.int64(at: reader.index).map { GraphQL.ID(rawValue: "\($0)") }
    default: nil
    }
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> GraphQL.ID {
    GraphQL.ID(rawValue: String._placeholder(context))
  }
}

extension JSON: GraphQL.OutputValue {
  public static func _read(_ reader: GraphQL.ValueReader) -> JSON? {
    reader.json.json(at: reader.index)
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> JSON {
    .string(String._placeholder(context))
  }
}

// Safe: tables live forever, and the position comes from this one.
extension GraphQL.Enum {
  public static func _read(_ reader: GraphQL.ValueReader) -> Self? {
    reader.string.map(Self.init(rawValue:))
  }

  public static func _require(_ reader: GraphQL.ValueReader) throws(GraphQL.WrongForm) -> Self {
    let table = unsafe GraphQL.EnumTable.of(Self.self)
    if let position = unsafe reader.plainString({ unsafe table.pointee.position(of: $0) }) {
      return unsafe table.pointee.value(at: position)
    }
    return try unusual(reader)
  }

  /// A value that the schema does not list, or that is written with escapes, or no string.
  @inline(never)
  private static func unusual(_ reader: GraphQL.ValueReader) throws(GraphQL.WrongForm) -> Self {
    guard let text = reader.string else { throw GraphQL.WrongForm() }
    return Self(rawValue: text)
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Self {
    .unknownValue(String._placeholder(context))
  }
}

extension Optional: GraphQL.OutputValue where Wrapped: GraphQL.OutputValue {
  public static func _read(_ reader: GraphQL.ValueReader) -> Wrapped?? {
    if reader.isNull { return .some(nil) }
    return Wrapped._read(reader).map(Optional.some)
  }

  public static func _require(_ reader: GraphQL.ValueReader) throws(GraphQL.WrongForm) -> Wrapped? {
    if reader.isNull { return nil }
    return try Wrapped._require(reader)
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> Wrapped? {
    // The path continues through an object.
    if Wrapped.self is GraphQL.AbstractResponse.Type { return Wrapped._placeholder(context) }
    return context.pick(Wrapped._placeholder(context), nil)
  }

  public static func _same(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): Wrapped._same(left, right)
    default: false
    }
  }
}

extension Array: GraphQL.OutputValue where Element: GraphQL.OutputValue {
  // Lists of strings are the most frequent ones, and generic code takes twice as long for them.
  // Safe: the list has `count` elements, and so has the memory; each is written once, in order.
  @_specialize(where Element == String)
  public static func _read(_ reader: GraphQL.ValueReader) -> [Element]? {
    guard unsafe reader.tape.kind(at: reader.index) == .array else { return nil }
    let count = unsafe reader.tape.count(at: reader.index)
    var isComplete = true
    let elements = unsafe [Element](unsafeUninitializedCapacity: count) {
      memory, initializedCount in
      let tape = unsafe reader.tape
      var position = unsafe tape.firstChild(of: reader.index)
      while initializedCount < count {
        do throws(GraphQL.WrongForm) {
          let element = try Element._require(reader.at(position))
          unsafe (memory.baseAddress! + initializedCount).initialize(to: element)
        } catch {
          isComplete = false
          return
        }
        initializedCount += 1
        position = unsafe tape.next(after: position)
      }
    }
    return isComplete ? elements : nil
  }

  public static func _placeholder(_ context: GraphQL.ProbeContext) -> [Element] {
    Array(
      repeating: Element._placeholder(context), count: GraphQL.ProbeContext.elementCount)
  }

  public static func _same(_ left: [Element], _ right: [Element]) -> Bool {
    left.isSameStorage(as: right)
  }
}

extension Array {
  /// Whether two arrays are identical, not only equal in their elements. The elements of a
  /// placeholder are all equal, so sorting them, for example, changes nothing else.
  // Safe: addresses are compared, nothing is read.
  func isSameStorage(as other: [Element]) -> Bool {
    unsafe withUnsafeBufferPointer { left in
      unsafe other.withUnsafeBufferPointer {
        unsafe left.baseAddress == $0.baseAddress && left.count == $0.count
      }
    }
  }
}
