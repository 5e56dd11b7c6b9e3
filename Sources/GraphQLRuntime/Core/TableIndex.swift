import Foundation

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

extension GraphQL {
  /// The non-empty lines of a part of the table.
  // Safe: the bytes are a literal of the program; positions stay below the end of a range of it.
  @safe struct TableLines {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private let end: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
      unsafe self.bytes = bytes
      position = range.lowerBound
      end = range.upperBound
    }

    mutating func next() -> TableLine? {
      guard let base = unsafe bytes.baseAddress else { return nil }
      while position < end {
        let start = position
        // memchr, since most of a large table is skipped and debug builds run this too.
        let newline = unsafe memchr(base + start, 0x0A, end - start)
        let stop =
          unsafe newline.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? end
        position = stop + 1
        if stop > start { return unsafe TableLine(bytes: bytes, position: start, end: stop) }
      }
      return nil
    }
  }

  /// The unread rest of one line.
  // Safe: the bytes are a literal of the program; positions stay below the end of the line.
  @safe struct TableLine {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int
    let end: Int

    var isEmpty: Bool { position >= end }
    var first: UInt8? { unsafe isEmpty ? nil : bytes[position] }

    func dropping(_ count: Int) -> TableLine {
      unsafe TableLine(bytes: bytes, position: min(position + count, end), end: end)
    }

    /// Skips `byte` if it is next.
    mutating func take(_ byte: UInt8) -> Bool {
      guard position < end, unsafe bytes[position] == byte else { return false }
      position += 1
      return true
    }

    /// Takes everything before the first of two bytes, or the end of the line.
    mutating func run(until byte: UInt8, _ other: UInt8) -> String {
      let start = position
      while position < end, unsafe bytes[position] != byte, unsafe bytes[position] != other {
        position += 1
      }
      return text(start..<position)
    }

    /// Takes a word and the space after it.
    mutating func word() -> String {
      defer { _ = take(UInt8(ascii: " ")) }
      return run(until: UInt8(ascii: " "), UInt8(ascii: " "))
    }

    mutating func words() -> [String] {
      var words: [String] = []
      while !isEmpty { words.append(word()) }
      return words
    }

    /// Takes a type reference and the mark of a default after it.
    mutating func type() -> TypeReference {
      let start = position
      while position < end, unsafe bytes[position] != UInt8(ascii: " "),
        unsafe bytes[position] != UInt8(ascii: ")"), unsafe bytes[position] != UInt8(ascii: "=")
      {
        position += 1
      }
      let type = unsafe TypeReference(UnsafeBufferPointer(rebasing: bytes[start..<position]))
      _ = take(UInt8(ascii: "="))
      return type
    }

    private func text(_ range: Range<Int>) -> String {
      unsafe String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
  }
}
