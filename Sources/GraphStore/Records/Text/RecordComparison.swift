import GraphJSON
import GraphQLRuntime
import GraphStorage

/// Compares the text of a stored record with a new one member by member, without parsing either.
///
/// Repeated data nearly always has the same selection, so its members are the stored ones, or some
/// of them, in the same order.
// Safe: the normalizer keeps `scratch` alive, which contains the members; `stored` is read below
// its count.
@safe struct RecordComparison {
  enum Result {
    /// Nothing is new.
    case same
    /// The new record has the same members, and replaces the stored one.
    case replacement
    /// The stored record has other members as well: both are combined in `merged`.
    case merged
    /// The records have to be parsed to be merged.
    case different
  }

  let plan: GraphQL.StoragePlan
  /// The buffer of the members' positions.
  let scratch: UnsafeBufferPointer<UInt8>
  /// The range of the new record.
  let record: Range<Int>

  /// - Parameter merged: its contents count only if the result states it.
  func compare(
    with stored: UnsafeBufferPointer<UInt8>, _ members: UnsafeBufferPointer<RecordPart>,
    merged: inout GraphQL.ByteBuffer
  ) -> Result {
    if unsafe UnsafeBufferPointer(rebasing: scratch[record]).hasSameBytes(as: stored) {
      return .same
    }
    merged.remove(after: 0)
    guard let base = unsafe scratch.baseAddress,
      unsafe matches(stored, 0, base + record.lowerBound, plan.opening.count)
    else { return .different }
    var place = plan.opening.count
    var next = 0
    /// The part of the stored record that is in `merged`, or was replaced there.
    var copied = 0
    var keepsOthers = false
    while place < stored.count - 1 {
      if unsafe next < members.count && hasName(of: members[next], stored, place) {
        let member = unsafe members[next]
        next += 1
        place += plan.fields[member.field].member.count + 1
        let length = member.end - member.start
        if unsafe matches(stored, place, base + member.start, length),
          unsafe ends(stored, place + length)
        {
          place += length
          continue
        }
        guard unsafe !isMergedWithin(member, stored, place),
          let end = unsafe Self.end(ofValueAt: place, in: stored)
        else { return .different }
        unsafe merged.append(UnsafeBufferPointer(rebasing: stored[copied..<place]))
        unsafe merged.append(
          UnsafeBufferPointer(rebasing: scratch[member.start..<member.end]))
        (place, copied) = (end, end)
      } else {
        guard let end = unsafe end(ofMemberAt: place, in: stored) else { return .different }
        place = end
        keepsOthers = true
      }
    }
    guard next == members.count,
      unsafe place == stored.count - 1 && stored[place] == UInt8(ascii: "}")
    else { return .different }
    if copied == 0 { return .same }
    if !keepsOthers { return .replacement }
    unsafe merged.append(UnsafeBufferPointer(rebasing: stored[copied...]))
    return .merged
  }

  /// Whether a member of the new record is the one at `place`, where its comma is.
  private func hasName(
    of member: RecordPart, _ stored: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> Bool {
    let length = plan.fields[member.field].member.count + 1
    guard let base = unsafe scratch.baseAddress else { return false }
    return unsafe matches(stored, place, base + (member.start - length), length)
  }

  /// Whether both values are embedded objects, which are merged. A link or a list replaces the
  /// other.
  private func isMergedWithin(
    _ member: RecordPart, _ stored: UnsafeBufferPointer<UInt8>, _ place: Int
  ) -> Bool {
    unsafe plan.fields[member.field].isComposite && place < stored.count
      && scratch[member.start] == UInt8(ascii: "{") && stored[place] == UInt8(ascii: "{")
      && !(isLink(scratch, member.start) && isLink(stored, place))
  }

  /// The end of the member with its comma at `place`; nil for one of the store's own members.
  private func end(ofMemberAt place: Int, in stored: UnsafeBufferPointer<UInt8>) -> Int? {
    guard place + 2 < stored.count, unsafe stored[place] == UInt8(ascii: ","),
      unsafe stored[place + 2] != UInt8(ascii: "&")
    else { return nil }
    return unsafe Self.end(ofValueAt: place + 1, in: stored)
  }

  private func matches(
    _ stored: UnsafeBufferPointer<UInt8>, _ place: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int
  ) -> Bool {
    guard let base = stored.baseAddress, place + count <= stored.count else { return false }
    return unsafe WordScan.isEqual(base + place, bytes, count)
  }

  private func ends(_ stored: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    unsafe place < stored.count
      && (stored[place] == UInt8(ascii: ",") || stored[place] == UInt8(ascii: "}"))
  }

  private func isLink(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
    unsafe place + 4 < text.count && text[place + 1] == UInt8(ascii: "\"")
      && text[place + 2] == UInt8(ascii: "&") && text[place + 3] == UInt8(ascii: "\"")
  }

  /// The end of a value that the store has written; nil if the text is truncated.
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

/// A field of a new record, and the position of its value in the buffer of the normalizer.
struct RecordPart {
  /// Its position in the plan.
  let field: Int
  let start: Int
  let end: Int
}
