import GraphClient
import GraphJSON
import GraphQLRuntime

extension Graph.Response where Root == GraphQL.AbstractResponse {
  /// The response's JSON as it arrived; nil if it has no data.
  var text: String? {
    data.map { String(decoding: $0._stored.json.source(at: JSONDocument.rootIndex), as: UTF8.self) }
  }

  /// The response's data as a tree.
  var json: JSON? {
    data.map { $0._stored.json.json(at: $0._stored.index) }
  }
}
