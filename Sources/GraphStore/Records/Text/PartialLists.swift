import GraphJSON
import GraphQLRuntime

// A list that was never received may contain only links that its inverse relation has added. So it may
// be only a part of the server's list. The member `&partial` of the record, which is not the name of a
// field, lists such fields.

extension JSONDocument {
  private static let partialLists = Array("&partial".utf8)

  /// The storage keys of the record's lists that never arrived as a whole.
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
