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

extension GraphQL {
  /// A selection set as it is sent: merged, in order, and immutable.
  package final class SelectionSet: Sendable {
    /// The type of the fields; nil in raw queries.
    package let type: TypeInfo?
    let entries: [Entry]
    /// The depth of nested selection sets, including fragments.
    let depth: Int

    init(type: TypeInfo?, entries: [Entry]) {
      self.type = type
      self.entries = entries
      var below = 0
      for entry in entries { below = max(below, entry.depth) }
      depth = 1 + below
    }

    enum Entry: Sendable {
      case field(Field)
      case inlineFragment(type: String, directives: [AppliedDirective], SelectionSet)
      case spread(FragmentDefinition, directives: [AppliedDirective])

      fileprivate var depth: Int {
        switch self {
        case .field(let field): field.selectionSet?.depth ?? 0
        case .inlineFragment(_, _, let set): set.depth
        case .spread(let fragment, _): fragment.selectionSet.depth
        }
      }
    }

    final class Field: Sendable {
      let responseName: String
      let name: String
      let arguments: [Argument]
      let rawArguments: String?
      let directives: [AppliedDirective]
      /// The field's line of the table; nil in raw queries.
      let info: FieldInfo?
      let selectionSet: SelectionSet?

      init(
        responseName: String, name: String, arguments: [Argument], rawArguments: String? = nil,
        directives: [AppliedDirective], info: FieldInfo?, selectionSet: SelectionSet?
      ) {
        self.responseName = responseName
        self.name = name
        self.arguments = arguments
        self.rawArguments = rawArguments
        self.directives = directives
        self.info = info
        self.selectionSet = selectionSet
      }

      convenience init(
        _ selection: Selection, arguments: [Argument], info: FieldInfo?,
        selectionSet: SelectionSet?
      ) {
        self.init(
          responseName: selection.responseName, name: selection.name, arguments: arguments,
          rawArguments: selection.rawArguments, directives: selection.directives, info: info,
          selectionSet: selectionSet)
      }
    }
  }
}

extension [GraphQL.AppliedDirective] {
  /// Whether there is an `@include` or `@skip`.
  var isConditional: Bool { contains { $0.includes != nil } }

  /// Whether `@include` and `@skip`, if present, include the selection in the response.
  var include: Bool { isEmpty || allSatisfy { $0.includes ?? true } }

  /// Whether `@defer` lets the server respond without the selection and send it later.
  var mayComeLater: Bool { contains { $0.name == "defer" } }
}

extension GraphQL {
  /// A directive of one schema with its arguments (specification: 2.13 Directives). Generated code
  /// has a static method for each, such as `.inContext(country: .ca)`.
  public struct Directive<Schema>: Sendable {
    var applied: AppliedDirective

    /// - Parameter name: the directive's name without the `@`.
    public init(_ name: String) {
      applied = AppliedDirective(name: name, arguments: [])
    }

    /// Adds an argument; nil leaves it out.
    public mutating func _arg<Value: InputValue>(_ name: String, _ value: Value?) {
      if let value { applied.arguments.append(Argument(name: name, value: value)) }
    }
  }

  package struct AppliedDirective: Sendable {
    let name: String
    var arguments: [Argument]

    static func condition(_ name: String, _ condition: Bool) -> AppliedDirective {
      AppliedDirective(name: name, arguments: [Argument(name: "if", value: condition)])
    }

    /// Whether it is `@stream`, and not disabled.
    package var isStream: Bool {
      name == "stream" && !arguments.contains { $0.name == "if" && $0.value as? Bool == false }
    }

    /// For `@include` and `@skip`: whether the selection is included in the response; nil for
    /// others.
    var includes: Bool? {
      guard let condition = arguments.first?.value as? Bool else { return nil }
      return switch name {
      case "include": condition
      case "skip": !condition
      default: nil
      }
    }
  }
}

extension GraphQL {
  /// The selections of an operation that were printed without merging: those of the builder and of
  /// the builders below, without the values of arguments.
  final class PlainSelections: Sendable {
    /// The selections of one builder.
    struct Part: Sendable {
      let codes: SelectionCodes
      /// The place of its field among the selections of the part above.
      let place: Int32
      /// The number of all parts below this one, plus one for itself.
      let size: Int32
      /// The position in ``extras``; -1 if there are none.
      let extras: Int32
    }

    /// See ``SelectionExtras``.
    struct Extras: Sendable {
      let words: [UInt64]
      let details: [SelectionDetails]
      /// The name of each argument and the place of its field.
      fileprivate let arguments: [(place: Int, name: String)]
    }

    let type: TypeInfo
    let schema: SchemaTable
    /// In the order of the builder; its own part is the last one.
    private let parts: [Part]
    let extras: [Extras]
    /// The positions in ``parts`` in the order of printing: a part, then the parts below it in the
    /// order of their fields.
    private let order: [Int]
    /// The number of selections.
    let count: Int

    /// - Parameter arguments: gets those of each of ``extras``.
    /// - Returns: nil if the selections have to be merged.
    init?(
      _ builder: AbstractQuery, of type: TypeInfo, in schema: SchemaTable,
      arguments: inout [[PlacedArgument]]
    ) {
      let below = builder.partsBelow
      var draft = Draft(count: below.count + 1)
      for part in below {
        guard draft.append(part, &arguments) else { return nil }
      }
      let own = SelectionPart(
        codes: builder.codes, place: -1, size: Int32(below.count + 1), extras: builder.extras)
      guard !builder.isLent, draft.append(own, &arguments) else { return nil }
      draft.sort(below.count, to: 0)
      self.type = type
      self.schema = schema
      parts = draft.parts
      extras = draft.extras
      order = draft.order
      count = draft.count
    }

