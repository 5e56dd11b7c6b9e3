import GraphJSON
import GraphQLRuntime
import GraphStore

/// The objects of a store, and how they change.
struct ObjectsView: LiveView {
  private let showsValues: Bool
  private var objects = ObservedObjects()
  /// The number of logouts; nil before the first reading.
  private var generation: UInt64?
  private var size = (file: 0, log: 0)
  private(set) var events: [LiveEvent] = []

  init(showsValues: Bool) { self.showsValues = showsValues }

  var emptied: ObjectsView { ObjectsView(showsValues: showsValues) }

  struct Reading {
    let objects: ObservedObjects.Reading
    let generation: UInt64
    let stamp: FileStamp
  }

  func reading(of contents: FileContents) throws(Graph.StoreError) -> Reading {
    Reading(
      objects: try objects.reading(of: contents), generation: try contents.generation(),
      stamp: contents.stamp)
  }

  mutating func update(from reading: Reading) {
    let known = generation
    let changes = objects.update(from: reading.objects)
    generation = reading.generation
    size = (reading.stamp.file.size, reading.stamp.log?.size ?? 0)
    guard let known else {
      events = [opened]
      return
    }
    events = known == generation ? [] : [LiveEvent("logout", "the data of the user was deleted")]
    events += changes.map(event)
    if !events.isEmpty { events.append(committed(changes.count)) }
  }

  var lines: [String] {
    guard let generation else { return ["no file"] }
    return ["\(sizes); logouts: \(generation)", ""]
      + table(counts.map { [$0.name.printable, "\($0.count)"] })
  }

  private var counts: [(name: String, count: Int)] {
    objects.counts.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  private var sizes: String { "\(size.file) bytes, \(size.log) bytes in the log" }

  private var opened: LiveEvent {
    let counts = counts
    let list = counts.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    return LiveEvent(
      "opened", list.isEmpty ? sizes : "\(list); \(sizes)",
      [
        "counts": .object(
          JSON.Object(
            counts.map { JSON.Object.Member(key: $0.name, value: JSON($0.count)) })),
        "file": JSON(size.file), "log": JSON(size.log),
      ])
  }

  private func committed(_ changes: Int) -> LiveEvent {
    LiveEvent(
      "commit", "objects: \(changes); \(sizes)",
      ["objects": JSON(changes), "file": JSON(size.file), "log": JSON(size.log)])
  }

  private func event(_ change: ObservedObjects.Change) -> LiveEvent {
    let object = JSON.string(change.object)
    guard !change.fields.isEmpty else {
      return LiveEvent(change.kind.rawValue, change.object, ["object": object])
    }
    let fields = change.fields.map { showsValues ? "\($0.key): \($0.value)" : $0.key }
    let names = JSON.array(change.fields.map { .string($0.key) })
    return LiveEvent(
      change.kind.rawValue, "\(change.object) \(fields.joined(separator: ", "))",
      [
        "object": object, "fields": showsValues ? .object(JSON.Object(change.fields)) : names,
      ])
  }
}
