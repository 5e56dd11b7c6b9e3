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

/// Adjacent pages, in one or more runs.
struct ConnectionSegment: Equatable {
  /// Pages with the numbers `first` to `last`.
  struct Run: Equatable {
    let id: Int
    var first: Int
    var last: Int
  }

  var runs: [Run]
  /// The cursor after which the segment starts, if it was requested with one.
  var after: ExactKey?
  /// The cursor before which it ends, if it was requested with one.
  var before: ExactKey?
  /// The cursors of its first and its last edge.
  var start: ExactKey?
  var end: ExactKey?
  var hasNext: Bool?
  var hasPrevious: Bool?
  /// Whether it was requested from the list's start, or up to its end.
  var isFirst = false
  var isLast = false

  var pageNumbers: [PageNumber] {
    runs.flatMap { run in (run.first...run.last).map { PageNumber(run: run.id, number: $0) } }
  }

  /// The page after a page, or the one before it.
  func next(_ pageNumber: PageNumber, backward: Bool = false) -> PageNumber? {
    guard let index = runs.firstIndex(where: { $0.contains(pageNumber) }) else { return nil }
    let next = PageNumber(run: pageNumber.run, number: pageNumber.number + (backward ? -1 : 1))
    if runs[index].contains(next) { return next }
    let other = index + (backward ? -1 : 1)
    guard runs.indices.contains(other) else { return nil }
    return PageNumber(
      run: runs[other].id, number: backward ? runs[other].last : runs[other].first)
  }
}

extension ConnectionSegment.Run {
  func contains(_ pageNumber: PageNumber) -> Bool {
    id == pageNumber.run && first <= pageNumber.number && pageNumber.number <= last
  }
}

extension ConnectionSegment {
  init?(_ json: JSON) {
    guard case .array(let list)? = json["runs"] else { return nil }
    runs = list.compactMap { run in
      guard case .array(let numbers) = run, numbers.count == 3,
        let id = numbers[0].integer, let first = numbers[1].integer,
        let last = numbers[2].integer, first <= last, last - first < 1 << 20
      else { return nil }
      return Run(id: id, first: first, last: last)
    }
    if runs.isEmpty { return nil }
    after = json["after"]?.exact
    before = json["before"]?.exact
    start = json["start"]?.exact
    end = json["end"]?.exact
    hasNext = json["hasNext"]?.flag
    hasPrevious = json["hasPrevious"]?.flag
    isFirst = json["isFirst"]?.flag ?? false
    isLast = json["isLast"]?.flag ?? false
  }

  var json: JSON {
    var object = JSON.Object()
    object["runs"] = .array(runs.map { .array([JSON($0.id), JSON($0.first), JSON($0.last)]) })
    object["after"] = after.map { .string($0.text) }
    object["before"] = before.map { .string($0.text) }
    object["start"] = start.map { .string($0.text) }
    object["end"] = end.map { .string($0.text) }
    object["hasNext"] = hasNext.map(JSON.bool)
    object["hasPrevious"] = hasPrevious.map(JSON.bool)
    if isFirst { object["isFirst"] = true }
    if isLast { object["isLast"] = true }
    return .object(object)
  }
}
