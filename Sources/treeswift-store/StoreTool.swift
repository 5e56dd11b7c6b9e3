import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

/// The command line of `treeswift-store`.
enum StoreTool {
  static let usage = """
    Inspect the file of a store, also while a program uses it.

    Usage: treeswift-store FILE                  counts of objects, size, integrity
           treeswift-store FILE Type:key         one object as JSON
           treeswift-store FILE --export         all objects as JSON
           treeswift-store FILE --watch          the changes of objects, until Ctrl-C
           treeswift-store FILE --queue          the queued operations in the order in which they would be sent,
                                                 and the receipts
           treeswift-store FILE --queue --watch  the changes of the queue, until Ctrl-C
           treeswift-store FILE --operation ID   what is sent for a queued operation

    Options: --json    JSON on lines (--watch, --queue, --operation)
             --values  show the values of fields (--watch) and of variables (--operation)

    In a terminal, --watch shows one screen. It waits for a file that does not exist yet.
    The tool prints the user's data as it is stored. The file is not changed.
    Exit status: 0 for success and after Ctrl-C, 1 if the file, the object or the operation cannot be read, or
    the file is damaged; 2 if the command line is invalid.
    """

  static func run(_ arguments: [String]) -> Int32 {
    if arguments == ["--help"] || arguments == ["-h"] {
      print(usage)
      return 0
    }
    guard let arguments = Arguments(arguments) else {
      Output.error(usage)
      return 2
    }
    do {
      return try run(arguments)
    } catch {
      Output.error("treeswift-store: \(arguments.file): \(error)")
      return 1
    }
  }

  private static func run(_ arguments: Arguments) throws -> Int32 {
    let file = URL(filePath: arguments.file)
    switch arguments.command {
    case .summary: return try StoreContents(file).summary()
    case .object(let key): return try StoreContents(file).object(key)
    case .export: return try StoreContents(file).export()
    case .watch:
      return try show(ObjectsView(showsValues: arguments.showsValues), arguments)
    case .queue where arguments.isLive: return try show(QueueView(), arguments)
    case .queue: return try QueueContents(file).list(asJSON: arguments.isJSON)
    case .operation(let id):
      return try QueueContents(file).operation(
        id, showsValues: arguments.showsValues, asJSON: arguments.isJSON)
    }
  }

  private static func show(_ view: some LiveView, _ arguments: Arguments) throws -> Int32 {
    let reader = try FileReader(file: URL(filePath: arguments.file))
    let output = LiveOutput(title: reader.path, isJSON: arguments.isJSON)
    var display = LiveDisplay(reader, view, output)
    try display.run()
    return 0
  }
}

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

/// The objects of a file, for one run.
struct StoreContents {
  private let inspector: Graph.StoreInspector

  init(_ file: URL) throws { inspector = try Graph.StoreInspector(file: file) }

  func summary() throws -> Int32 {
    let counts = try inspector.counts()
    for line in table(counts.map { [$0.typeName, "\($0.count)"] }) { try Output.line(line) }
    let size = inspector.size
    try Output.line("\(size.file) bytes, \(size.log) bytes in the log")
    let problems = try inspector.problems()
    try Output.line(problems.isEmpty ? "integrity: ok" : "integrity: damaged")
    for problem in problems { try Output.line("  \(problem)") }
    return problems.isEmpty ? 0 : 1
  }

  func object(_ key: GraphQL.EntityKey) throws -> Int32 {
    guard let record = try inspector.record(key) else {
      Output.error("treeswift-store: there is no \(key)")
      return 1
    }
    var writer = JSONWriter(style: .indented(by: 2))
    writer.value(record)
    try Output.line(String(decoding: writer.finish(), as: UTF8.self))
    return 0
  }

  func export() throws -> Int32 {
    let output = FileHandle.standardOutput
    try inspector.export { try output.write(contentsOf: Data($0)) }
    return 0
  }
}
