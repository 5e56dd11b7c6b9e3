extension Store: CustomStringConvertible, CustomReflectable {
  /// Where the store keeps its objects; none of them.
  public var description: String { "Store(\(committed.file?.path ?? "in memory"))" }

  public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
