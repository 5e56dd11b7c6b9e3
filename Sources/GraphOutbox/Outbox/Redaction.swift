import GraphQLRuntime
import GraphStore

// User content may be secret. It is not part of any text that a program prints or logs
// incidentally.

extension Graph.Receipt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The operation and its outcome, without its content.
  public var description: String {
    let reason = reason.map { ", \($0)" } ?? ""
    return "\(name) \(operation) on \(entity.typeName): \(state)\(reason)"
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["receipt": description]) }
}

extension Graph.OptimisticChange: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The kind of the change, without its fields.
  public var description: String {
    switch expected {
    case .create: "creation"
    case .update: "update"
    case .delete: "deletion"
    }
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["change": description]) }
}

extension Graph.Outbox.Draft: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The operation's name and object, without its content.
  public var description: String { "\(name) on \(entity.typeName)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["draft": description]) }
}
