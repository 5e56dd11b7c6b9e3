import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStore

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
