import GraphJSON

/// The row of a connection that lists its pages. It does not grow with the pages.
struct ConnectionHead {
  /// The name of the connection's type.
  let typeName: String
  /// Fields other than `edges`, `nodes` and `pageInfo`, as a JSON object.
  var fields: [UInt8] = Array("{}".utf8)
  var segments: [ConnectionSegment] = []
  var nextRun = 0

  init(typeName: String) { self.typeName = typeName }

  /// The positions of all pages.
  var pageNumbers: [PageNumber] { segments.flatMap(\.pageNumbers) }

  /// The result of an unaliased read of the field: the segment at the list's start.
  var main: ConnectionSegment? { segments.first(where: \.isFirst) ?? segments.first }
}

extension ConnectionHead {
  private static let segmentsName = "&segments"
  private static let nextRunName = "&run"

  /// Reads a head's record; invalid parts are left out.
  init(_ record: JSONDocument, typeName: String) {
    self.init(typeName: typeName)
    let json = record.json(at: JSONDocument.rootIndex)
    guard case .object(let members) = json else { return }
    var writer = JSONWriter()
    writer.beginObject()
    for member in members.members where member.key != "__typename" && !member.key.hasPrefix("&") {
      writer.key(member.key)
      writer.value(member.value)
    }
    writer.endObject()
    fields = writer.finish()
    nextRun = json[Self.nextRunName]?.integer ?? 0
    if case .array(let elements)? = json[Self.segmentsName] {
      segments = elements.compactMap(ConnectionSegment.init)
    }
  }

  var record: RecordText {
    var writer = JSONWriter()
    writer.beginArray()
    for segment in segments { writer.value(segment.json) }
    writer.endArray()
    let text = String(decoding: writer.finish(), as: UTF8.self)
    let inner = String(decoding: fields.dropFirst().dropLast(), as: UTF8.self)
    return RecordText(
      Array(
        """
        {"__typename":"\(typeName)",\(inner.isEmpty ? "" : inner + ",")\
        "\(Self.segmentsName)":\(text),"\(Self.nextRunName)":\(nextRun)}
        """.utf8))
  }
}

extension JSONDocument {
  /// Whether the record of a connection's row is that of its head.
  var isHead: Bool { member("&segments", of: JSONDocument.rootIndex) != nil }
}
