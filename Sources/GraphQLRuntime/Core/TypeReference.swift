extension GraphQL {
  /// A type as a field or argument refers to it: `[ID!]!`.
  ///
  /// The wrapping is stored as two bits a layer, outermost first, because a response is checked
  /// against it for every value.
  package struct TypeReference: Hashable, Sendable {
    /// The schema's own text, which declares variables.
    let text: String
    package let name: String
    package let wrapping: Wrapping

    // Safe: the caller keeps the bytes valid during the call; positions stay in them while some are
    // left.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      var layers: [Wrapping.Layer] = []
      var start = 0
      var end = bytes.count
      while start < end {
        if unsafe bytes[end - 1] == UInt8(ascii: "!") {
          layers.append(.nonNull)
          end -= 1
        } else if unsafe bytes[start] == UInt8(ascii: "["),
          unsafe bytes[end - 1] == UInt8(ascii: "]")
        {
          layers.append(.list)
          start += 1
          end -= 1
        } else {
          break
        }
      }
      let name = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
      text = unsafe String(decoding: bytes, as: UTF8.self)
      self.name = unsafe layers.isEmpty ? text : String(decoding: name, as: UTF8.self)
      wrapping = Wrapping(layers)
    }

    // Safe: the string keeps its bytes valid during the call.
    init(text: String) {
      var text = text
      self = text.withUTF8 { unsafe TypeReference($0) }
    }

    package var isNonNull: Bool { wrapping.outermost == .nonNull }
  }

  /// The list and non-null layers around a named type; at most 32, which the generator ensures.
  package struct Wrapping: Hashable, Sendable {
    package enum Layer: UInt64 {
      case none = 0
      case nonNull = 1
      case list = 2
    }

    /// One layer, non-null.
    static let nonNull = Wrapping([.nonNull])

    private var bits: UInt64

    fileprivate init(_ layers: [Layer]) {
      precondition(layers.count <= 32, "a type has more than 32 list and non-null layers")
      bits = layers.reversed().reduce(0) { $0 << 2 | $1.rawValue }
    }

    package var outermost: Layer {
      switch bits & 3 {
      case 1: .nonNull
      case 2: .list
      default: .none
      }
    }

    /// Whether there is no list.
    package var isSingle: Bool {
      outermost == .none || (outermost == .nonNull && inner.outermost == .none)
    }

    /// The wrapping without its outermost layer.
    package var inner: Wrapping {
      var copy = self
      copy.bits >>= 2
      return copy
    }
  }
}
