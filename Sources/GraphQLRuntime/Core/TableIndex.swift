extension GraphQL {
  /// A type's first line in the table, and where its fields' lines are.
  struct TableHeader: Sendable {
    let kind: TypeInfo.Kind
    let name: String
    let names: [String]
    let attributes: [String: String]
    /// Counts objects, interfaces and unions only: the position in the lists of classes.
    let compositeOrdinal: Int?
    var lines: Range<Int>
  }

  /// One pass over the table's bytes that finds the types and leaves their fields unread.
  struct TableIndex {
    private(set) var headers: [TableHeader] = []
    private(set) var positions: [String: Int] = [:]
    private(set) var directives: [String: [ArgumentInfo]] = [:]
    private(set) var roots: [String] = []
    private(set) var compositeCount = 0
    private(set) var costs: [String: StatedCost] = [:]

    // Safe: the bytes are a literal of the program.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      var lines = unsafe TableLines(bytes, in: 0..<bytes.count)
      while let line = lines.next() { read(line) }
    }

    private mutating func read(_ line: TableLine) {
      switch line.first {
      case UInt8(ascii: ">"):
        var rest = line.dropping(1)
        roots = rest.words()
      case UInt8(ascii: "@"): add(.object, line.dropping(1))
      case UInt8(ascii: "&"): add(.interface, line.dropping(1))
      case UInt8(ascii: "|"): add(.union, line.dropping(1))
      case UInt8(ascii: "="): add(.enumeration, line.dropping(1))
      case UInt8(ascii: "$"): add(.scalar, line.dropping(1))
      case UInt8(ascii: "<"):
        var rest = line.dropping(1)
        let isOneOf = rest.take(UInt8(ascii: "!"))
        add(isOneOf ? .oneOfInput : .inputObject, rest)
      case UInt8(ascii: "%"):
        let signature = FieldSignature(line.dropping(1))
        directives[signature.name] = signature.arguments
      case UInt8(ascii: "*"):
        var rest = line.dropping(1)
        let coordinate = rest.word()
        costs[coordinate] = StatedCost(rest.words())
      default:
        // A field's line belongs to the type above it and is read when that type is needed.
        guard !headers.isEmpty else { return }
        let start = headers[headers.count - 1].lines.lowerBound
        headers[headers.count - 1].lines = start..<line.end
      }
    }

    private mutating func add(_ kind: TypeInfo.Kind, _ line: TableLine) {
      var line = line
      let name = line.word()
      var names: [String] = []
      var attributes: [String: String] = [:]
      while !line.isEmpty {
        let word = line.run(until: UInt8(ascii: " "), UInt8(ascii: ":"))
        if line.take(UInt8(ascii: ":")) {
          attributes[word] = line.word()
        } else {
          names.append(word)
          _ = line.take(UInt8(ascii: " "))
        }
      }
      let isComposite = kind == .object || kind == .interface || kind == .union
      positions[name] = headers.count
      headers.append(
        TableHeader(
          kind: kind, name: name, names: names, attributes: attributes,
          compositeOrdinal: isComposite ? compositeCount : nil, lines: line.end..<line.end))
      if isComposite { compositeCount += 1 }
    }
  }

  /// Reads the lines of one type.
  // Safe: the bytes are a literal of the program, and headers contain ranges of it.
  @safe struct TableReader {
    let bytes: UnsafeBufferPointer<UInt8>
    let resolve: (String) -> NamedType

    func type(_ header: TableHeader, at position: Int) -> TypeInfo {
      var fields: [FieldInfo] = []
      var lines = unsafe TableLines(bytes, in: header.lines)
      while let line = lines.next() {
        let signature = FieldSignature(line)
        fields.append(
          FieldInfo(
            name: signature.name, type: signature.type, named: resolve(signature.type.name),
            arguments: signature.arguments))
      }
      return TypeInfo(
        index: position, name: header.name, kind: header.kind, related: header.names,
        attributes: header.attributes, fields: fields)
    }
  }

  /// The parts of `images(first:Int after:String=) ImageConnection!`. A trailing `=` means that the
  /// schema has a default.
  struct FieldSignature {
    let name: String
    let arguments: [ArgumentInfo]
    let type: TypeReference

    init(_ line: TableLine) {
      var line = line
      name = line.run(until: UInt8(ascii: "("), UInt8(ascii: " "))
      var arguments: [ArgumentInfo] = []
      if line.take(UInt8(ascii: "(")) {
        while !line.isEmpty, !line.take(UInt8(ascii: ")")) {
          let argument = line.run(until: UInt8(ascii: ":"), UInt8(ascii: ")"))
          _ = line.take(UInt8(ascii: ":"))
          let type = line.type()
          arguments.append(ArgumentInfo(name: argument, type: type))
          _ = line.take(UInt8(ascii: " "))
        }
      }
      _ = line.take(UInt8(ascii: " "))
      self.arguments = arguments
      type = line.type()
    }
  }
}
