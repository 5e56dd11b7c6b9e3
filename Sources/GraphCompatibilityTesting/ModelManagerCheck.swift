import GraphCompatibility
import GraphQLRuntime
import GraphTesting

/// One requirement for model managers beyond those for stores of responses, and how it is checked.
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
      ModelManagerCheck("an existing object is updated and not created again") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        try await suite.write("1", "c", "b", to: manager)
        try await suite.expect("1", "c", "b", in: manager)
        try await suite.expectOne("1", in: manager)
      },
      ModelManagerCheck("fields that a response does not contain keep their values") {
        suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        try await suite.write("1", "c", nil, to: manager)
        try await suite.expect("1", "c", "b", in: manager)
      },
      ModelManagerCheck("null with an error does not replace a value") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        let (response, operation) = try suite.sample.responses.erroredResponse("1", "c")
        try await manager.store(response, of: operation, in: nil)
        try await suite.expect("1", "c", "b", in: manager)
      },
      ModelManagerCheck("JSON creates and updates objects") { suite, manager in
        let sample = suite.sample.responses
        let both = "[\(sample.object("1", "a", "b")),\(sample.object("2", "c", "d"))]"
        try await manager.write(json: Array(both.utf8), as: Object.self)
        try await suite.expect("2", "c", "d", in: manager)
        let one = sample.object("2", "e", nil)
        try await manager.write(json: Array(one.utf8), as: Object.self)
        try await suite.expect("1", "a", "b", in: manager)
        try await suite.expect("2", "e", "d", in: manager)
      },
      ModelManagerCheck("concurrent writes create one object") { suite, manager in
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<8 {
            group.addTask { try await suite.write("1", "\(number)", "b", to: manager) }
          }
          try await group.waitForAll()
        }
        try await suite.expectOne("1", in: manager)
      },
    ]
  }

  private static var reading: [ModelManagerCheck] {
    [
      ModelManagerCheck("an object that is not stored is nil") { suite, manager in
        try await require(
          try await manager.object(Object.self, key: "1") == nil, "an object was returned")
        try await suite.write("1", "a", "b", to: manager)
        let found = try await manager.objects(Object.self, keys: ["2", "1", "3"])
        try await require(
          found.map { $0 != nil } == [false, true, false],
          "the objects are not in the order of their keys"
        )
      },
      ModelManagerCheck("a returned object does not change") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        let read = try await manager.object(Object.self, key: "1")
        try await suite.write("1", "c", "d", to: manager)
        let values = read.map(suite.sample.values)
        try await require(values?.first == "a" && values?.second == "b", "it has changed")
      },
    ]
  }

  private static var forgetting: [ModelManagerCheck] {
    [
      ModelManagerCheck("one object is purged") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        try await suite.write("2", "c", "d", to: manager)
        try await suite.expectOne("1", in: manager)
        try await suite.expect("2", "c", "d", in: manager)
        // It has been deleted, which is not an error.
        try await manager.purge(Object.self, key: "1")
      },
      ModelManagerCheck("the objects that satisfy a condition are purged") { suite, manager in
        for key in ["1", "2", "3"] { try await suite.write(key, "a\(key)", "b", to: manager) }
        let values = suite.sample.values
        try await manager.purge(Object.self) { values($0).first != "a2" }
        let left = try await manager.objects(Object.self, keys: ["1", "2", "3"])
        try await require(
          left.map { $0 != nil } == [false, true, false], "the wrong objects were purged")
      },
      ModelManagerCheck("refresh returns the stored object") { suite, manager in
        try await suite.write("1", "a", "b", to: manager)
        guard let old = try await manager.object(Object.self, key: "1") else {
          throw ConformanceFailure("there is no object")
        }
        try await suite.write("1", "c", "b", to: manager)
        let fresh = try await manager.refresh(old)
        try await require(
          fresh.map(suite.sample.values)?.first == "c", "the old object was returned")
        try await manager.purge(Object.self, key: "1")
        try await require(
          try await manager.refresh(old) == nil, "the object was returned after it was purged")
      },
    ]
  }
}

extension ModelManagerConformance {
  func write(
    _ key: String, _ first: String, _ second: String?, to manager: Manager
  ) async throws {
    let (response, operation) = try sample.responses.response(key, first, second)
    try await manager.store(response, of: operation, in: nil)
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

  /// Purges the object, and fails if there was none, or if there is another one.
  func expectOne(_ key: String, in manager: Manager) async throws {
    try await require(
      try await manager.object(Object.self, key: key) != nil, "there is no object \(key)")
    try await manager.purge(Object.self, key: key)
    try await require(
      try await manager.object(Object.self, key: key) == nil, "object \(key) is still there")
  }
}
