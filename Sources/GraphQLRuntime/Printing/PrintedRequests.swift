extension GraphQL {
  /// Requests that were printed before. An app sends the same few queries over and over, with other
  /// values; these are variables, so that the document is the same text and is not printed again.
  ///
  /// Names of plain selections are literals of the program: the same selections are the same bytes, and
  /// comparing those takes a thirtieth of the time of printing.
  struct PrintedRequests: Sendable {
    private static let capacity = 16
    /// Selections of more are not kept, so that there is a bound on the memory.
    private static let largest = 1024

    private var requests: [PrintedRequest] = []
    /// The place of the request that is replaced next.
    private var oldest = 0

    func find(
      _ kind: OperationKind, named name: String?, _ list: SelectionList
    ) -> PrintedRequest? {
      for request in requests where request.isSame(kind, name, list) { return request }
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

  /// A document of plain selections without directives and aliases, and what it was printed from.
  final class PrintedRequest: Sendable {
    /// A variable of the document.
    struct Variable: Sendable {
      /// What stands before its value in the JSON of all variables: `,"first1":`.
      let member: [UInt8]
      /// The place of the argument whose value it is.
      let argument: Int
    }

    let kind: OperationKind
    let name: String?
    let document: String
    let selections: PlainSelections
    private let variables: [Variable]
    /// The argument of each variable as the schema has it.
    private let infos: [ArgumentInfo]

    init(
      kind: OperationKind, name: String?, document: String, selections: PlainSelections,
      variables: [(Variable, ArgumentInfo)]
    ) {
      self.kind = kind
      self.name = name
      self.document = document
      self.selections = selections
      self.variables = variables.map(\.0)
      infos = variables.map(\.1)
    }

    // Safe: the builder of the list holds the tree during the call.
    fileprivate func isSame(
      _ kind: OperationKind, _ name: String?, _ list: SelectionList
    ) -> Bool {
      guard self.kind == kind, selections.hasNodes(of: list), self.name == name else {
        return false
      }
      let arguments = unsafe list.tree.pointee.arguments
      for (variable, info) in zip(variables, infos)
      where arguments[variable.argument].name != info.name { return false }
      return true
    }

    /// The variables as JSON with the values of `arguments`; nil when one of the values cannot be sent
    /// as it is, which printing tells of.
    // Safe: `isSame` has looked each argument up, and there are as many infos as variables.
    func variables(_ arguments: [Argument], in schema: SchemaTable) -> [UInt8]? {
      var writer = ValueWriter(.json, schema: schema)
      // By their addresses: copies would count three references for each variable.
      unsafe arguments.withUnsafeBufferPointer { arguments in
        unsafe infos.withUnsafeBufferPointer { infos in
          for position in variables.indices {
            unsafe variables[position].member.withUnsafeBufferPointer {
              unsafe writer.member(
                prefix: $0, as: infos.baseAddress.unsafelyUnwrapped + position,
                arguments.baseAddress.unsafelyUnwrapped + variables[position].argument)
            }
          }
        }
      }
      return writer.problems.isEmpty && writer.uploads.isEmpty ? writer.membersAsObject : nil
    }
  }
}
