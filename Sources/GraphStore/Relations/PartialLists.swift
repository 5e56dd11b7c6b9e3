import GraphJSON
import GraphQLRuntime

// A list that was never stored begins with the link that the other end of its relation has put there. It
// may be a part of what the server has, so the record says so, in a member that is the name of no field.

extension JSONDocument {
  private static let partialLists = Array("&partial".utf8)

  /// The storage keys of the record's lists that never came as a whole.
  var partialLists: [[UInt8]] {
    let place = member(Self.partialLists, of: JSONDocument.rootIndex)
    guard let place, kind(at: place) == .array else { return [] }
    var keys: [[UInt8]] = []
    var element = firstChild(of: place)
    while element < end(of: place) {
      if kind(at: element) == .string { keys.append(Array(string(at: element).utf8)) }
      element = next(after: element)
    }
    return keys
  }

  /// The record with other partial lists.
  func withPartialLists(_ keys: [[UInt8]]) -> RecordText {
    var writer = JSONWriter()
    writer.beginArray()
    for key in keys { writer.string(String(decoding: key, as: UTF8.self)) }
    writer.endArray()
    return replacing(Self.partialLists, with: keys.isEmpty ? nil : writer.finish())
  }
}
