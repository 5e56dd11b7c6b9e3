import GraphJSON
import GraphQLRuntime

extension Graph.MultipartForm {
  /// An operation and its files (GraphQL multipart request specification): `operations`, then `map`
  /// from each file's part to its path in the variables, then the files.
  init(_ request: Graph.OperationRequest) {
    var map = JSONWriter()
    map.beginObject()
    for (index, (path, _)) in request.uploads.enumerated() {
      map.key("\(index)")
      map.beginArray()
      map.string(path)
      map.endArray()
    }
    map.endObject()
    let files = request.uploads.enumerated().map { index, entry in
      Part(
        name: "\(index)", fileName: entry.upload.fileName, contentType: entry.upload.contentType,
        content: Part.Content(entry.upload.content))
    }
    self.init(
      parts: [
        Part(name: "operations", content: .bytes(request.body())),
        Part(name: "map", content: .bytes(map.finish())),
      ] + files)
  }
}

extension Graph.MultipartForm.Part.Content {
  fileprivate init(_ content: GraphQL.Upload.Content) {
    self =
      switch content {
      case .data(let data): .bytes(Array(data))
      case .file(let url): .file(url)
      }
  }
}
