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
