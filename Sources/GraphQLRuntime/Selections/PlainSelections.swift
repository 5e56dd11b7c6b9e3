extension GraphQL {
  /// The selections of an operation that were printed without merging: those of the builder and of
  /// the builders below, without the values of arguments.
  struct PlainSelections: Sendable {
    /// The selections of one builder.
    struct Part: Sendable {
      let codes: SelectionCodes
      /// The place of its field among the selections of the part above.
      let place: Int32
      /// The part that was added last below this one; -1 if there is none.
      fileprivate(set) var newest: Int32 = -1
      /// The part that was added before this one below the same part; -1 if there is none.
      fileprivate(set) var older: Int32 = -1
      /// The number of parts up to here and below.
      fileprivate(set) var end: Int32 = 0
      /// The position in ``extras``; -1 if there are none.
      let extras: Int32
    }

    /// The parts of a builder that most builders do not have.
    struct Extras: Sendable {
      let words: [UInt64]
      let details: [SelectionDetails]
      /// The name of each argument and the place of its field.
      fileprivate let arguments: [(place: Int, name: String)]
    }

    let type: TypeInfo
    let schema: SchemaTable
    /// A part is followed by the parts below it, in the order of their fields.
    private(set) var parts: [Part] = []
    private(set) var extras: [Extras] = []
    /// The number of selections.
    private(set) var count = 0

    /// - Parameter arguments: gets those of each of ``extras``.
    /// - Returns: nil if the selections have to be merged.
    init?(
      _ builder: AbstractQuery, of type: TypeInfo, in schema: SchemaTable,
      arguments: inout [[PlacedArgument]]
    ) {
      self.type = type
      self.schema = schema
      parts.reserveCapacity(32)
      var waiting: [AbstractQuery] = []
      waiting.reserveCapacity(16)
      guard append(builder, &waiting, &arguments) else { return nil }
    }

    /// Adds a builder and those below; false if they have to be merged.
    ///
    /// - Parameter waiting: the builders that will be added after it.
    private mutating func append(
      _ builder: AbstractQuery, _ waiting: inout [AbstractQuery],
      _ arguments: inout [[PlacedArgument]]
    ) -> Bool {
      count += builder.codes.count
      guard count <= SelectionMerger.maximumCount else { return false }
      let position = parts.count
      var place: Int32 = -1
      if let found = builder.extras {
        guard found.pending == nil, found.attached.isEmpty else { return false }
        place = Int32(extras.count)
        arguments.append(found.arguments)
        extras.append(
          Extras(
            words: found.words, details: found.details,
            arguments: found.arguments.map { ($0.place, $0.argument.name) }))
      }
      parts.append(
        Part(
          codes: builder.codes, place: position == 0 ? -1 : builder.place, extras: place))
      let others = waiting.count
      var next = builder.newest
      while let child = next {
        waiting.append(child)
        next = child.older
      }
      var older: Int32 = -1
      while waiting.count > others {
        let below = parts.count
        guard append(waiting.removeLast(), &waiting, &arguments) else { return false }
        // Two selection sets of one field: the newer one replaces the other.
        if older >= 0, parts[Int(older)].place == parts[below].place { return false }
        parts[below].older = older
        older = Int32(below)
      }
      parts[position].newest = older
      parts[position].end = Int32(parts.count)
      return true
    }

    /// The arguments of a builder that has the same selections, as the initialiser gives them; nil if
    /// it has other selections. Details are not compared: builders with details differ.
    func arguments(of builder: AbstractQuery) -> [[PlacedArgument]]? {
      var arguments = [[PlacedArgument]](repeating: [], count: extras.count)
      return isSame(0, builder, &arguments) ? arguments : nil
    }

    private func isSame(
      _ position: Int, _ builder: AbstractQuery, _ arguments: inout [[PlacedArgument]]
    ) -> Bool {
      let part = parts[position]
      guard part.codes == builder.codes else { return false }
      if let found = builder.extras {
        guard part.extras >= 0, found.pending == nil, found.details.isEmpty else { return false }
        let known = extras[Int(part.extras)]
        guard known.words == found.words, known.arguments.count == found.arguments.count else {
          return false
        }
        for (place, argument) in found.arguments.enumerated() {
          guard known.arguments[place].place == argument.place,
            known.arguments[place].name == argument.argument.name
          else { return false }
        }
        arguments[Int(part.extras)] = found.arguments
      } else if part.extras >= 0 {
        return false
      }
      var below = part.newest
      var next = builder.newest
      while let child = next {
        guard below >= 0, parts[Int(below)].place == child.place,
          isSame(Int(below), child, &arguments)
        else { return false }
        below = parts[Int(below)].older
        next = child.older
      }
      return below < 0
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
      let part = parts[position]
      let ours = part.extras < 0 ? nil : extras[Int(part.extras)]
      let values = part.extras < 0 ? [] : arguments?[Int(part.extras)] ?? []
      var details = (ours?.details ?? [])[...]
      var below = position + 1
      for place in 0..<part.codes.count {
        let code = part.codes.code(at: place, ours?.words ?? [])
        let selection = Selection(
          code, code == SelectionCodes.described ? details.popFirst() : nil, of: type, child: nil,
          arguments: values.lazy.filter { $0.place == place }.map(\.argument))
        let info = type.field(selection.name)
        var set: SelectionSet?
        if let info, let type = schema.type(of: info) {
          set = frozen(below, type, arguments)
          below = Int(parts[below].end)
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
