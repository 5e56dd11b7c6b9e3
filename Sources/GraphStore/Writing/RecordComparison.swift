import GraphJSON
import GraphQLRuntime

/// Compares the text of a stored record with a new one member by member, without parsing either.
///
/// What comes again comes with the same selection, nearly always, so its members are those that are
/// stored, in the same order.
// Safe: the normalizer holds `scratch`, where the members are; `stored` is read below its count.
@safe struct RecordComparison {
  enum Result {
    /// The texts are the same.
    case same
    /// The new record has the same members, and takes the place of the stored one.
    case replacement
    /// The records have to be merged.
    case different
  }

  let plan: GraphQL.StoragePlan
  /// What the positions of the members are in.
  let scratch: UnsafeBufferPointer<UInt8>
  /// Where the new record is.
  let record: Range<Int>

  func compare(
    with stored: UnsafeBufferPointer<UInt8>, _ members: UnsafeBufferPointer<Normalizer.Part>
  ) -> Result {
    if unsafe UnsafeBufferPointer(rebasing: scratch[record]).hasSameBytes(as: stored) {
      return .same
    }
    let opening = plan.opening.count
    guard let base = unsafe scratch.baseAddress,
      unsafe matches(stored, 0, base + record.lowerBound, opening)
    else { return .different }
    let fields = plan.fields
    var place = opening
    for index in members.indices {
      let member = unsafe members[index]
      let field = fields[member.field]
      // With the comma before it.
      let name = field.member.count + 1
      guard unsafe matches(stored, place, base + (member.start - name), name) else {
        return .different
      }
      place += name
      let length = member.end - member.start
      if unsafe matches(stored, place, base + member.start, length),
        unsafe ends(stored, place + length)
      {
        place += length
        continue
      }
      // An embedded object is merged with what is stored, a link or a list takes its place.
      if field.isComposite, place < stored.count, unsafe scratch[member.start] == UInt8(ascii: "{"),
        unsafe stored[place] == UInt8(ascii: "{"),
        unsafe !(isLink(scratch, member.start) && isLink(stored, place))
      {
        return .different
      }
      guard let end = unsafe Self.end(ofValueAt: place, in: stored) else { return .different }
      place = end
    }
    return unsafe place == stored.count - 1 && stored[place] == UInt8(ascii: "}")
      ? .replacement : .different
  }

  private func matches(
    _ stored: UnsafeBufferPointer<UInt8>, _ place: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    guard let base = stored.baseAddress, place + count <= stored.count else { return false }
    return unsafe JSONKey.isEqual(base + place, bytes, count)
  }

  private func ends(_ stored: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    unsafe place < stored.count
      && (stored[place] == UInt8(ascii: ",") || stored[place] == UInt8(ascii: "}"))
  }

  private func isLink(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    unsafe place + 4 < text.count && text[place + 1] == UInt8(ascii: "\"")
      && text[place + 2] == UInt8(ascii: "&") && text[place + 3] == UInt8(ascii: "\"")
  }

  /// Where a value ends that the store has written; nil where the text is cut short.
  static func end(ofValueAt start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var depth = 0
    var place = start
    while place < text.count {
      switch unsafe text[place] {
      case UInt8(ascii: "\""):
        place += 1
        while place < text.count, unsafe text[place] != UInt8(ascii: "\"") {
          unsafe place += text[place] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
        if depth == 0 { return place }
        if unsafe text[place] != UInt8(ascii: ",") { depth -= 1 }
      default: break
      }
      place += 1
    }
    return nil
  }
}
