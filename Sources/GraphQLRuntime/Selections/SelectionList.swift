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
