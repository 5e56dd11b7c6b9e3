import GraphJSON
import GraphStore

// The text in which the queue keeps an expected change, for the receipt of a rejected operation.
extension Graph.OptimisticChange {
  /// - Parameter typeName: the object's type.
  /// - Returns: empty for an object of a transient type, which is not written to the file.
  func text(storedBy transaction: Graph.Transaction, typeName: String) -> String {
    func storable(_ fields: JSON) -> JSON? { transaction.storable(fields, ofType: typeName) }
    let json: JSON? =
      switch expected {
      case .create(let fields): storable(fields).map { ["create": $0] }
      case .update(let fields): storable(fields).map { ["update": $0] }
      case .delete: ["delete": .null]
      }
    return json?.description ?? ""
  }

  /// nil for a text that this version cannot read.
  init?(text: String) {
    guard case .object(let object)? = try? JSON(parsing: Array(text.utf8)),
      let member = object.members.first
    else { return nil }
    switch member.key {
    case "create": self = .create(member.value)
    case "update": self = .update(member.value)
    case "delete": self = .delete
    default: return nil
    }
  }
}
