import GraphJSON
import GraphQLRuntime

extension Graph {
  /// The results of a fetch at one time, and the differences from the previous results.
  public struct FetchedResults<Object: GraphQL.AbstractResponse>: Sendable {
    /// Neighbours with the same value of the section field.
    public struct Section: Sendable, Hashable {
      /// The value as text; nil for null.
      public let name: String?
      /// The positions of its objects.
      public let range: Range<Int>
    }

    /// The objects in the order of the fetch.
    public let objects: [Object]
    /// The keys of the objects, in the same order.
    public let keys: [GraphQL.EntityKey]
    /// The sections in their order; empty if none were requested.
    public let sections: [Section]
    /// The changes since the previous results; in the first results, all objects are insertions.
    public let changes: ListChanges
    private let records: [JSONDocument]

    init(
      _ matches: [FetchRequest<Object>.Match], typeName: String, sections: [String?]?,
      after last: FetchedResults?, _ object: (JSONDocument) -> Object
    ) {
      let keys = matches.map { GraphQL.EntityKey(typeName: typeName, key: $0.key) }
      let records = matches.map(\.json)
      let old = last?.records ?? []
      let changes = ListChanges(from: last?.keys ?? [], to: keys) {
        old[$0].isSame(as: records[$1])
      }
      var reused: [GraphQL.EntityKey: Object] = [:]
      let changed = Set(changes.updates)
      if let last { reused = Dictionary(zip(last.keys, last.objects)) { first, _ in first } }
      objects = records.indices.map { place in
        changed.contains(place)
          ? object(records[place]) : reused[keys[place]] ?? object(records[place])
      }
      self.keys = keys
      self.records = records
      self.changes = changes
      self.sections = Self.sections(sections ?? [])
    }

    private static func sections(_ names: [String?]) -> [Section] {
      var sections: [Section] = []
      var start = 0
      // Values are compared by their bytes, as in filters and in the order.
      let values = names.map { $0.map(ExactKey.init) }
      for place in names.indices
      where place + 1 == names.count || values[place + 1] != values[place] {
        sections.append(Section(name: names[place], range: start..<place + 1))
        start = place + 1
      }
      return sections
    }
  }
}