    private struct Draft {
      var parts: [Part] = []
      var extras: [Extras] = []
      var order: [Int]
      var count = 0

      /// - Parameter count: the number of parts.
      init(count: Int) {
        order = Array(repeating: 0, count: count)
        parts.reserveCapacity(count)
      }

      /// Adds a part; false if it has to be merged.
      mutating func append(
        _ part: SelectionPart, _ arguments: inout [[PlacedArgument]]
      ) -> Bool {
        count += part.codes.count
        guard count <= SelectionMerger.maximumCount else { return false }
        var position: Int32 = -1
        if let found = part.extras {
          if extras.isEmpty {
            extras.reserveCapacity(4)
            arguments.reserveCapacity(4)
          }
          guard found.pending == nil, found.attached.isEmpty else { return false }
          position = Int32(extras.count)
          arguments.append(found.arguments)
          extras.append(
            Extras(
              words: found.words, details: found.details,
              arguments: found.arguments.map { ($0.place, $0.argument.name) }))
        }
        parts.append(
          Part(codes: part.codes, place: part.place, size: part.size, extras: position))
        return true
      }

      /// Sets ``order`` for a part and those below it.
      mutating func sort(_ position: Int, to target: Int) {
        order[target] = position
        let first = position - Int(parts[position].size) + 1
        var next = position - 1
        while next >= first {
          let size = Int(parts[next].size)
          sort(next, to: target + 1 + (next - size + 1 - first))
          next -= size
        }
      }
    }

    /// The part at a position in the order of printing.
    subscript(position: Int) -> Part { parts[order[position]] }

    /// The arguments of a builder that has the same selections, as the initialiser gives them; nil if
    /// it has other selections, or details, which are not compared.
    func arguments(of builder: AbstractQuery) -> [[PlacedArgument]]? {
      let last = parts.count - 1
      guard parts[last].codes == builder.codes, !builder.isLent else { return nil }
      let below = builder.partsBelow
      guard below.count == last else { return nil }
      var arguments: [[PlacedArgument]] = []
      arguments.reserveCapacity(extras.count)
      let first = below.startIndex
      for position in 0..<last {
        let other = first + position
        guard parts[position].codes == below[other].codes,
          parts[position].place == below[other].place, parts[position].size == below[other].size,
          append(below[other].extras, at: parts[position].extras, to: &arguments)
        else { return nil }
      }
      return append(builder.extras, at: parts[last].extras, to: &arguments) ? arguments : nil
    }

    /// Appends the arguments of extras; false if those differ from the ones at a position.
    @inline(__always)
    private func append(
      _ found: SelectionExtras?, at position: Int32, to arguments: inout [[PlacedArgument]]
    ) -> Bool {
      guard let found else { return position < 0 }
      return position >= 0 && append(found, at: Int(position), to: &arguments)
    }

    private func append(
      _ found: SelectionExtras, at position: Int, to arguments: inout [[PlacedArgument]]
    ) -> Bool {
      let new = found.arguments
      guard found.pending == nil, found.attached.isEmpty, found.details.isEmpty,
        extras[position].words == found.words, extras[position].arguments.count == new.count
      else { return false }
      for place in new.indices {
        guard extras[position].arguments[place].place == new[place].place,
          extras[position].arguments[place].name == new[place].argument.name
        else { return false }
      }
      arguments.append(new)
      return true
    }

    /// The selection sets as ``SelectionMerger`` creates them. The recursion is as deep as that of
    /// printing.
    ///
    /// - Parameter arguments: those of the builders; nil leaves out the arguments' values.
    func frozen(_ arguments: [[PlacedArgument]]?) -> SelectionSet {
      frozen(0, type, arguments)
    }

    private func frozen(
      _ position: Int, _ type: TypeInfo, _ arguments: [[PlacedArgument]]?
    ) -> SelectionSet {
      var entries: [SelectionSet.Entry] = []
      if type.isAbstract, position > 0 {
        entries.append(.field(field(Selection(plainField: "__typename"), nil, nil)))
      }
      let part = self[position]
      let ours = part.extras < 0 ? nil : extras[Int(part.extras)]
      let values = part.extras < 0 ? [] : arguments?[Int(part.extras)] ?? []
      var details = (ours?.details ?? [])[...]
      var below = position + 1
      for place in 0..<part.codes.count {
        let code = part.codes.code(at: place, ours?.words ?? [])
        let described = code == SelectionCodes.described ? details.popFirst() : nil
        let selection = Selection(
          Selection.name(code, described, of: type), described, child: nil,
          arguments: values.lazy.filter { $0.place == place }.map(\.argument))
        let info = type.field(selection.name)
        var set: SelectionSet?
        if let info, let type = schema.type(of: info) {
          set = frozen(below, type, arguments)
          below += Int(self[below].size)
        }
        entries.append(.field(field(selection, info, set)))
      }
      return SelectionSet(type: type, entries: entries)
    }

    private func field(
      _ selection: Selection, _ info: FieldInfo?, _ below: SelectionSet?
    ) -> SelectionSet.Field {
      SelectionSet.Field(
        selection, arguments: selection.arguments, info: info, selectionSet: below)
    }
  }
}
