import GraphJSON
import GraphQLRuntime

extension Graph {
  /// Combines a response that arrives in pieces (`@defer` and `@stream`).
  ///
  /// It reads both forms that servers send: entries with their own path (2022), and entries that
  /// refer to an announced pending result.
  struct IncrementalResult {
    /// An announced part of the response.
    private struct Part {
      let path: [JSON]
      let label: String?
    }

    private var data: JSON?
    private var errors: [JSON] = []
    private var extensions: JSON?
    /// Announced parts that are not complete, by id.
    private var pending: [String: Part] = [:]
    private var hasAnnounced = false
    private var failed: Set<GraphQL.ResponseContext.Part> = []
    /// The ids for which nothing has arrived.
    private var outstanding: Set<String> = []
    /// The paths of the values that the last payload has brought.
    private var arrived: Set<[GraphQL.ResponsePathElement]> = []
    /// The paths of announced parts that are complete since the last payload.
    private var completed: Set<[GraphQL.ResponsePathElement]> = []
    /// Whether the server has announced more payloads.
    private(set) var hasNext = true
    /// Whether a payload other than a keep-alive has arrived.
    private(set) var hasBegun = false

    /// Adds one payload.
    ///
    /// - Returns: false for a keep-alive, which adds nothing.
    /// - Throws: ``QueryError`` if it does not fit the earlier payloads.
    @discardableResult
    mutating func add(_ payload: JSON) throws(QueryError) -> Bool {
      guard case .object(let members) = payload else { throw misfit("a payload is not an object") }
      switch members["hasNext"] {
      case .bool(true)? where members.count == 1: return false
      case nil where members.isEmpty: return false
      case .bool(let value)?: hasNext = value
      case nil: hasNext = false
      default: throw misfit("hasNext is not a Boolean")
      }
      let isFirst = !hasBegun
      hasBegun = true
      // The first payload has all of the data so far.
      arrived = isFirst ? [[]] : []
      completed = []
      try announce(list("pending", of: members))
      if members["path"] != nil {
        // The form before 2022 had one entry per payload, at its top level.
        try addEntry(payload, at: path(of: payload))
      } else {
        if let data = members["data"] {
          guard isFirst else { throw misfit("a later payload has data without a path") }
          self.data = data
        }
        note(payload)
      }
      for entry in try list("incremental", of: members) {
        try addEntry(entry, at: path(of: entry))
      }
      for entry in try list("completed", of: members) {
        note(errorsOf: entry, at: entry["id"]?.text.flatMap { pending[$0]?.path })
        if let id = entry["id"]?.text {
          if let part = pending.removeValue(forKey: id) {
            if hasErrors(entry) {
              fail(part)
            } else {
              completed.insert(Self.elements(of: part.path))
            }
          }
          outstanding.remove(id)
        }
      }
      if !hasNext, !outstanding.isEmpty {
        throw misfit("the last payload has arrived, but not every pending result")
      }
      return true
    }

    private func list(_ name: String, of members: JSON.Object) throws(QueryError) -> [JSON] {
      switch members[name] {
      case nil, .null?: return []
      case .array(let elements)?: return elements
      default: throw misfit("\(name) is not a list")
      }
    }

    /// The response so far.
    var bytes: [UInt8] {
      var response: JSON.Object = [:]
      if let data { response["data"] = data }
      if !errors.isEmpty { response["errors"] = .array(errors) }
      if let extensions { response["extensions"] = extensions }
      var writer = JSONWriter()
      writer.value(.object(response))
      return writer.finish()
    }

    /// The parts that will arrive, and those that have failed.
    var context: GraphQL.ResponseContext {
      var context = GraphQL.ResponseContext()
      context.hasNext = hasNext
      if hasAnnounced { context.announced = Set(pending.values.map(Self.place)) }
      context.failed = failed
      context.arrived = arrived
      context.completedLists = completed
      return context
    }

    private static func place(of part: Part) -> GraphQL.ResponseContext.Part {
      GraphQL.ResponseContext.Part(elements(of: part.path), part.label)
    }

