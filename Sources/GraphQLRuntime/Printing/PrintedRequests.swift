extension GraphQL {
  /// Requests that were printed before. An app repeats the same few queries with other values. The
  /// values are variables, so the document has the same text and is not printed again.
  ///
  /// Names in plain selections are literals of the program, so equal selections have equal bytes.
  /// Comparing those takes a thirtieth of the time of printing.
  struct PrintedRequests: Sendable {
    private static let capacity = 16
    /// Selections above this number are not kept, which limits the memory.
    private static let largest = 1024

    private var requests: [PrintedRequest] = []
    /// The position of the request that is replaced next.
    private var oldest = 0

    func find(
      _ kind: OperationType, named name: String?, _ list: SelectionList
    ) -> PrintedRequest? {
      requests.first { $0.isSame(kind, name, list) }
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

    /// The name is compared first, which distinguishes most requests in a few instructions.
    // Safe: the builder of the list keeps the tree alive during the call.
    fileprivate func isSame(
      _ kind: OperationType, _ name: String?, _ list: SelectionList
    ) -> Bool {
      guard self.kind == kind, self.name == name, selections.hasNodes(of: list), let variables
      else { return false }
      return unsafe variables.areNamed(as: list.tree.pointee.arguments)
    }

    /// The variables as JSON with the values of `arguments`; nil when one of the values cannot be
    /// sent as it is. Printing reports that problem.
    func variables(_ arguments: [Argument], in schema: SchemaTable) -> [UInt8]? {
      variables?.json(arguments, in: schema)
    }
  }
}
