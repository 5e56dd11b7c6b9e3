import Foundation
import GraphJSON
import GraphQLRuntime

/// Rewrites JSON of another origin as objects of the schema: fields by their own names, what is no
/// field left out, and a fresh key for an entity that has none.
///
/// The recursion is as deep as the parser allows.
struct JSONTranslator {
  let json: JSONDocument
  let mapping: JSONMapping
  let policies: Policies
  private let planner: GraphQL.StoragePlanner
  private var writer = JSONWriter()

  init(
    json: JSONDocument, mapping: JSONMapping, policies: Policies, planner: GraphQL.StoragePlanner
  ) {
    self.json = json
    self.mapping = mapping
    self.policies = policies
    self.planner = planner
  }

  /// The objects at the top, one or a list of them, as a list.
  mutating func translate(typeName: String) throws(StoreError) -> JSONDocument {
    guard let plan = planner.plan(ofType: typeName) else {
      throw StoreError(.notAnEntity, "there is no type \(typeName)")
    }
    let root = JSONDocument.rootIndex
    writer.beginArray()
    switch json.kind(at: root) {
    case .object: object(root, plan)
    case .array:
      var element = json.firstChild(of: root)
      while element < json.end(of: root) {
        guard json.kind(at: element) == .object else {
          throw StoreError(.invalidJSON, "an element of the list is no object")
        }
        object(element, plan)
        element = json.next(after: element)
      }
    default: throw StoreError(.invalidJSON, "the JSON is neither an object nor a list of objects")
    }
    writer.endArray()
    do {
      return try JSONDocument(parsing: writer.finish())
    } catch {
      throw StoreError(.invalidJSON, "\(error)")
    }
  }

  private mutating func object(_ object: Int, _ plan: GraphQL.StoragePlan) {
    let names = mapping.keys[plan.typeName] ?? [:]
    var written: Set<String> = []
    writer.beginObject()
    var key = json.firstChild(of: object)
    let end = json.end(of: object)
    while key < end {
      let value = json.next(after: key)
      let text = json.string(at: key)
      let name = names[text] ?? text
      if name == "__typename" {
        if written.insert(name).inserted { member(name, value, nil) }
      } else if let position = plan.position(of: Array(name.utf8)),
        !(json.isNull(at: value) && isOnlyKey(name, plan)), written.insert(name).inserted
      {
        member(name, value, plan.fields[position])
      }
      key = json.next(after: value)
    }
    if let name = onlyKey(plan), !written.contains(name) {
      writer.key(name)
      writer.string(UUID().uuidString)
    }
    writer.endObject()
  }

  private mutating func member(_ name: String, _ value: Int, _ field: GraphQL.StorageField?) {
    writer.key(name)
    self.value(value, field)
  }

  private mutating func value(_ value: Int, _ field: GraphQL.StorageField?) {
    guard let field, field.isComposite else { return writer.fragment(of: json, at: value) }
    switch json.kind(at: value) {
    case .array:
      writer.beginArray()
      var element = json.firstChild(of: value)
      let end = json.end(of: value)
      while element < end {
        self.value(element, field)
        element = json.next(after: element)
      }
      writer.endArray()
    case .object: object(value, field.plan(for: json, at: value))
    default: writer.fragment(of: json, at: value)
    }
  }

  private func isOnlyKey(_ name: String, _ plan: GraphQL.StoragePlan) -> Bool {
    onlyKey(plan) == name
  }

  /// The field that a fresh key can be given to.
  private func onlyKey(_ plan: GraphQL.StoragePlan) -> String? {
    guard plan.isObjectType, let key = policies.policy(ofType: plan.typeName).key, key.count == 1
    else { return nil }
    return key[0]
  }
}
