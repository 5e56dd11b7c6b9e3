import Foundation
import GraphQLRuntime

/// The emitted program, for `main`. Its deprecated members are called through the protocol, without
/// a warning.
protocol MemberCalls {
  /// Types that no document can lead to.
  var unreachable: [String] { get }
  /// The fields of all other types.
  var fields: [String] { get }
  func run(_ x: Recorder)
}

/// Prints the documents of all cases, or reads their responses.
final class Recorder {
  enum Mode {
    case printing
    /// graphql-core's responses, by case.
    case reading([String: Data])
  }

  private let mode: Mode
  private(set) var caseCount = 0
  private(set) var readCount = 0
  private(set) var failures: [String] = []
  /// The number of comparisons of each field.
  private(set) var compared: [String: Int] = [:]

  func count(_ field: String) { compared[field, default: 0] += 1 }

  init(_ mode: Mode) {
    self.mode = mode
  }

  /// Aliases, one for each attempt of a path to a type.
  static func attempts(_ count: Int) -> [String] { (1...count).map { "t\($0)" } }

  func add<Query: GraphQL.OperationBuilder>(
    _ name: String, _ query: Query,
    _ read: (Query.Response, [String: Any]) -> Void
  ) {
    caseCount += 1
    do {
      let operation = try query.operation()
      switch mode {
      case .printing:
        emit(name, operation.document, operation.variables)
        emit(name + ".readable", query.description, Array("{}".utf8))
      case .reading(let responses):
        guard let response = responses[name] else {
          return fail(name, "graphql-core returned no response")
        }
        try self.read(operation, response, name, read)
      }
    } catch {
      fail(name, "\(error)")
    }
  }

  /// A selection on a type that no operation leads to, as a fragment that is not spread.
  func addFragment<Query: GraphQL.AbstractQuery>(
    _ type: String, variant: String, _ query: Query, _ select: (Query) -> Void
  ) {
    guard case .printing = mode else { return }
    select(query)
    emit(
      "\(type).\(variant).fragment.readable",
      "{ __typename }\n\nfragment Unused on \(type) \(query)",
      Array("{}".utf8), #","unusedFragments":true"#)
  }

  private func read<Root>(
    _ operation: GraphQL.Operation<Root>, _ bytes: Data, _ name: String,
    _ read: (Root, [String: Any]) -> Void
  ) throws {
    let response = try operation.response(from: Array(bytes))
    let envelope = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
    guard response.errors.isEmpty, let root = response.data,
      let json = envelope?["data"] as? [String: Any]
    else { return fail(name, "\(response.errors)") }
    readCount += 1
    read(root, json)
  }

  private func emit(_ name: String, _ document: String, _ variables: [UInt8], _ more: String = "") {
    let line = try! JSONSerialization.data(withJSONObject: ["name": name, "document": document])
    print(
      String(decoding: line.dropLast(), as: UTF8.self)
        + ",\"variables\":\(String(decoding: variables, as: UTF8.self))\(more)}")
  }

  func fail(_ name: String, _ message: String) {
    failures.append("\(name): \(message)")
  }
}
