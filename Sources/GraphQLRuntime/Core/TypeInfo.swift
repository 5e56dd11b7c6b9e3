extension GraphQL {
  /// One type's lines of the table, read at first use.
  package final class TypeInfo: Sendable {
    package enum Kind: Sendable {
      case object, interface, union, enumeration, inputObject, oneOfInput, scalar
    }

    /// Position in the table.
    package let index: Int
    package let name: String
    /// ``name`` as UTF-8.
    let nameText: [UInt8]
    package let kind: Kind
    /// Interfaces of an object or interface; members of a union.
    package let related: [String]
    /// `key:id`, `policy:transient` and others.
    package let attributes: [String: String]
    package let fields: [FieldInfo]
    private let names: NameIndex

    init(
      index: Int, name: String, kind: Kind, related: [String], attributes: [String: String],
      fields: [FieldInfo]
    ) {
      self.index = index
      self.name = name
      nameText = Array(name.utf8)
      self.kind = kind
      self.related = related
      self.attributes = attributes
      self.fields = fields
      names = NameIndex(fields.map(\.name))
    }

    package var isAbstract: Bool { kind == .interface || kind == .union }

    /// The position of a field in ``fields``.
    func position(of field: String) -> Int? { names.position(of: field) }

    package func field(_ name: String) -> FieldInfo? { position(of: name).map { fields[$0] } }
  }
}

extension GraphQL {
  /// A field (or an input object's field) in the table of its type.
  package final class FieldInfo: Sendable {
    package let name: String
    /// A space and the name, for documents.
    let spacedName: [UInt8]
    package let type: TypeReference
    package let named: NamedType
    package let arguments: [ArgumentInfo]

    init(name: String, type: TypeReference, named: NamedType, arguments: [ArgumentInfo]) {
      self.name = name
      spacedName = Array(" \(name)".utf8)
      self.type = type
      self.named = named
      self.arguments = arguments
    }

    package func argument(_ name: String) -> ArgumentInfo? {
      arguments.first { $0.name == name }
    }
  }

  package struct ArgumentInfo: Sendable {
    package let name: String
    package let type: TypeReference

    /// The condition of `@include` and `@skip`.
    static let condition = ArgumentInfo(name: "if", type: TypeReference(text: "Boolean!"))
  }

  /// The kind of type for a name, determined once when its table is read.
  package enum NamedType: Sendable {
    case int, float, string, boolean, id, enumeration
    /// A custom scalar; without a binding it keeps any JSON value.
    case scalar((any Scalar.Type)?)
    /// An object, interface or union, by its position in the table.
    case composite(Int)
    /// An input object, by its position in the table.
    case input(Int)
  }
}

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

extension GraphQL {
  /// The values of the directives `@cost` and `@listSize` at one definition of the schema
  /// (https://ibm.github.io/graphql-specs/cost-spec.html).
  ///
  /// The words of the table are a weight, `by:` with the slicing arguments and their defaults, `size:` with the
  /// assumed size, and `of:` with the sized fields.
  package struct StatedCost: Sendable, Hashable {
    package struct SlicingArgument: Sendable, Hashable {
      /// The name; with the names of fields of input objects after it: `["filter", "first"]`.
      package let path: [String]
      package let defaultValue: Double?
    }

    package private(set) var weight: Double?
    package private(set) var slicingArguments: [SlicingArgument] = []
    package private(set) var assumedSize: Double?
    package private(set) var sizedFields: [String] = []

    /// Whether the definition has `@listSize`.
    package var statesSize: Bool { assumedSize != nil || !slicingArguments.isEmpty }

    init(_ words: [String]) {
      for word in words {
        let parts = word.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let text = parts.last else {
          weight = Double(word)
          continue
        }
        switch parts.first {
        case "by": slicingArguments = text.split(separator: ",").map(SlicingArgument.init)
        case "size": assumedSize = Double(text)
        case "of": sizedFields = text.split(separator: ",").map(String.init)
        default: break
        }
      }
    }
  }
}

extension GraphQL.StatedCost.SlicingArgument {
  fileprivate init(_ text: Substring) {
    let parts = text.split(separator: "=", maxSplits: 1)
    path = (parts.first ?? "").split(separator: ".").map(String.init)
    defaultValue = parts.count == 2 ? Double(parts[1]) : nil
  }
}
