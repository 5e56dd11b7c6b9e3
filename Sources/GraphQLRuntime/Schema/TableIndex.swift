extension GraphQL {
  /// A type's first line in the table, and where its fields' lines are.
  struct TableHeader: Sendable {
    let kind: TypeInfo.Kind
    let name: String
    let names: [String]
    let attributes: [String: String]
    /// Counts objects, interfaces and unions only: the position in the lists of classes.
    let compositeOrdinal: Int?
    var lines: Range<String.Index>
  }

  /// One pass over the table's text that finds the types and leaves their fields unread.
  struct TableIndex {
    private(set) var headers: [TableHeader] = []
    private(set) var positions: [String: Int] = [:]
    private(set) var directives: [String: [ArgumentInfo]] = [:]
    private(set) var roots = ["-", "-", "-"]
    private(set) var compositeCount = 0

    init(_ text: String) {
      let bytes = text.utf8
      var start = bytes.startIndex
      while start < bytes.endIndex {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let next = end < bytes.endIndex ? bytes.index(after: end) : end
        read(text[start..<end], next: next)
        start = next
      }
    }

    private mutating func read(_ line: Substring, next: String.Index) {
      guard let sigil = line.utf8.first else { return }
      let rest = line.dropFirst()
      switch sigil {
      case UInt8(ascii: ">"): roots = rest.split(separator: " ").map(String.init)
      case UInt8(ascii: "@"): add(.object, rest, next)
      case UInt8(ascii: "&"): add(.interface, rest, next)
      case UInt8(ascii: "|"): add(.union, rest, next)
      case UInt8(ascii: "="): add(.enumeration, rest, next)
      case UInt8(ascii: "$"): add(.scalar, rest, next)
      case UInt8(ascii: "<"):
        rest.first == "!" ? add(.oneOfInput, rest.dropFirst(), next) : add(.inputObject, rest, next)
      case UInt8(ascii: "%"):
        let signature = FieldSignature(rest)
        directives[String(signature.name)] = signature.arguments
      default:
        // A field's line: it belongs to the type above it and is read when that type is needed.
        guard !headers.isEmpty else { return }
        headers[headers.count - 1].lines =
          headers[headers.count - 1].lines.lowerBound..<line.endIndex
      }
    }

    private mutating func add(_ kind: TypeInfo.Kind, _ line: Substring, _ next: String.Index) {
      let words = line.split(separator: " ")
      guard let name = words.first.map(String.init) else { return }
      var names: [String] = []
      var attributes: [String: String] = [:]
      for word in words.dropFirst() {
        if let colon = word.firstIndex(of: ":") {
          attributes[String(word[..<colon])] = String(word[word.index(after: colon)...])
        } else {
          names.append(String(word))
        }
      }
      let isComposite = kind == .object || kind == .interface || kind == .union
      positions[name] = headers.count
      headers.append(
        TableHeader(
          kind: kind, name: name, names: names, attributes: attributes,
          compositeOrdinal: isComposite ? compositeCount : nil, lines: next..<next))
      if isComposite { compositeCount += 1 }
    }
  }

  /// Reads the lines of one type.
  struct TableReader {
    let text: String
    let resolve: (String) -> NamedType

    func type(_ header: TableHeader, at position: Int) -> TypeInfo {
      let fields = text[header.lines].split(separator: "\n").map { line in
        let signature = FieldSignature(line)
        let type = TypeReference(signature.type)
        return FieldInfo(
          name: String(signature.name), type: type, named: resolve(type.name),
          arguments: signature.arguments)
      }
      return TypeInfo(
        index: position, name: header.name, kind: header.kind, related: header.names,
        attributes: header.attributes, fields: fields)
    }
  }

  /// `images(first:Int after:String=) ImageConnection!` taken apart.
  struct FieldSignature {
    let name: Substring
    let arguments: [ArgumentInfo]
    let type: Substring

    init(_ line: Substring) {
      var rest = line
      name = rest.prefix { $0 != "(" && $0 != " " }
      rest = rest.dropFirst(name.count)
      if rest.first == "(" {
        let list = rest.dropFirst().prefix { $0 != ")" }
        arguments = list.split(separator: " ").compactMap { argument in
          guard let colon = argument.firstIndex(of: ":") else { return nil }
          return ArgumentInfo(
            name: String(argument[..<colon]),
            type: TypeReference(Self.withoutDefaultMark(argument[argument.index(after: colon)...])))
        }
        rest = rest.dropFirst(list.count + 2)
      } else {
        arguments = []
      }
      type = Self.withoutDefaultMark(rest.drop { $0 == " " })
    }

    /// A trailing `=` says that the schema gives a default.
    private static func withoutDefaultMark(_ type: Substring) -> Substring {
      type.last == "=" ? type.dropLast() : type
    }
  }
}
