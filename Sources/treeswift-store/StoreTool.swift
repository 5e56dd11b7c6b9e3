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
