// User content may be secret. It is not part of any text that a program prints or logs incidentally.

extension Graph.StoreChange: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The kinds of the changes, without their objects and fields.
  public var description: String {
    steps.map { step in
      switch step {
      case .create: "creation"
      case .update: "update"
      case .delete: "deletion"
      case .edit(let edit, let list):
        edit.place == .removed
          ? "removal from a list \(list.coordinate)" : "addition to a list \(list.coordinate)"
      case .invalid(let problem): "invalid change: \(problem)"
      }
    }.joined(separator: ", ")
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["change": description]) }
}

extension Graph.StoredList: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The coordinate of the field, without the object and the arguments.
  public var description: String { problem.map { "invalid list: \($0)" } ?? coordinate }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["list": description]) }

  fileprivate var coordinate: String { "\(owner.typeName).\(field)" }
}
