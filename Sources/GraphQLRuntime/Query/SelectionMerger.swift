extension GraphQL {
  /// Freezes builders into selection sets: fields of one response name become one
  /// (specification: 6.3.3 Field Collection), in the order in which they were first selected.
  struct SelectionMerger {
    let schema: SchemaTable?
    private(set) var problems: [InvalidQuery.Problem] = []
    private var path: [String] = []
    /// Fragments by name, to find two different ones of one name.
    private var fragments: [String: FragmentDefinition] = [:]

    init(schema: SchemaTable?) {
      self.schema = schema
    }

    mutating func report(_ message: String) {
      problems.append(InvalidQuery.Problem(message: message, path: path))
    }

    /// The selection set that all `builders` together select on `type`.
    mutating func selectionSet(
      _ builders: [AbstractQuery], of type: TypeInfo?, isRoot: Bool = false
    ) -> SelectionSet {
      var draft = Draft()
      if let type, type.isAbstract, !isRoot {
        draft.add(Group(Selection(.field(name: "__typename", alias: nil), modifiers: Modifiers())))
      }
      for builder in builders {
        for selection in builder.selections { add(selection, to: &draft, of: type) }
        if !builder.pending.isEmpty {
          report("`null`, `include`, `skip` or `directive` is followed by no selection")
        }
      }
      if draft.groups.isEmpty {
        report("nothing is selected; select at least one field")
      }
      let entries = draft.groups.map { entry($0, of: type) }
      let set = SelectionSet(type: type, entries: entries)
      if draft.hasFragments, let schema {
        var overlap = OverlapCheck(schema: schema)
        overlap.check(set)
        for message in overlap.conflicts { report(message) }
      }
      return set
    }

    private mutating func add(_ selection: Selection, to draft: inout Draft, of type: TypeInfo?) {
      if case .field = selection.kind, let position = draft.position(of: selection.responseName) {
        let first = draft.groups[position].first
        if first.isSameField(as: selection) {
          draft.groups[position].merge(selection)
        } else {
          report(
            "`\(selection.responseName)` is selected twice with different fields, arguments or "
              + "directives; give one of them an alias")
        }
      } else {
        draft.add(Group(selection))
      }
    }

    private mutating func entry(_ group: Group, of type: TypeInfo?) -> SelectionSet.Entry {
      let selection = group.first
      let directives = selection.modifiers.directives
      switch selection.kind {
      case .field(let name, let alias):
        path.append(selection.responseName)
        defer { path.removeLast() }
        return .field(field(group, name: name, alias: alias, of: type))
      case .inlineFragment(let condition):
        reportNulls(selection)
        let set = selectionSet(
          group.children, of: schema?.type(named: condition), isRoot: true)
        return .inlineFragment(type: condition, directives: directives, set)
      case .spread(let fragment):
        reportNulls(selection)
        check(fragment, in: type)
        return .spread(fragment, directives: directives)
      }
    }

    private mutating func field(
      _ group: Group, name: String, alias: String?, of type: TypeInfo?
    ) -> SelectionSet.Field {
      let selection = group.first
      let info = type?.field(name)
      if type != nil, info == nil, name != "__typename" {
        report("\(type?.name ?? "") has no field `\(name)`")
      }
      if let alias { check(alias: alias, of: selection, in: type) }
      let child: TypeInfo? =
        if case .composite(let position)? = info?.named { schema?.type(at: position) } else { nil }
      return SelectionSet.Field(
        responseName: selection.responseName, name: name,
        arguments: arguments(of: selection, info: info),
        rawArguments: selection.rawArguments, directives: selection.modifiers.directives,
        info: info,
        selectionSet: group.children.isEmpty ? nil : selectionSet(group.children, of: child))
    }

    private mutating func arguments(of selection: Selection, info: FieldInfo?) -> [Argument] {
      var arguments = selection.arguments
      for name in selection.modifiers.nulls {
        guard let argument = info?.argument(name) else {
          report("there is no argument `\(name)` to send as null")
          continue
        }
        if argument.type.isNonNull {
          report("argument `\(name)` is \(argument.type.text), it cannot be null")
        }
        if arguments.contains(where: { $0.name == name }) {
          report("argument `\(name)` has a value and is also to be null")
        } else {
          arguments.append(Argument(name: name, value: nil))
        }
      }
      return arguments
    }

    /// The response name `field__alias` must be a name, and must be told from other fields' names.
    private mutating func check(alias: String, of selection: Selection, in type: TypeInfo?) {
      let isName = alias.utf8.allSatisfy(Name.isContinue) && !alias.isEmpty
      if !isName || alias.hasPrefix("_") || alias.contains("__") {
        report(
          "`\(alias)` is not an alias: use letters, digits and single `_`, and do not start with `_`"
        )
      } else if type?.field(selection.responseName) != nil {
        report(
          "alias `\(alias)` makes `\(selection.responseName)`, which is a field of "
            + "\(type?.name ?? ""); choose another")
      }
    }

    private mutating func check(_ fragment: FragmentDefinition, in type: TypeInfo?) {
      problems += fragment.problems.filter { !problems.contains($0) }
      if let known = fragments[fragment.name], known !== fragment {
        report("two different fragments are called `\(fragment.name)`")
      }
      fragments[fragment.name] = fragment
      guard let schema, let type, let condition = fragment.type else { return }
      if schema.possibleTypes(of: type).isDisjoint(with: schema.possibleTypes(of: condition)) {
        report(
          "fragment `\(fragment.name)` is on \(condition.name), which no \(type.name) can be")
      }
    }

    private mutating func reportNulls(_ selection: Selection) {
      if let name = selection.modifiers.nulls.first {
        report("there is no argument `\(name)` to send as null")
      }
    }
  }

  /// The selections of one response name.
  private struct Group {
    let first: Selection
    var children: [AbstractQuery]

    init(_ selection: Selection) {
      first = selection
      children = selection.child.map { [$0] } ?? []
    }

    mutating func merge(_ selection: Selection) {
      if let child = selection.child, !children.contains(where: { $0 === child }) {
        children.append(child)
      }
    }
  }

  /// Groups in the order of their first selection.
  private struct Draft {
    var groups: [Group] = []
    var hasFragments = false
    private var positions: [String: Int] = [:]

    mutating func add(_ group: Group) {
      if case .field = group.first.kind {
        positions[group.first.responseName] = groups.count
      } else {
        hasFragments = true
      }
      groups.append(group)
    }

    func position(of responseName: String) -> Int? { positions[responseName] }
  }
}

