import GraphJSON

extension GraphQL {
  /// Requests that were printed before. An app repeats the same few queries with other values. The
  /// values are variables, so the document has the same text and is not printed again.
  ///
  /// Plain selections are numbers, so comparing them takes a fraction of the time of printing.
  struct PrintedRequests: Sendable {
    private static let capacity = 16
    /// Selections above this number are not kept, which limits the memory.
    private static let largest = 1024

    private var requests: [PrintedRequest] = []
    /// The position of the request that is replaced next.
    private var oldest = 0

    /// The request with the selections of a builder, and the builder's arguments.
    func find(
      _ kind: OperationType, named name: String?, _ builder: AbstractQuery
    ) -> (request: PrintedRequest, arguments: [[PlacedArgument]])? {
      for position in requests.indices {
        let request = requests[position]
        if request.kind == kind, request.name == name,
          let arguments = request.selections.arguments(of: builder)
        {
          return (request, arguments)
        }
      }
      return nil
    }

    mutating func keep(_ request: PrintedRequest) {
      if request.selections.count > Self.largest { return }
      if requests.count < Self.capacity {
        requests.append(request)
      } else {
        requests[oldest] = request
        oldest = (oldest + 1) % Self.capacity
      }
    }
  }

  /// A document of plain selections, and the selections from which it was printed.
  final class PrintedRequest: Sendable {
    let kind: OperationType
    let name: String?
    let document: String
    let selections: PlainSelections
    private let variables: PrintedVariables?

    /// - Parameter variables: nil if another printing may give a different text.
    init(
      kind: OperationType, name: String?, document: String, selections: PlainSelections,
      variables: PrintedVariables?
    ) {
      self.kind = kind
      self.name = name
      self.document = document
      self.selections = selections
      self.variables = variables
    }

    /// Whether the same selections with other values have the same document.
    var isRepeatable: Bool { variables != nil }

    /// The variables as JSON with the values of `arguments`; nil when one of the values cannot be
    /// sent as it is. Printing reports that problem.
    func variables(_ arguments: [[PlacedArgument]], in schema: SchemaTable) -> [UInt8]? {
      variables?.json(arguments, in: schema)
    }
  }
}

extension GraphQL {
  /// The variables of a document without their values, from which the JSON of other values is written.
  struct PrintedVariables: Sendable {
    private struct Variable {
      /// The end of its part of ``prefixes``.
      let prefixEnd: Int
      /// The list with the argument that has the value, and its position there.
      let list: Int
      let position: Int
      /// The type of the argument.
      let expected: ValueWriter.Expectation
    }

    private var variables: [Variable] = []
    /// The JSON before each value: `{"first1":,"after2":`.
    private var prefixes: [UInt8] = []

    /// Adds the variable for the argument at a position of a list.
    mutating func append(_ name: String, _ list: Int, _ position: Int, as info: ArgumentInfo) {
      if variables.isEmpty {
        variables.reserveCapacity(8)
        prefixes.reserveCapacity(128)
      }
      prefixes.append(UInt8(ascii: variables.isEmpty ? "{" : ","))
      prefixes.append(UInt8(ascii: "\""))
      prefixes += name.utf8
      prefixes.append(UInt8(ascii: "\""))
      prefixes.append(UInt8(ascii: ":"))
      variables.append(
        Variable(
          prefixEnd: prefixes.count, list: list, position: position,
          expected: ValueWriter.Expectation(info.type)))
    }

    /// The JSON object with the values of `arguments`; nil when one of them cannot be sent as it is.
    func json(_ arguments: [[PlacedArgument]], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      var start = 0
      for variable in variables {
        writer.member(prefix: prefixes[start..<variable.prefixEnd])
        start = variable.prefixEnd
        writer.expected = variable.expected
        arguments[variable.list][variable.position].argument.value._write(to: &writer)
      }
      return writer.takeFindings() == nil ? writer.takeMembers() : nil
    }
  }
}

extension GraphQL {
  /// The variables of one document, in the order in which they are printed.
  ///
  /// A variable is named after its argument with its ordinal, so that equal values stay separate
  /// and the text does not depend on values. Fields that a server merges are printed with the same
  /// variables: see ``EqualFields``.
  struct VariableList {
    private let isCompact: Bool
    private var count = 0
    private var writer: ValueWriter
    /// The JSON object, once ``end()`` was called.
    private(set) var json: [UInt8] = []
    private(set) var uploads: [(path: String, upload: Upload)] = []
    /// `$first1: Int, $after2: String`.
    private(set) var definitions: [UInt8] = []

    /// - Parameter isCompact: whether the definitions are written without spaces.
    init(isCompact: Bool, schema: SchemaTable?) {
      self.isCompact = isCompact
      writer = ValueWriter(.json, schema: schema)
    }

    mutating func end() { json = writer.takeMembers() }

    /// Adds a variable for an argument, and returns its name and the problems with its value.
    mutating func add(
      _ argument: Argument, as info: ArgumentInfo
    ) -> (name: String, problems: [String]) {
      count += 1
      if count == 1 { definitions.reserveCapacity(Self.usualSize) }
      var name = argument.name
      // Names stay distinct because of their ordinals, as long as those can be distinguished from
      // the names.
      if let last = name.utf8.last, Name.isDigit(last) { name += "_" }
      name += String(count)
      if count > 1 { separate(UInt8(ascii: ",")) }
      definitions.append(UInt8(ascii: "$"))
      definitions += name.utf8
      separate(UInt8(ascii: ":"))
      definitions += info.type.text.utf8
      writer.member(variable: name)
      writer.write(argument, as: info)
      guard let found = writer.takeFindings() else { return (name, []) }
      uploads += found.uploads.map { upload in
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }
        return (path.joined(separator: "."), upload.upload)
      }
      return (name, found.problems.map { "argument `\(argument.name)`: \($0)" })
    }

    /// Enough for the definitions of most operations.
    private static let usualSize = 256

    private mutating func separate(_ byte: UInt8) {
      definitions.append(byte)
      if !isCompact { definitions.append(UInt8(ascii: " ")) }
    }
  }
}
