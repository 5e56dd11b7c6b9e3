import Testing

@testable import GraphClient
@testable import GraphWebSocket

struct FrameTests {
  typealias Element = Graph.MessageAssembler.Element

  /// A message in three fragments with a ping between them, further messages with every form of
  /// length, and a close frame.
  static let sequence: (bytes: [UInt8], elements: [Element]) = {
    let long = [UInt8](repeating: 7, count: 126)
    let bytes =
      Peer.frame(0x01, Array("Zü".utf8.prefix(2))) + Peer.frame(0x89, [1, 2])
      + Peer.frame(0x00, [UInt8("Zü".utf8.last!)]) + Peer.frame(0x80, Array("rich".utf8))
      + Peer.frame(0x82, []) + Peer.frame(0x82, long) + Peer.frame(0x8A, [])
      + Peer.frame(0x81, Array("{}".utf8)) + Peer.frame(0x88, [0x11, 0x2F] + Array("no".utf8))
    let elements: [Element] = [
      .ping([1, 2]), .message(.text("Zürich")), .message(.binary([])), .message(.binary(long)),
      .pong, .message(.text("{}")), .close(Graph.WebSocketClosure(code: 4399, reason: "no")),
    ]
    return (bytes, elements)
  }()

  static func elements(
    _ pieces: [ArraySlice<UInt8>], limit: Int = 1 << 20
  ) throws(Graph.FrameError) -> [Element] {
    var assembler = Graph.MessageAssembler(maximumByteCount: limit)
    var elements: [Element] = []
    for piece in pieces {
      var rest = piece
      while let element = try assembler.next(&rest) { elements.append(element) }
    }
    return elements
  }

  @Test func parsingIsIndependentOfChunkBoundaries() throws {
    let (bytes, expected) = Self.sequence
    for first in 0...bytes.count {
      for second in stride(from: first, through: bytes.count, by: 3) {
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(try Self.elements(pieces) == expected)
      }
    }
    #expect(try Self.elements(bytes.indices.map { bytes[$0...$0] }) == expected)
  }

  @Test(arguments: [0, 1, 125, 126, 127, 0xFFFF, 0x10000, 200_000])
  func encodesAndParsesEveryLengthForm(count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let bytes = Peer.frame(0x82, payload)
    #expect(try Self.elements([bytes[...]]) == [.message(.binary(payload))])
    // The client's bytes are the same with the mask bit, the key and masked bytes.
    let key: [UInt8] = [0xA1, 0, 0xFF, 0x3C]
    let written = Graph.Frame(opcode: .binary, payload: payload).bytes(mask: 0xA100_FF3C)
    let head = bytes.count - count
    #expect(written[0] == 0x82 && written[1] == bytes[1] | 0x80)
    #expect(written[2..<head] == bytes[2..<head])
    #expect(Array(written[head..<head + 4]) == key)
    #expect(written[(head + 4)...].enumerated().map { $1 ^ key[$0 % 4] } == payload)
  }

  static let malformed: [([UInt8], Graph.FrameError)] = [
    ([0xC1, 0], .reservedBits), ([0xA1, 0], .reservedBits), ([0x91, 0], .reservedBits),
    ([0x83, 0], .unknownOpcode(3)), ([0x8F, 0], .unknownOpcode(15)),
    ([0x81, 0x80, 0, 0, 0, 0], .masked), ([0x09, 0], .fragmentedControl),
    ([0x89, 126, 0, 126], .longControl), ([0x88, 127], .longControl),
    ([0x82, 126, 0, 125], .invalidLength),
    ([0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .invalidLength),
    ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .invalidLength),
    ([0x80, 0], .unexpectedContinuation), ([0x01, 0, 0x81, 0], .unfinishedMessage),
    ([0x81, 1, 0xFF], .invalidUTF8), ([0x81, 3, 0xED, 0xA0, 0x80], .invalidUTF8),
    ([0x81, 2, 0xC3, 0x28], .invalidUTF8), ([0x81, 1, 0xC3], .invalidUTF8),
    ([0x88, 1, 3], .invalidClose), ([0x88, 3, 3, 0xE8, 0xFF], .invalidUTF8),
    (
      [0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .messageTooLarge(limit: 1 << 20)
    ),
  ]

  @Test(arguments: malformed)
  func malformedFramesAreTypedErrors(bytes: [UInt8], expected: Graph.FrameError) {
    #expect(throws: expected) { try Self.elements([bytes[...]]) }
    #expect(throws: expected) { try Self.elements(bytes.map { [$0][...] }) }
  }

  @Test(arguments: [
    (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
    (1007, true), (1014, true), (1015, false), (2999, false), (3000, true), (4999, true),
    (5000, false), (0, false), (65535, false),
  ])
  func acceptsOnlyValidCloseCodes(code: UInt16, isValid: Bool) throws {
    let bytes = Peer.frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)])
    if isValid {
      #expect(
        try Self.elements([bytes[...]]) == [.close(Graph.WebSocketClosure(code: code))])
    } else {
      #expect(throws: Graph.FrameError.invalidClose) { try Self.elements([bytes[...]]) }
    }
  }

  @Test func closeFrameWithoutABodyHasCode1005() throws {
    #expect(try Self.elements([[0x88, 0]]) == [.close(Graph.WebSocketClosure(code: 1005))])
  }

  @Test func longCloseReasonsAreTruncatedBetweenCharacters() throws {
    let frame = Graph.Frame(
      closing: Graph.WebSocketClosure(code: 4000, reason: String(repeating: "é", count: 100)))
    #expect(frame.payload.count == 124)
    #expect(try frame.closure.reason == String(repeating: "é", count: 61))
  }

  @Test func rejectsMessagesLargerThanTheLimit() throws {
    let fits = Peer.frame(0x02, [1, 2, 3]) + Peer.frame(0x80, [4])
    #expect(try Self.elements([fits[...]], limit: 4) == [.message(.binary([1, 2, 3, 4]))])
    // The length is sufficient: no byte of the payload has arrived.
    for bytes: [UInt8] in [[0x82, 5], Peer.frame(0x02, [1, 2, 3]) + [0x80, 2]] {
      #expect(throws: Graph.FrameError.messageTooLarge(limit: 4)) {
        try Self.elements([bytes[...]], limit: 4)
      }
    }
    // Control frames do not count.
    #expect(
      try Self.elements([Peer.frame(0x89, [1, 2, 3, 4, 5])[...]], limit: 4) == [
        .ping([1, 2, 3, 4, 5])
      ])
  }

  @Test func rejectsMessagesWithTooManyEmptyFragments() throws {
    let empty = Peer.frame(0x00, [])
    let fits = Peer.frame(0x02, []) + empty + empty + Peer.frame(0x80, [1, 2])
    #expect(try Self.elements([fits[...]], limit: 4) == [.message(.binary([1, 2]))])
    #expect(throws: Graph.FrameError.messageTooLarge(limit: 4)) {
      try Self.elements([(Peer.frame(0x02, []) + (0..<5).flatMap { _ in empty })[...]], limit: 4)
    }
  }
}
