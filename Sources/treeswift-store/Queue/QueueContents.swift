import Foundation
import GraphClient
import GraphJSON
import GraphOutbox
import GraphQLRuntime
import GraphStore

/// The queue of a file, for one run.
struct QueueContents {
  private let reader: FileReader

  init(_ file: URL) throws { reader = try FileReader(file: file) }

  func list(asJSON isJSON: Bool) throws -> Int32 {
    let queue = try reader.read(InspectedQueue.init)
    guard isJSON else {
      for line in QueueText.lines(queue, at: .now) { try Output.line(line) }
      return 0
    }
    for operation in queue.operations {
      try Output.line(.object(QueueText.json(operation, at: .now)))
    }
    for receipt in queue.receipts { try Output.line(.object(QueueText.json(receipt))) }
    return 0
  }

  func operation(_ id: String, showsValues: Bool, asJSON isJSON: Bool) throws -> Int32 {
    let found = try reader.read { contents throws(Graph.StoreError) -> OperationText? in
      guard let operation = try InspectedQueue(contents).operations.first(where: { $0.id == id })
      else { return nil }
      return OperationText(
        operation: operation, files: try InspectedQueue.files(of: operation, in: contents),
        showsValues: showsValues)
    }
    guard let found else {
      Output.error("treeswift-store: there is no operation \(id) in the queue".printable)
      return 1
    }
    guard !isJSON else {
      try Output.line(found.json(at: .now))
      return 0
    }
    for line in found.lines(at: .now) { try Output.line(line) }
    return 0
  }
}
