extension GraphQL {
  /// A type as a field or argument refers to it: `[ID!]!`.
  ///
  /// The wrapping is kept as two bits a layer, outermost first, because a response is checked
  /// against it for every value.
  struct TypeReference: Hashable, Sendable {
    /// The schema's own text, as variables are declared with it.
    let text: String
    let name: String
    let wrapping: Wrapping

    init(_ text: Substring) {
      var layers: [Wrapping.Layer] = []
      var rest = text
      while true {
        if rest.last == "!" {
          layers.append(.nonNull)
          rest = rest.dropLast()
        } else if rest.first == "[" {
          layers.append(.list)
          rest = rest.dropFirst().dropLast()
        } else {
          break
        }
      }
      self.text = String(text)
      self.name = String(rest)
      self.wrapping = Wrapping(layers)
    }

    var isNonNull: Bool { wrapping.outermost == .nonNull }
  }

  /// The list and non-null layers around a named type; at most 32, which the generator ensures.
  struct Wrapping: Hashable, Sendable {
    enum Layer: UInt64 {
      case none = 0
      case nonNull = 1
      case list = 2
    }

    private var bits: UInt64

    init(_ layers: [Layer]) {
      precondition(layers.count <= 32, "a type has more than 32 list and non-null layers")
      bits = layers.reversed().reduce(0) { $0 << 2 | $1.rawValue }
    }

    var outermost: Layer {
      switch bits & 3 {
      case 1: .nonNull
      case 2: .list
      default: .none
      }
    }

    /// The wrapping without its outermost layer.
    var inner: Wrapping {
      var copy = self
      copy.bits >>= 2
      return copy
    }
  }
}
