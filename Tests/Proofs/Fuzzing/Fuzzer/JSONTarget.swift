import Foundation
import GraphJSON

/// Every value of an accepted text is read. The text that is written from it is accepted, and has
/// the same value.
enum JSONTarget: FuzzTarget {
  static let name = "json"

  static func run(_ input: [UInt8]) {
    guard let document = try? JSONDocument(parsing: input) else { return }
    // The tape may be larger than the text, but only by a constant factor.
    require(document.memoryFootprint <= 4096 + 40 * input.count, "memory is linear in the input")
    var index = JSONDocument.rootIndex
    let end = document.next(after: index)
    read(document, &index, end)
    let value = document.json(at: JSONDocument.rootIndex)
    let written = value.description
    guard let again = try? JSON(parsing: Array(written.utf8)) else {
      fatalError("the written text is rejected: \(written)")
    }
    require(again == value, "the written value equals the read value")
    require(again.description == written, "writing is stable")
  }

  private static func read(_ document: JSONDocument, _ index: inout Int, _ end: Int) {
    var pending = [index]
    while let at = pending.popLast() {
      require(at < end, "a value is inside the document")
      switch document.kind(at: at) {
      case .object:
        var child = document.firstChild(of: at)
        for _ in 0..<document.count(at: at) {
          let name = document.string(at: child)
          let value = document.next(after: child)
          // If several members have one name, the last one counts.
          let found = document.member(name, of: at)
          require(found != nil && found! >= value, "a member is found by its name")
          pending.append(value)
          child = document.next(after: value)
        }
        require(child == document.end(of: at), "an object ends at its stated end")
      case .array:
        var child = document.firstChild(of: at)
        for _ in 0..<document.count(at: at) {
          pending.append(child)
          child = document.next(after: child)
        }
        require(child == document.end(of: at), "an array ends at its stated end")
      case .string: _ = document.string(at: at)
      case .number:
        let text = document.numberText(at: at)
        let double = document.double(at: at)
        require(double == nil || double == Double(text), "a number has the value of its text")
        if let int = document.int64(at: at), let exact = Int64(text) {
          require(int == exact, "an integer has the value of its text")
        }
        _ = document.int32(at: at)
      case .bool: _ = document.bool(at: at)
      case .null: require(document.isNull(at: at), "null is null")
      }
      _ = document.position(at: at)
    }
  }
}

/// Foundation's parser accepts the same texts and reads the same values. Intended differences are
/// listed here.
enum JSONPeerTarget: FuzzTarget {
  static let name = "json-peer"

  static func run(_ input: [UInt8]) {
    // Foundation also reads UTF-16 and UTF-32, and skips a byte order mark. RFC 8259 requires UTF-8
    // without one.
    guard !input.prefix(4).contains(0), input.prefix(3) != [0xEF, 0xBB, 0xBF],
      input.prefix(2) != [0xFE, 0xFF], input.prefix(2) != [0xFF, 0xFE]
    else { return }
    // It also leaves out such a mark at the beginning of a string, where it is a character.
    guard !input.contains([0x22, 0xEF, 0xBB, 0xBF]) else { return }
    let ours = Result { try JSON(parsing: input) }
    let theirs = Result {
      try JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
    }
    switch (ours, theirs) {
    case (.success(let ours), .success(let theirs)):
      require(isSame(ours, theirs), "the values are the same: \(ours)")
    case (.failure, .failure): break
    case (.success(let value), .failure(let error)):
      require(
        isOnlyOurs(value, input), "Foundation rejects a text that GraphJSON accepts: \(error)")
    case (.failure(let error), .success):
      require(
        isOnlyTheirs(error, input), "GraphJSON rejects a text that Foundation accepts: \(error)")
    }
  }

  /// Numbers stay text, so every number fits.
  private static func isOnlyOurs(_ value: JSON, _ input: [UInt8]) -> Bool {
    switch value {
    case .number(let number): number.double?.isFinite != true || number.text.utf8.count > 17
    case .array(let elements): elements.contains { isOnlyOurs($0, input) }
    case .object(let object): object.members.contains { isOnlyOurs($0.value, input) }
    case .string, .bool, .null: false
    }
  }

  /// RFC 8259 does not define lone surrogates. They are not Unicode text, so they are errors here.
  /// Foundation allows a comma after the last element, but the RFC does not.
  private static func isOnlyTheirs(_ error: any Error, _ input: [UInt8]) -> Bool {
    guard let error = error as? JSONError else { return false }
    if error.code == .loneSurrogate || error.code == .tooDeep { return true }
    let before = input.prefix(error.offset).last { !" \t\r\n".utf8.contains($0) }
    return error.offset < input.count && before == UInt8(ascii: ",")
      && "]}".utf8.contains(input[error.offset])
  }

  /// For long texts, Foundation uses a decimal number of 38 digits. The other target checks that
  /// ours is exact.
  private static func isNear(_ ours: Double?, _ theirs: Double) -> Bool {
    guard let ours else { return false }
    return ours == theirs || abs(ours - theirs) <= 1e-12 * abs(ours)
  }

  private static func isSame(_ ours: JSON, _ theirs: Any) -> Bool {
    switch (ours, theirs) {
    case (.null, is NSNull): true
    case (.string(let text), let other as String): text == other
    case (.bool(let bool), let other as NSNumber): bool == other.boolValue
    case (.number(let number), let other as NSNumber):
      number.int64 == other.int64Value || isNear(number.double, other.doubleValue)
    case (.array(let elements), let others as [Any]):
      elements.count == others.count && zip(elements, others).allSatisfy(isSame)
    case (.object(let object), let others as [String: Any]):
      // The last of equal names counts on both sides. Foundation compares names by canonical
      // equivalence; this package compares their bytes.
      others.allSatisfy { name, value in
        object.members.contains { $0.key == name && isSame($0.value, value) }
      }
    default: false
    }
  }
}