    private static func elements(of path: [JSON]) -> [GraphQL.ResponsePathElement] {
      path.map { step in
        if case .number(let number) = step {
          return .index(number.int64.flatMap(Int.init(exactly:)) ?? -1)
        }
        return .key(step.text ?? "")
      }
    }

    private mutating func fail(_ part: Part) { failed.insert(Self.place(of: part)) }

    private mutating func announce(_ announced: [JSON]) throws(QueryError) {
      for entry in announced {
        guard let id = entry["id"]?.text, let path = entry["path"]?.elements else {
          throw misfit("a pending result has no id or no path")
        }
        pending[id] = Part(path: path, label: entry["label"]?.text)
        outstanding.insert(id)
        hasAnnounced = true
      }
    }

    private func path(of entry: JSON) throws(QueryError) -> [JSON] {
      if let path = entry["path"] {
        guard let steps = path.elements else { throw misfit("the path of an entry is not a list") }
        return steps
      }
      guard let id = entry["id"]?.text else {
        throw misfit("an entry has neither a path nor an id")
      }
      guard let path = pending[id]?.path else { throw misfit("the id of an entry is not pending") }
      return path + (entry["subPath"]?.elements ?? [])
    }

    private mutating func addEntry(_ entry: JSON, at path: [JSON]) throws(QueryError) {
      // The path of items ends with the position of the first one.
      note(entry, at: entry["items"] == nil || entry["id"] != nil ? path : path.dropLast())
      if let id = entry["id"]?.text {
        outstanding.remove(id)
      } else if !outstanding.isEmpty {
        // The form of 2022, from a server that announces results as well.
        outstanding = outstanding.filter { pending[$0]?.path != path }
      }
      var fits = true
      switch (entry["items"], entry["data"]) {
      case (.array(let items)?, _):
        fits = append(items, at: path, hasPosition: entry["id"] == nil)
      case (_, .object(let fields)?):
        var isMerged = true
        var new: Set<[GraphQL.ResponsePathElement]> = []
        fits = update(at: path[...]) { object in
          guard object.kind == .object else { return false }
          object.forEachChange(by: .object(fields), at: Self.elements(of: path)) { new.insert($0) }
          isMerged = object.merge(.object(fields))
          return true
        }
        arrived.formUnion(new)
        if !isMerged { fail(part(of: entry, at: path)) }
      case (nil, nil) where !hasErrors(entry): break
      // The errors are the reason.
      case (nil, nil), (.null?, _), (_, .null?): fail(part(of: entry, at: path))
      default: throw misfit("the data of an entry is not an object, or its items are not a list")
      }
      if !fits {
        throw misfit("the path of an entry does not exist in the data, or is not the list's end")
      }
    }

    private func hasErrors(_ entry: JSON) -> Bool { entry["errors"]?.elements?.isEmpty == false }

    private func part(of entry: JSON, at path: [JSON]) -> Part {
      if let part = entry["id"]?.text.flatMap({ pending[$0] }) { return part }
      // The path of items ends with the position of the first one.
      return Part(
        path: entry["items"] == nil ? path : path.dropLast(), label: entry["label"]?.text)
    }

    /// - Parameter hasPosition: whether the path ends with the first item's position.
    private mutating func append(_ items: [JSON], at path: [JSON], hasPosition: Bool) -> Bool {
      guard let last = path.last else { return false }
      let place = hasPosition ? path.dropLast() : path[...]
      var count = 0
      let fits = update(at: place) { list in
        guard case .array(var elements) = list,
          !hasPosition || last == .number(JSON.Number(elements.count))
        else { return false }
        count = elements.count
        // With one owner, the list is not copied.
        list = .null
        elements.append(contentsOf: items)
        list = .array(elements)
        return true
      }
      let list = Self.elements(of: Array(place))
      for index in items.indices where fits { arrived.insert(list + [.index(count + index)]) }
      return fits
    }

