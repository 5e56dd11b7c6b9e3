/// Views as text, from which the checksum is computed that generator and runtime compare.
enum ViewChecksum {
  /// The entries of a view, in the order of their slots.
  static func dump(_ view: View) -> [UInt8] {
    var text: [UInt8] = []
    append(view, to: &text)
    return text
  }

  private static func append(_ view: View, to text: inout [UInt8]) {
    for entry in view.entries {
      switch entry.kind {
      case .field(let field):
        guard appendField(field.key, entry, to: &text) else { continue }
      case .unknownField(let key):
        guard appendField(key, entry, to: &text) else { continue }
      case .condition(let type):
        text.append("on ")
        text.append(utf8Of: type)
      case .deferred: text.append("@")
      case .fragment(let name, isCertain: _):
        text.append("...")
        text.append(utf8Of: name)
        text.append(";")
        continue
      }
      text.append("{")
      if let child = entry.child { append(child, to: &text) }
      text.append("}")
    }
  }

  /// Returns whether a view below follows.
  private static func appendField(
    _ key: String, _ entry: View.Entry, to text: inout [UInt8]
  ) -> Bool {
    text.append(utf8Of: key)
    if entry.child == nil { text.append(",") }
    return entry.child != nil
  }

  /// The dump of a fragment as a part of a document.
  static func dump(fragment name: String, _ view: View) -> [UInt8] {
    var text: [UInt8] = []
    text.append("...")
    text.append(utf8Of: name)
    text.append("{")
    append(view, to: &text)
    text.append("}")
    return text
  }

  /// The FNV-1a hash of 32 bits.
  static func hash(_ parts: [[UInt8]]) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for part in parts {
      for byte in part { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    }
    return hash
  }
}
