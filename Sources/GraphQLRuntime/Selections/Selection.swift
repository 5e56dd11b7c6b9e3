extension GraphQL {
  /// One selection after merging and freezing (specification: 2.4 Selection Sets).
  struct Selection {
    /// The name of a field, or the type condition of an inline fragment; empty for a spread.
    let name: String
    let child: SelectionList?
    let arguments: [Argument]
    /// nil for a field without details.
    private let details: SelectionDetails?

    init(
      _ name: String, _ details: SelectionDetails?, child: SelectionList?, arguments: [Argument]
    ) {
      self.name = name
      self.child = child
      self.arguments = arguments
      self.details = details
    }

    /// The name of the selection with a code of ``SelectionCodes``.
    static func name(_ code: UInt8, _ details: SelectionDetails?, of type: TypeInfo?) -> String {
      if let name = details?.name { return name }
      if code == SelectionCodes.typename { return "__typename" }
      let position = details?.position ?? Int(code)
      guard let type, position < type.fields.count else { return "" }
      return type.fields[position].name
    }

    /// A field without details.
    init(plainField name: String) {
      self.name = name
      child = nil
      arguments = []
      details = nil
    }

    var kind: SelectionDetails.Kind { details?.kind ?? .field }

    var isField: Bool { details?.isField ?? true }

    /// The key of the field in the response.
    var responseName: String { details?.alias.map { "\(name)__\($0)" } ?? name }

    /// The `alias:`, if any.
    var alias: String? { details?.alias }

    var modifiers: Modifiers? { details?.modifiers }
    var nulls: [String] { modifiers?.nulls ?? [] }
    var directives: [AppliedDirective] { modifiers?.directives ?? [] }

    /// Argument text of the raw form.
    var rawArguments: String? { details?.rawArguments }
  }

  /// The parts of a selection other than its name and its typed arguments.
  struct SelectionDetails {
    enum Kind {
      case field, inlineFragment
      case spread(FragmentDefinition)
    }

    var kind = Kind.field
    /// The position of a field in the table; not used if there is a name.
    var position = 0
    /// The name of a field in the raw form, or the type condition of a fragment.
    var name: String?
    /// The `alias:`, if any (specification: 2.7 Field Alias).
    var alias: String?
    /// The modifiers before the selection; nil if there are none.
    var modifiers: Modifiers?
    /// Argument text of the raw form.
    var rawArguments: String?

    var isField: Bool {
      if case .field = kind { true } else { false }
    }

    /// Whether there is at most an alias.
    var isPlain: Bool { isField && modifiers == nil && name == nil && rawArguments == nil }
  }

  package struct Argument: Sendable {
    package let name: String
    package let value: any InputValue
  }

  /// A null that is sent, as a value. Optionals of existentials are copied to be read, which took
  /// as long as writing their contents.
  struct ExplicitNull: InputValue {
    func _write(to writer: inout ValueWriter) { writer.null() }
  }

  /// The modifiers before a selection.
  struct Modifiers {
    var nulls: [String] = []
    var directives: [AppliedDirective] = []
  }
}

extension GraphQL.ValueWriter {
  /// Writes the value of an argument.
  mutating func write(_ argument: GraphQL.Argument, as info: GraphQL.ArgumentInfo) {
    expected = Expectation(info.type)
    argument.value._write(to: &self)
  }
}

extension GraphQL {
  /// The selections of one builder, to be merged.
  final class SelectionList {
    private let codes: SelectionCodes
    private let extras: SelectionExtras?
    /// The type whose fields a generated builder selects.
    private let type: TypeInfo?
    private let schema: SchemaTable?
    /// The parts below, or nil after ``init(_:)``.
    private let below: ArraySlice<SelectionPart>
    /// The builder, if it still exists.
    private let builder: AbstractQuery?

    init(_ builder: AbstractQuery) {
      let generated = Swift.type(of: builder)
      codes = builder.codes
      extras = builder.extras
      schema = generated.schema
      type = schema?.type(of: generated)
      below = builder.partsBelow
      self.builder = builder
    }

    private init(
      _ part: SelectionPart, of type: TypeInfo?, in schema: SchemaTable?,
      below: ArraySlice<SelectionPart>
    ) {
      codes = part.codes
      extras = part.extras
      self.type = type
      self.schema = schema
      self.below = below
      builder = nil
    }

    /// An identity that all lists of one builder share.
    var identity: ObjectIdentifier {
      builder.map { ObjectIdentifier($0) } ?? ObjectIdentifier(self)
    }

    /// Whether modifiers were added for a selection that did not follow.
    var hasPending: Bool { extras?.pending != nil }

    /// Whether the selections are incomplete, since a closure for one of them is running.
    var isLent: Bool { builder?.isLent ?? false }