    private mutating func update(
      at path: ArraySlice<JSON>, _ change: (inout JSON) -> Bool
    ) -> Bool {
      data?.update(at: path, change) ?? false
    }

    /// - Parameter path: that of the part to which the payload belongs.
    private mutating func note(_ payload: JSON, at path: [JSON]? = nil) {
      note(errorsOf: payload, at: path)
      if let extensions = payload["extensions"], extensions.kind == .object {
        if self.extensions == nil {
          self.extensions = extensions
        } else {
          self.extensions?.merge(extensions)
        }
      }
    }

    /// An error without a path is one of the part as a whole.
    private mutating func note(errorsOf entry: JSON, at path: [JSON]?) {
      errors += (entry["errors"]?.elements ?? []).map { error in
        guard let path, case .object(var members) = error, members["path"] == nil else {
          return error
        }
        members["path"] = .array(path)
        return .object(members)
      }
    }

    private func misfit(_ message: String) -> QueryError {
      .violation(message)
    }
  }
}

extension JSON {
  /// Changes the value at `path`, whose steps are keys and positions.
  ///
  /// - Returns: false if the path does not exist; nothing has changed then.
  @discardableResult
  mutating func update(
    at path: ArraySlice<JSON>, _ change: (inout JSON) -> Bool
  ) -> Bool {
    // Parsed text is not deeper, so a longer path cannot exist; this also limits the recursion.
    guard path.count <= JSONDocument.defaultMaximumDepth else { return false }
    guard let step = path.first else { return change(&self) }
    switch (self, step) {
    case (.object(var members), .string(let key)):
      guard var child = members[key] else { return false }
      // A value with a single owner is changed without being copied.
      self = .null
      members[key] = .null
      defer {
        members[key] = child
        self = .object(members)
      }
      return child.update(at: path.dropFirst(), change)
    case (.array(var elements), .number(let number)):
      guard let index = number.int64.flatMap(Int.init(exactly:)), elements.indices.contains(index)
      else { return false }
      self = .null
      defer { self = .array(elements) }
      return elements[index].update(at: path.dropFirst(), change)
    default: return false
    }
  }

  /// Adds the members of `other`, and merges them into existing ones, also in lists. It goes no
  /// deeper than parsed text does. Null replaces no object and no list, since it is because of an
  /// error in other fields than those that are there.
  ///
  /// - Returns: false if there was such a null.
  @discardableResult
  mutating func merge(_ other: JSON) -> Bool {
    switch (self, other) {
    case (.array(var elements), .array(let added)) where elements.count == added.count:
      self = .null
      var isMerged = true
      for index in elements.indices where !elements[index].merge(added[index]) { isMerged = false }
      self = .array(elements)
      return isMerged
    case (.object(var members), .object(let added)):
      self = .null
      var isMerged = true
      for member in added {
        if var existing = members[member.key] {
          if !existing.merge(member.value) { isMerged = false }
          members[member.key] = existing
        } else {
          members[member.key] = member.value
        }
      }
      self = .object(members)
      return isMerged
    case (.array, .null), (.object, .null): return false
    default:
      self = other
      return true
    }
  }

  /// Calls `body` with the path of each value that ``merge(_:)`` replaces or adds.
  ///
  /// - Parameter path: that of this value.
  func forEachChange(
    by other: JSON, at path: [GraphQL.ResponsePathElement],
    _ body: ([GraphQL.ResponsePathElement]) -> Void
  ) {
    switch (self, other) {
    case (.array(let elements), .array(let added)) where elements.count == added.count:
      for (index, element) in elements.enumerated() {
        element.forEachChange(by: added[index], at: path + [.index(index)], body)
      }
    case (.object(let members), .object(let added)):
      for member in added {
        let place = path + [.key(member.key)]
        if let existing = members[member.key] {
          existing.forEachChange(by: member.value, at: place, body)
        } else {
          body(place)
        }
      }
    case (.array, .null), (.object, .null): break
    default: body(path)
    }
  }

  var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
