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
