import GraphJSON

extension Graph {
  /// Combines a response that arrives in pieces (`@defer` and `@stream`).
  ///
  /// It reads both forms that servers send: entries with their own path (2022), and entries that
  /// refer to an announced pending result.
  struct IncrementalResult {
    private var data: JSON?
    private var errors: [JSON] = []
    private var extensions: JSON?
    /// Announced paths, by id.
    private var pending: [String: [JSON]] = [:]
    /// The ids for which nothing has arrived.
    private var outstanding: Set<String> = []
    /// Whether the server has announced more payloads.
    private(set) var hasNext = true
    /// Whether a payload has arrived, but not the last one.
    var isIncomplete: Bool { data != nil && hasNext }

    /// Adds one payload.
    ///
    /// - Throws: ``QueryError`` if it does not fit the earlier payloads.
    mutating func add(_ payload: JSON) throws(QueryError) {
      guard case .object(let members) = payload else { throw misfit("a payload is not an object") }
      // A keep-alive.
      if members.isEmpty { return }
      if case .bool(true)? = members["hasNext"] { hasNext = true } else { hasNext = false }
      if let announced = members["pending"]?.elements { try announce(announced) }
      if let path = members["path"]?.elements {
        // The form before 2022 had one entry per payload, at its top level.
        try addEntry(payload, at: path)
      } else {
        if let data = members["data"] { self.data = data }
        note(payload)
      }
      for entry in members["incremental"]?.elements ?? [] {
        try addEntry(entry, at: try path(of: entry))
      }
      for entry in members["completed"]?.elements ?? [] {
        errors += entry["errors"]?.elements ?? []
        if let id = entry["id"]?.text {
          pending[id] = nil
          outstanding.remove(id)
        }
      }
      if !hasNext, !outstanding.isEmpty {
        throw misfit("the last payload has arrived, but not every pending result")
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

    private mutating func announce(_ announced: [JSON]) throws(QueryError) {
      for entry in announced {
        guard let id = entry["id"]?.text, let path = entry["path"]?.elements else {
          throw misfit("a pending result has no id or no path")
        }
        pending[id] = path
        outstanding.insert(id)
      }
    }

    private func path(of entry: JSON) throws(QueryError) -> [JSON] {
      if let path = entry["path"]?.elements { return path }
      guard let id = entry["id"]?.text, let path = pending[id] else {
        throw misfit("an entry has an id that is not pending")
      }
      return path + (entry["subPath"]?.elements ?? [])
    }

    private mutating func addEntry(_ entry: JSON, at path: [JSON]) throws(QueryError) {
      note(entry)
      if let id = entry["id"]?.text {
        outstanding.remove(id)
      } else if !outstanding.isEmpty {
        // The form of 2022, from a server that announces results as well.
        outstanding = outstanding.filter { pending[$0] != path }
      }
      var fits = true
      if let items = entry["items"]?.elements {
        fits = append(items, at: path, hasPosition: entry["id"] == nil)
      } else if let fields = entry["data"], fields.kind == .object {
        fits = update(at: path[...]) { $0.merge(fields) }
      }
      if !fits {
        throw misfit("the path of an entry does not exist in the data, or is not the list's end")
      }
    }

    /// - Parameter hasPosition: whether the path ends with the first item's position.
    private mutating func append(_ items: [JSON], at path: [JSON], hasPosition: Bool) -> Bool {
      guard let last = path.last else { return false }
      var fits = false
      let found = update(at: hasPosition ? path.dropLast() : path[...]) { list in
        guard case .array(let elements) = list,
          !hasPosition || last == .number(JSON.Number(elements.count))
        else { return }
        fits = true
        list = .array(elements + items)
      }
      return found && fits
    }

    private mutating func update(at path: ArraySlice<JSON>, _ change: (inout JSON) -> Void) -> Bool
    {
      guard data != nil else { return false }
      return data?.update(at: path) { value in
        change(&value)
        return true
      } ?? false
    }

    private mutating func note(_ payload: JSON) {
      errors += payload["errors"]?.elements ?? []
      if let extensions = payload["extensions"], extensions.kind == .object {
        if self.extensions == nil {
          self.extensions = extensions
        } else {
          self.extensions?.merge(extensions)
        }
      }
    }

    private func misfit(_ message: String) -> QueryError {
      .violation(message)
    }
  }
}
