extension GraphQL {
  /// A number for the views of a document, by which code is found that was generated with other rules or
  /// from another document (FNV-1a, 32 bits).
  struct ViewChecksum {
    private(set) var value: UInt32 = 0x811C_9DC5

    mutating func add(_ view: RecordView) {
      for entry in view.entries {
        switch entry.kind {
        case .field(let key):
          add(key)
          if let below = entry.view { addBody(below) } else { add(",") }
        case .typeCase(let name):
          add("on \(name)")
          if let view = entry.view { addBody(view) }
        case .fragment(let fragment): add("...\(fragment.name);")
        case .deferred:
          add("@")
          if let view = entry.view { addBody(view) }
        }
      }
    }

    mutating func add(fragment name: String, _ view: RecordView) {
      add("...\(name)")
      addBody(view)
    }

    private mutating func addBody(_ view: RecordView) {
      add("{")
      add(view)
      add("}")
    }

    private mutating func add(_ text: String) {
      for byte in text.utf8 { value = (value ^ UInt32(byte)) &* 0x0100_0193 }
    }
  }
}
