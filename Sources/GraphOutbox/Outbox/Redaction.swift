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

extension Graph.Outbox.Draft: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The operation's name and object, without its content.
  public var description: String { "\(name) on \(entity.typeName)" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["draft": description]) }
}
