import GraphJSON
import GraphStore

// How the queue keeps what an operation is expected to do, for the receipt of one that is rejected.
extension OptimisticChange {
  /// - Parameter typeName: that of the object.
  /// - Returns: empty for an object of a transient type, which is not written down.
  func text(storedBy transaction: Transaction, typeName: String) -> String {
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
