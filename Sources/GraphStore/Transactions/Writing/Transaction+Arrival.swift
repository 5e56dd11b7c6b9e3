import GraphQLRuntime

extension Graph.Transaction {
  /// Records that a response has contained the entities of a write.
  ///
  /// - Parameter unchanged: the states of those that it has not changed.
  func noteArrival(of summary: Graph.WriteSummary, unchanged: [EntityState]) throws(Graph
    .StoreError)
  {
    let now = committed.now()
    if committed.file == nil || !policies.areAllStored {
      for keys in [summary.inserted, summary.updated, summary.unchanged] {
        for key in keys {
          let isInMemory = connection == nil ? true : try typeState(of: key.typeName).isTransient
          if isInMemory { memory.note(key, at: now) }
        }
      }
    }
    if let uses = committed.uses {
      for keys in [summary.inserted, summary.updated, summary.unchanged] {
        for key in keys { uses.note(key) }
      }
    }
    guard let connection else { return }
    // Rows of changed states are written with the time.
    for state in unchanged {
      let type = try typeState(of: state.key.typeName)
      guard !type.isTransient, state.isDue(at: now, resolution: type.resolution),
        let number = type.number
      else { continue }
      let statement = try connection.prepared(.noteArrival)
      statement.bind(number, at: 1)
      statement.bind(state.key.key, at: 2)
      statement.bind(now, at: 3)
      statement.bind(now - type.resolution, at: 4)
      try statement.runAndReset()
    }
  }
}
