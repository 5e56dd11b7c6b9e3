import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

/// The command line of `treeswift-store`: its arguments and its output.
enum StoreTool {
  static let usage = """
    Inspect the file of a store.

    Usage: treeswift-store FILE                counts of objects, size, integrity
           treeswift-store FILE Type:key       one object as JSON
           treeswift-store FILE --export       all objects as JSON
           treeswift-store FILE --queue        the operations that wait to be sent

    It prints the user's data as it is stored. The file is not changed.
    Exit status: 0 for success, 1 if the file or the object cannot be read, or the file is
    damaged; 2 if the command line is invalid.
    """

  static func run(_ arguments: [String]) -> Int32 {
    if arguments == ["--help"] || arguments == ["-h"] {
      print(usage)
      return 0
    }
    guard let file = arguments.first, arguments.count <= 2, !file.hasPrefix("-") else {
      printError(usage)
      return 2
    }
    do {
      let inspector = try Graph.StoreInspector(file: URL(filePath: file))
      guard arguments.count == 2 else { return try summary(inspector) }
      if arguments[1] == "--export" { return try export(inspector) }
      if arguments[1] == "--queue" { return try queue(inspector) }
      guard let key = GraphQL.EntityKey(arguments[1]) else {
        printError(usage)
        return 2
      }
      return try object(key, inspector)
    } catch {
      printError("treeswift-store: \(file): \(error)")
      return 1
    }
  }

  private static func summary(_ inspector: Graph.StoreInspector) throws -> Int32 {
    let counts = try inspector.counts()
    let width = counts.map(\.typeName.count).max() ?? 0
    for (name, count) in counts {
      print(name.padding(toLength: width, withPad: " ", startingAt: 0), count)
    }
    let size = inspector.size
    print("\(size.file) bytes, \(size.log) bytes in the log")
    let problems = try inspector.problems()
    print(problems.isEmpty ? "integrity: ok" : "integrity: damaged")
    for problem in problems { print("  \(problem)") }
    return problems.isEmpty ? 0 : 1
  }

  private static func object(
    _ key: GraphQL.EntityKey, _ inspector: Graph.StoreInspector
  ) throws -> Int32 {
    guard let record = try inspector.record(key) else {
      printError("treeswift-store: there is no \(key)")
      return 1
    }
    var writer = JSONWriter(style: .indented(by: 2))
    writer.value(record)
    print(String(decoding: writer.finish(), as: UTF8.self))
    return 0
  }

  private static func export(_ inspector: Graph.StoreInspector) throws -> Int32 {
    let output = FileHandle.standardOutput
    try inspector.export { try output.write(contentsOf: Data($0)) }
    return 0
  }

  private static func queue(_ inspector: Graph.StoreInspector) throws -> Int32 {
    let work = try inspector.unsentWork()
    let width = work.map(\.state.count).max() ?? 0
    for operation in work {
      let state = operation.state.padding(toLength: width, withPad: " ", startingAt: 0)
      print(state, operation.id, operation.entity, operation.name)
    }
    print("\(work.count) queued")
    return 0
  }

  private static func printError(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}
