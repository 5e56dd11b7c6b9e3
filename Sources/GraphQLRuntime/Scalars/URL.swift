import Foundation
import GraphJSON

extension Foundation.URL: GraphQL.Scalar {
  /// Reads a URL, or an IRI (RFC 3987) with characters beyond ASCII, which are then encoded.
  ///
  /// - Throws: ``GraphQL/ScalarMismatch`` for text that is not a URL, or would only be one after
  ///   encoding characters that RFC 3986 does not allow.
  public init(scalar: GraphQL.JSON) throws {
    let expected = "a URL"
    let text = try scalar.text(expected)
    // Foundation corrects invalid characters in a URL; a server's value is accepted unchanged or
    // not at all.
    guard URLText.isValid(text), let url = URL(string: text) else {
      throw GraphQL.ScalarMismatch(expected: expected)
    }
    self = url
  }

  public var scalar: GraphQL.JSON { .string(absoluteString) }

  public static var placeholder: URL { URL(filePath: "/treeswift-probe") }
}

enum URLText {
  /// Whether a text has only characters that are allowed in a URL (RFC 3986, section 2), or is not
  /// ASCII.
  // Safe: each position is compared with the count of the bytes that the string keeps valid.
  static func isValid(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var position = 0
      while position < bytes.count {
        if unsafe bytes[position] == UInt8(ascii: "%") {
          guard position + 2 < bytes.count, unsafe isHexDigit(bytes[position + 1]),
            unsafe isHexDigit(bytes[position + 2])
          else { return false }
          position += 2
        } else if unsafe !isAllowed(bytes[position]) {
          return false
        }
        position += 1
      }
      return position > 0
    }
  }

  /// Whether bytes are a typical URL, `https://host/path?query`, without any part that Foundation
  /// could reject. Foundation decides about all others, in twenty times the time.
  // Safe: each position is compared with the count, and the caller keeps the bytes valid during the
  // call.
  static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = "http".utf8.count
    guard bytes.count > position, unsafe bytes[0] == UInt8(ascii: "h"),
      unsafe bytes[1] == UInt8(ascii: "t"),
      unsafe bytes[2] == UInt8(ascii: "t"), unsafe bytes[3] == UInt8(ascii: "p")
    else { return false }
    if unsafe bytes[position] == UInt8(ascii: "s") { position += 1 }
    for byte in "://".utf8 {
      guard position < bytes.count, unsafe bytes[position] == byte else { return false }
      position += 1
    }
    let host = position
    position = unsafe end(of: inHost, in: bytes, from: position)
    guard position > host else { return false }
    guard position < bytes.count else { return true }
    guard unsafe bytes[position] == UInt8(ascii: "/") else { return false }
    var hasQuery = false
    while true {
      position = unsafe end(of: inPath, in: bytes, from: position)
      guard position < bytes.count else { return true }
      guard unsafe bytes[position] == UInt8(ascii: "?"), !hasQuery else { return false }
      hasQuery = true
      position += 1
    }
  }

  /// The position of the first byte from `start` on that is not allowed in that part of a URL; four bytes at a time.
  // Safe: each position is compared with the count, and the caller keeps the bytes valid during the
  // call.
  @inline(__always)
  private static func end(
    of part: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int {
    let places = unsafe places
    var position = start
    while bytes.count - position >= 4 {
      let first = unsafe places[Int(bytes[position])] & places[Int(bytes[position + 1])]
      let second = unsafe places[Int(bytes[position + 2])] & places[Int(bytes[position + 3])]
      guard first & second & part != 0 else { break }
      position += 4
    }
    while position < bytes.count, unsafe places[Int(bytes[position])] & part != 0 { position += 1 }
    return position
  }

  private static let inHost: UInt8 = 1
  private static let inPath: UInt8 = 2

  /// For each byte, where in such a URL it is allowed.
  // Safe: it has an entry for every byte, and is never freed.
  private static nonisolated(unsafe) let places: UnsafePointer<UInt8> = {
    let places = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    unsafe places.initialize(repeating: 0, count: 256)
    for byte in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.".utf8 {
      unsafe places[Int(byte)] = inHost | inPath
    }
    for byte in "/_~=&,+@!:".utf8 { unsafe places[Int(byte)] = inPath }
    return unsafe UnsafePointer(places)
  }()

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"),
      UInt8(ascii: "|"), UInt8(ascii: "}"):
      false
    default: true
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