extension GraphQL.Selection {
  /// The key of the field in the answer (specification: 2.7 Field Alias); empty for fragments.
  var responseName: String {
    guard case .field(let name, let alias) = kind else { return "" }
    return alias.map { "\(name)__\($0)" } ?? name
  }

  /// Whether two selections of one response name may become one (specification: 5.3.2 Field
  /// Selection Merging).
  func isSameField(as other: GraphQL.Selection) -> Bool {
    guard case .field(let name, _) = kind, case .field(let otherName, _) = other.kind,
      name == otherName, rawArguments == other.rawArguments,
      (child == nil) == (other.child == nil),
      modifiers.nulls.sorted() == other.modifiers.nulls.sorted()
    else { return false }
    return GraphQL.sameArguments(arguments, other.arguments)
      && modifiers.directives.count == other.modifiers.directives.count
      && zip(modifiers.directives, other.modifiers.directives).allSatisfy {
        $0.name == $1.name && GraphQL.sameArguments($0.arguments, $1.arguments)
      }
  }
}

extension GraphQL {
  /// Compares arguments by what would be sent; the order does not count.
  static func sameArguments(_ left: [Argument], _ right: [Argument]) -> Bool {
    guard left.count == right.count else { return false }
    return left.allSatisfy { argument in
      right.contains { $0.name == argument.name && sent($0) == sent(argument) }
    }
  }

  private static func sent(_ argument: Argument) -> [UInt8] {
    var writer = ValueWriter(.json)
    if let value = argument.value { value._write(to: &writer) } else { writer.null() }
    return writer.bytes
  }
}
