/// A file that is sent with an operation.
package struct InspectedFile: Sendable {
  /// Its position in the variables.
  package let place: String
  package let path: String
  package let name: String
  package let contentType: String
  /// Why it cannot be sent; nil if it has not changed since the operation was queued.
  package let problem: String?

  /// Reads the whole file.
  init(_ file: QueuedFile) {
    (place, path, name, contentType) = (file.place, file.path, file.name, file.type)
    problem = file.problem?.message
  }
}