    var selections: [Selection] {
      var details = (extras?.details ?? [])[...]
      var arguments: [Int: [Argument]] = [:]
      for placed in extras?.arguments ?? [] {
        arguments[placed.place, default: []].append(placed.argument)
      }
      let parts = partsByPlace
      return (0..<codes.count).map { place in
        let code = codes.code(at: place, extras?.words ?? [])
        let described = code == SelectionCodes.described ? details.popFirst() : nil
        let name = Selection.name(code, described, of: type)
        let child =
          extras?.attached[place].map { SelectionList($0) }
          ?? parts[place].map { list($0, of: name, described) }
        return Selection(name, described, child: child, arguments: arguments[place] ?? [])
      }
    }

    /// The positions of the parts directly below.
    private var partsByPlace: [Int: Int] {
      var positions: [Int: Int] = [:]
      var position = below.endIndex - 1
      while position >= below.startIndex {
        let part = below[position]
        // The newest one replaces others of the same selection.
        if positions[Int(part.place)] == nil { positions[Int(part.place)] = position }
        position -= Int(part.size)
      }
      return positions
    }

    private func list(
      _ position: Int, of name: String, _ details: SelectionDetails?
    ) -> SelectionList {
      let part = below[position]
      let target: TypeInfo? =
        if let details, !details.isField {
          schema?.type(named: name)
        } else { type?.field(name).flatMap { schema?.type(of: $0) } }
      return SelectionList(
        part, of: target, in: schema, below: below[(position - Int(part.size) + 1)..<position])
    }
  }
}

extension GraphQL {
  /// The selections of a builder whose closure has returned, and which nothing else refers to.
  ///
  /// Parts are in the order in which their closures returned: those below a part are before it.
  struct SelectionPart {
    let codes: SelectionCodes
    /// The place of its field among the selections of the builder around it.
    let place: Int32
    /// The number of all parts below this one, plus one for itself.
    let size: Int32
    let extras: SelectionExtras?
  }

  /// All of a builder except plain fields. Most builders have none.
  final class SelectionExtras {
    /// The codes before the last sixteen.
    var words: [UInt64] = []
    /// The arguments of all fields, in the order in which they were added.
    private(set) var arguments: [PlacedArgument] = []
    var details: [SelectionDetails] = []
    /// The modifiers for the next selection.
    var pending: Modifiers?
    /// The builders that exist on their own, by the place of their field: those that were passed to
    /// ``AbstractQuery/addField(field:aliasSuffix:args:subfields:)``, and those that a closure has
    /// stored.
    var attached: [Int: AbstractQuery] = [:]
    /// Only of the builder of an operation.
    var header: OperationHeader?

    func append(_ argument: consuming PlacedArgument) {
      // Taken out while it changes, since that needs no check of accesses.
      var arguments: [PlacedArgument] = []
      swap(&arguments, &self.arguments)
      if arguments.isEmpty { arguments.reserveCapacity(4) }
      arguments.append(argument)
      swap(&arguments, &self.arguments)
    }
  }

  /// An argument, and the place of its field among the selections of the builder.
  struct PlacedArgument: Sendable {
    let place: Int
    let argument: Argument
  }

  /// The name and directives of an operation.
  struct OperationHeader {
    var name: String?
    var directives: [AppliedDirective]
  }
}

extension GraphQL {
  /// The selections of one builder in order, a byte for each.
  ///
  /// Nearly all selections are fields of the builder's type without an alias. Such a field is its
  /// position in the table. The last sixteen bytes are here, so that adding a field changes two
  /// numbers; the words before them are in ``SelectionExtras``.
  struct SelectionCodes: Equatable {
    /// Fields at higher positions are described.
    static let maximumPosition = 253
    /// The field `__typename`.
    static let typename: UInt8 = 254
    /// A selection in ``SelectionExtras/details``; the first of these codes is the first of those.
    static let described: UInt8 = 255

    private(set) var count = 0
    /// The last one to eight codes; the first of them is in the lowest byte.
    private var last: UInt64 = 0
    /// The eight codes before them, if there are as many.
    private var previous: UInt64 = 0

    /// Adds a selection. Returns the eight codes for which there is no space left, if any.
    @inline(__always)
    mutating func append(_ code: UInt8) -> UInt64? {
      let offset = count & 7
      var full: UInt64?
      if offset == 0, count > 0 {
        if count > 8 { full = previous }
        previous = last
        last = 0
      }
      last |= UInt64(code) &<< UInt64(truncatingIfNeeded: offset &* 8)
      count += 1
      return full
    }

    /// The code of a selection.
    ///
    /// - Parameter words: those that ``append(_:)`` returned.
    func code(at place: Int, _ words: [UInt64]) -> UInt8 {
      let word =
        switch (count - 1) / 8 - place / 8 {
        case 0: last
        case 1: previous
        default: words[place / 8]
        }
      return UInt8(truncatingIfNeeded: word >> UInt64(place % 8 * 8))
    }
  }
}
