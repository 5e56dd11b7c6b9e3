extension Graph.Store: CustomStringConvertible, CustomReflectable {
  /// Shows the location of the store's objects, but none of the objects.
  public var description: String { "Store(\(committed.file?.path ?? "in memory"))" }

  public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
