import GraphQLRuntime

/// The command line.
struct Arguments {
  enum Command {
    case summary, export, watch, queue
    case object(GraphQL.EntityKey)
    case operation(id: String)
  }

  let file: String
  let command: Command
  /// Whether the queue is shown until the user ends it.
  var isLive = false
  var showsValues = false
  var isJSON = false

  /// Nil if they are invalid.
  init?(_ arguments: [String]) {
    guard let file = arguments.first, !file.hasPrefix("-") else { return nil }
    self.file = file
    var rest = arguments.dropFirst()
    var command: Command?
    var isWatch = false
    while let argument = rest.popFirst() {
      var next: Command?
      switch argument {
      case "--watch" where !isWatch: isWatch = true
      case "--json" where !isJSON: isJSON = true
      case "--values" where !showsValues: showsValues = true
      case "--export": next = .export
      case "--queue": next = .queue
      case "--operation":
        guard let id = rest.popFirst() else { return nil }
        next = .operation(id: id)
      default:
        guard !argument.hasPrefix("-"), let key = GraphQL.EntityKey(argument) else { return nil }
        next = .object(key)
      }
      if let next {
        guard command == nil else { return nil }
        command = next
      }
    }
    switch (command, isWatch) {
    case (nil, true): self.command = .watch
    case (.queue, true): (self.command, isLive) = (.queue, true)
    case (_, true): return nil
    case (let command, false): self.command = command ?? .summary
    }
    guard isAllowed else { return nil }
  }

  /// Whether the command has the given options.
  private var isAllowed: Bool {
    switch command {
    case .summary, .export, .object: !showsValues && !isJSON
    case .watch, .operation: true
    case .queue: !showsValues
    }
  }
}
