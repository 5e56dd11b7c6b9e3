import Foundation
import GraphQLRuntime
import GraphStore

// A process that writes to a store. Scripts kill it, or run it next to others.
//
// store-crash append FILE FIRST  writes persons FIRST, FIRST+1, … one transaction each, without end,
//                                 and prints each number after it was acknowledged
// store-crash add FILE COUNT     adds 1 to a counter, COUNT times, one transaction each
// store-crash count FILE         prints the counter
// store-crash find FILE LAST     exits with 1 unless persons 0 to LAST are all there and complete
// store-crash share FILE FIRST COUNT OPENINGS SEED calm|closing|attacked
//                                 writes persons with several stores at once, see Sharing
// store-crash visit FILE         opens the file three times and closes it
// store-crash fork FILE          forks with an open store, see Forking
// store-crash fill FILE CLUBS    writes clubs of the kind A, see Migrating
// store-crash migrate FILE A B   opens the file with a rename from kind A to kind B
// store-crash kinds FILE CLUBS   exits with 1 unless all clubs are there and of one kind, which it prints
// store-crash damage FOLDER COUNT  damages a file COUNT times and checks whether the store recovers

func crash(_ arguments: [String]) async throws -> Int32 {
  guard arguments.count >= 2 else { return 2 }
  if arguments[0] == "damage" {
    var damage = Damage(folder: URL(filePath: arguments[1]), seed: 7)
    return try await damage.run(arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0)
  }
  let file = URL(filePath: arguments[1])
  if arguments[0] == "visit" {
    try visit(file)
    return 0
  }
  if arguments[0] == "fill", arguments.count == 3 {
    try await fill(file, clubs: Int(arguments[2]) ?? 0)
    return 0
  }
  if arguments[0] == "migrate", arguments.count == 4 {
    try migrate(file, from: arguments[2], to: arguments[3])
    return 0
  }
  if arguments[0] == "kinds", arguments.count == 3 {
    return try kinds(file, clubs: Int(arguments[2]) ?? 0)
  }
  if arguments[0] == "fork" { return try await fork(withStoreIn: file) }
  if arguments[0] == "share", arguments.count == 7 {
    try await Sharing(
      file: file, first: Int(arguments[2]) ?? 0, count: Int(arguments[3]) ?? 0,
      openings: Int(arguments[4]) ?? 1, seed: UInt64(arguments[5]) ?? 0,
      closes: arguments[6] == "closing", isAttacked: arguments[6] == "attacked"
    ).run()
    return 0
  }
  let store = try Graph.Store(schema: Sample.schema, file: file)
  if let recovery = store.recovery {
    print("recovered: \(recovery.reason)")
    return 1
  }
  let number = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
  switch arguments[0] {
  case "append": try await append(store, from: number)
  case "add":
    for _ in 0..<number {
      try await store.write { storage in
        let age = try storage.object(Sample.Person.self, key: "counter")?.age ?? 0
        try storage.write(
          json: Array("{\"id\":\"counter\",\"age\":\(age + 1)}".utf8), as: Sample.Person.self)
      }
    }
  case "count": print(try store.object(Sample.Person.self, key: "counter")?.age ?? 0)
  case "find":
    for person in 0...max(0, number) {
      guard let found = try store.object(Sample.Person.self, key: "\(person)"),
        found.name == name(person), found.club?.name == "Club \(person % 7)"
      else {
        print("lost: \(person)")
        return 1
      }
    }
  default: return 2
  }
  return 0
}

func name(_ person: Int) -> String {
  String(repeating: "Person \(person) ", count: 1 + person % 60)
}

func append(_ store: Graph.Store, from first: Int) async throws {
  var person = first
  while true {
    let json = """
      {"id":"\(person)","name":"\(name(person))",\
      "club":{"id":"c\(person % 7)","name":"Club \(person % 7)"}}
      """
    try await store.write(json: Array(json.utf8), as: Sample.Person.self)
    // One call of write(2), so that a killed process leaves whole lines.
    try FileHandle.standardOutput.write(contentsOf: Data("\(person)\n".utf8))
    person += 1
  }
}

exit(try await crash(Array(CommandLine.arguments.dropFirst())))
