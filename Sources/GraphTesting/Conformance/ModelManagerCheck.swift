import GraphQLRuntime

/// One requirement of the contract, and how it is checked.
struct ModelManagerCheck<
  Manager: GraphQL.ModelManager, Root: GraphQL.AbstractResponse, Object: GraphQL.AbstractResponse
>: Sendable {
  typealias Suite = ModelManagerConformance<Manager, Root, Object>

  let name: String
  let body: @Sendable (Suite, Manager) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (Suite, Manager) async throws -> Void) {
    self.name = name
    self.body = body
  }

  static var all: [ModelManagerCheck] { writing + reading + forgetting }

  private static var writing: [ModelManagerCheck] {
    [
      ModelManagerCheck("the objects of a response are found by key") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        try await suite.expect("1", "a", "b", in: manager)
      },
      ModelManagerCheck("an object that is known is updated, not made twice") { suite, manager in
        let first = try await suite.write("1", "a", "b", to: manager)
        let second = try await suite.write("1", "c", "b", to: manager)
        let third = try await suite.write("1", "c", "b", to: manager)
        try await expect(
          first.inserted.contains { $0.key == "1" }, "the first write does not insert it")
        try await expect(second.updated.contains { $0.key == "1" }, "the second does not update it")
        try await expect(third.isEmpty, "the third write changes something")
        try await suite.expect("1", "c", "b", in: manager)
      },
      ModelManagerCheck("fields that a response does not have stay") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        try await suite.write("1", "c", nil, to: manager)
        try await suite.expect("1", "c", "b", in: manager)
      },
      ModelManagerCheck("a null that came with an error replaces no value") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        let (response, operation) = try suite.sample.erroredResponse("1", "c")
        try await manager.write(response, of: operation)
        try await suite.expect("1", "c", "b", in: manager)
      },
      ModelManagerCheck("JSON makes and updates objects") { suite, manager in
        let sample = suite.sample
        let both = "[\(sample.object("1", "a", "b")),\(sample.object("2", "c", "d"))]"
        let made = try await manager.write(json: Array(both.utf8), as: Object.self)
        try await expect(made.inserted.count == 2, "\(made.inserted.count) objects were made")
        try await expect(made.roots.map(\.key) == ["1", "2"], "the roots are \(made.roots)")
        let one = sample.object("2", "e", nil)
        let updated = try await manager.write(json: Array(one.utf8), as: Object.self)
        try await expect(updated.updated.map(\.key) == ["2"], "\(updated.updated) were updated")
        try await suite.expect("1", "a", "b", in: manager)
        try await suite.expect("2", "e", "d", in: manager)
      },
      ModelManagerCheck("writes at the same time make one object") { suite, manager in
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<8 {
            group.addTask {
              let record = try await suite.write("1", "\(number)", "b", to: manager)
              return record.inserted.filter { $0.key == "1" }.count
            }
          }
          let made = try await group.reduce(0, +)
          try await expect(made == 1, "it was made \(made) times")
        }
      },
      ModelManagerCheck("a response of a user who has logged out is refused") { suite, manager in
        let generation = manager.generation
        try await suite.logout(manager)
        let (response, operation) = try suite.sample.response("1", "a", "b")
        do {
          try await manager.write(response, of: operation, in: generation)
        } catch is GraphQL.StaleGeneration {
          try await expect(
            try await manager.object(Object.self, key: "1") == nil, "it was kept all the same")
          try await manager.write(response, of: operation, in: manager.generation)
          return try await suite.expect("1", "a", "b", in: manager)
        }
        throw ConformanceFailure("it was not refused with StaleGeneration")
      },
    ]
  }

  private static var reading: [ModelManagerCheck] {
    [
      ModelManagerCheck("what is not kept is nil") { suite, manager in
        try await expect(
          try await manager.object(Object.self, key: "1") == nil, "there is an object")
        try await suite.write("1", "a", "b", to: manager)
        let found = try await manager.objects(Object.self, keys: ["2", "1", "3"])
        try await expect(
          found.map { $0 != nil } == [false, true, false], "objects by keys are not in their places"
        )
      },
      ModelManagerCheck("a query is answered when nothing is missing") { suite, manager in
        let (response, operation) = try suite.sample.response("1", "a", "b")
        try await expect(
          try await manager.answer(to: operation) == nil,
          "there is an answer before the first write")
        try await manager.write(response, of: operation)
        try await expect(try await manager.answer(to: operation) != nil, "there is no answer")
      },
      ModelManagerCheck("a query is not answered when a field is missing") { suite, manager in
        try await suite.write("1", "a", nil, to: manager)
        let operation = try suite.sample.operation("1", .both)
        try await expect(try await manager.answer(to: operation) == nil, "there is an answer")
      },
      ModelManagerCheck("an answer that is too old does not count") { suite, manager in
        let (response, operation) = try suite.sample.response("1", "a", "b")
        try await manager.write(response, of: operation)
        let answer = try await manager.answer(to: operation, maximumAge: .seconds(3600))
        try await expect(answer != nil, "there is no answer of the last hour")
        let none = try await manager.answer(to: operation, maximumAge: .zero)
        try await expect(none == nil, "there is an answer of no age")
      },
      ModelManagerCheck("an object that was read does not change") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        let read = try await manager.object(Object.self, key: "1")
        try await suite.write("1", "c", "d", to: manager)
        let values = read.map(suite.sample.values)
        try await expect(values?.first == "a" && values?.second == "b", "it has changed")
      },
    ]
  }

  private static var forgetting: [ModelManagerCheck] {
    [
      ModelManagerCheck("one object is purged") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        try await suite.write("2", "c", "d", to: manager)
        try await manager.purge(Object.self, key: "1")
        try await expect(
          try await manager.object(Object.self, key: "1") == nil, "it is still there")
        try await suite.expect("2", "c", "d", in: manager)
        // It has been deleted, which is not an error.
        try await manager.purge(Object.self, key: "1")
      },
      ModelManagerCheck("the objects that satisfy a condition are purged") { suite, manager in
        for key in ["1", "2", "3"] { try await suite.write(key, "a\(key)", "b", to: manager) }
        let values = suite.sample.values
        try await manager.purge(Object.self) { values($0).first != "a2" }
        let left = try await manager.objects(Object.self, keys: ["1", "2", "3"])
        try await expect(left.map { $0 != nil } == [false, true, false], "others are left")
      },
      ModelManagerCheck("refreshing gives the object as it is kept now") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        guard let old = try await manager.object(Object.self, key: "1") else {
          throw ConformanceFailure("there is no object")
        }
        try await suite.write("1", "c", "b", to: manager)
        let fresh = try await manager.refresh(old)
        try await expect(fresh.map(suite.sample.values)?.first == "c", "it is the old one")
        try await manager.purge(Object.self, key: "1")
        try await expect(try await manager.refresh(old) == nil, "it is there after it was purged")
      },
    ]
  }
}

private func expect(
  _ condition: @autoclosure () async throws -> Bool, _ failure: @autoclosure () -> String
) async throws {
  if try await !condition() { throw ConformanceFailure(failure()) }
}

extension ModelManagerConformance {
  @discardableResult
  func write(
    _ key: String, _ first: String, _ second: String?, to manager: Manager
  ) async throws -> GraphQL.Record {
    let (response, operation) = try sample.response(key, first, second)
    return try await manager.write(response, of: operation)
  }

  func expect(
    _ key: String, _ first: String, _ second: String, in manager: Manager
  ) async throws {
    guard let object = try await manager.object(Object.self, key: key) else {
      throw ConformanceFailure("there is no object \(key)")
    }
    let values = sample.values(object)
    guard values.first == first, values.second == second else {
      throw ConformanceFailure(
        "object \(key) has \(values.first ?? "nothing") and \(values.second ?? "nothing")")
    }
  }
}
